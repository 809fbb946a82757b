import { expect, test } from "vitest";
import { holdsSecret, kebab, secretsIn, toWire } from "../../api";
import { idParts } from "../../provider/engine/identity";
import { operationsOf } from "../../provider/engine/operations";
import { stateSchema } from "../../provider/pulumi/state";
import type { Effect } from "./fixture";
import { kindTests } from "./kinds";
import { definition, keyOf, names, scenario } from "./scenario";

/**
 * Checks that the docs list every operation in `effects`. Other tests compare `effects` with the requests that the
 * provider sends, so the docs match the real requests.
 */
test.each(names)("%s: every operation that changes an input is in the docs", (name) => {
  const kind = definition(name);
  for (const [input, effect] of Object.entries<Effect>(kindTests[name].effects)) {
    if (typeof effect !== "object") continue;
    const missing = `${name}.${input} changes by operations that its definition does not name`;
    expect(operationsOf(kind, keyOf({ kind }, input)), missing).toEqual(expect.arrayContaining([...effect]));
  }
});

test.each(names)("%s: its id contains no secret", async (name) => {
  const kind = definition(name);
  const hint =
    `Pulumi shows ids and does not encrypt them. Make the id a digest of the secret, and let \`lookup\` in ` +
    `provider/resources/${kebab(name)}.ts find the object by it, as provider/resources/service-transfer.ts does`;
  const secretParts = Object.entries(idParts(kind)).flatMap(([part, schema]) => (holdsSecret(schema) ? [part] : []));
  expect(secretParts, `${name}: these parts of the id are secret in the contract. ${hint}`).toEqual([]);
  const schema = stateSchema(kind);
  if (!holdsSecret(schema)) return;
  await using it = await scenario(name);
  await it.managed.up(it.fixture.base);
  const { id, outs } = it.managed;
  const secrets = secretsIn(schema, toWire(schema, outs)).filter(({ length }) => length > 3);
  const isExposed = secrets.some((secret) => id.includes(secret));
  expect(isExposed, `the id of ${name} contains the value of a secret property. ${hint}`).toBe(false);
});
