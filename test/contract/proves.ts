import { TestRunner } from "vitest";
import { statements } from "../../api";

declare module "vitest" {
  interface TaskMeta {
    proves?: string[];
  }
}

const known = new Set(statements.filter(({ untestable }) => !untestable).map(({ name }) => name));

/**
 * Declares which rules, limits and states of the documents the running test proves if it passes. `docs/rules.md` lists
 * them, and a run of the whole contract tier fails if one of them is not proved.
 */
export function proves(...names: string[]): void {
  const unknown = names.find((name) => !known.has(name));
  if (unknown) throw new Error(`"${unknown}" is not a rule, limit or state in api/schema/documents/`);
  const meta = TestRunner.getCurrentTest()?.meta;
  if (!meta) throw new Error("rules are proved by tests");
  meta.proves = [...(meta.proves ?? []), ...names];
}
