import { expect, test } from "vitest";
import { camel } from "../../api";
import type { Kind } from "../../provider/engine/resource";
import { isInPlace, operationsIn, updateOf } from "../../tools/generate/policy";
import { editsOf, keyOf, names, scenario } from "./scenario";

/** The operations that change an input, as its page in docs/resources says. */
const told = (kind: Kind, key: string): string[] => {
  const update = updateOf(kind);
  const reason = kind.exceptions?.[key];
  return reason === undefined ? (update ? [update.name] : []) : operationsIn(reason);
};

/** The matrix holds these calls against the request log; so what the pages say is what is sent. */
test.each(names)("%s: every operation that changes an input is in the docs", async (name) => {
  await using it = await scenario(name);
  for (const key of Object.keys(it.kind.changes).filter((each) => isInPlace(it.kind, each))) {
    const input = camel(key);
    for (const { calls = [], along = {} } of editsOf(it.fixture, input)) {
      const known = [key, ...Object.keys(along).map((each) => keyOf(it, each))].flatMap((each) => told(it.kind, each));
      const operations = calls.flatMap((call) => /^\w+\.\w+/.exec(call) ?? []);
      const unknown = operations.filter((operation) => !known.includes(operation));
      const missing = `${name}.${input} changes by calls that \`exceptions\` of its definition does not name`;
      expect(unknown, missing).toEqual([]);
    }
  }
});
