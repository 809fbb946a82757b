import { TestRunner } from "vitest";
import { statements } from "../../api";

declare module "vitest" {
  interface TaskMeta {
    proves?: string[];
  }
}

const known = new Set(statements.filter(({ untestable }) => !untestable).map(({ name }) => name));

/**
 * Declares that the running test checks the given rules, limits and states of the API documentation. A run of all
 * contract tests fails if one of them is not checked by any test. `docs/rules.md` lists all of them.
 */
export function proves(...names: string[]): void {
  const unknown = names.find((name) => !known.has(name));
  if (unknown) throw new Error(`"${unknown}" is not a rule, limit or state in api/schema/documents/`);
  const meta = TestRunner.getCurrentTest()?.meta;
  if (!meta) throw new Error("rules are proved by tests");
  meta.proves = [...(meta.proves ?? []), ...names];
}
