import { expect, test } from "vitest";
import { operationsOf } from "../../tools/generate/policy";
import type { Meaning } from "./fixture";
import { kindTests } from "./kinds";
import { definition, keyOf, names } from "./scenario";

/** The matrix holds the meanings against the request log; so what the pages say is what is sent. */
test.each(names)("%s: every operation that changes an input is in the docs", (name) => {
  const kind = definition(name);
  for (const [input, meaning] of Object.entries<Meaning>(kindTests[name].meanings)) {
    if (typeof meaning !== "object") continue;
    const missing = `${name}.${input} changes by operations that its definition does not name`;
    expect(operationsOf(kind, keyOf({ kind }, input)), missing).toEqual(expect.arrayContaining([...meaning]));
  }
});
