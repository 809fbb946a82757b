import { sections } from "./documents";

/** A rule or limit under the name that tests give it. */
export interface Stated {
  place: string;
  /** `part 1 · Endpoints · Volumes · rule 3`. */
  name: string;
  title: string;
  /** Why it has no test. */
  untestable?: string;
}

export const statements: readonly Stated[] = sections.flatMap(({ place, kind, statements }) =>
  statements.map((statement, at) => {
    const said = typeof statement === "string" ? { title: statement } : statement;
    return { place, name: `${place} · ${kind === "state" ? said.title : `${kind} ${at + 1}`}`, ...said };
  }),
);
