import { part1 } from "./documents/part-1";
import { part2 } from "./documents/part-2";
import { part3 } from "./documents/part-3";

/** A statement of the API documentation: a rule, a limit, or the states of an object. Tests refer to it by its id. */
export interface Statement {
  section: string;
  /** The id, such as `part 1 · Endpoints · Volumes · rule 3`. */
  name: string;
  title: string;
  /** The reason why no test can verify the statement. Omitted if a test does. */
  untestable?: string;
}

/** Every rule, limit and state table of the API documentation, in its order. */
export const statements: readonly Statement[] = [...part1, ...part2, ...part3].flatMap((section) =>
  section.statements.map((statement, at) => {
    const entry = typeof statement === "string" ? { title: statement } : statement;
    const own = section.kind === "state" ? entry.title : `${section.kind} ${at + 1}`;
    return { section: section.name, name: `${section.name} · ${own}`, ...entry };
  }),
);
