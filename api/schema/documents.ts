import { part1 } from "./documents/part-1";
import { part2 } from "./documents/part-2";
import { part3 } from "./documents/part-3";

/** A rule, limit or state from the API documentation, with the id by which tests refer to it. */
export interface Statement {
  section: string;
  /** The id, such as `part 1 · Endpoints · Volumes · rule 3`. */
  name: string;
  title: string;
  /** The reason why no test covers it. */
  untestable?: string;
}

/** Every rule, limit and state of the three documents, in order. */
export const statements: readonly Statement[] = [...part1, ...part2, ...part3].flatMap((section) =>
  section.statements.map((statement, at) => {
    const said = typeof statement === "string" ? { title: statement } : statement;
    const own = section.kind === "state" ? said.title : `${section.kind} ${at + 1}`;
    return { section: section.name, name: `${section.name} · ${own}`, ...said };
  }),
);
