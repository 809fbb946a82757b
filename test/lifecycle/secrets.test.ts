import { describe, expect, test } from "vitest";
import { holdsSecret, metaOf, partsOf, toWire } from "../../api";
import type { Bag } from "../../provider/engine/values";
import { attempt } from "./fault-cases";
import { definition, editsOf, inputsAround, inputsOf, keyOf, names, type Scenario, scenario } from "./scenario";

type Schema = Parameters<typeof partsOf>[0];

/** The strings at secret fields. */
function secretsIn(schema: Schema, value: unknown, within = false): string[] {
  const secret = within || metaOf(schema).secret === true;
  if (typeof value === "string") return secret && value.length > 3 ? [value] : [];
  const parts = partsOf(schema, value);
  if (secret && !parts.length && value && typeof value === "object")
    return Object.values(value).flatMap((item) => (typeof item === "string" && item.length > 3 ? [item] : []));
  return parts.flatMap((part) => secretsIn(part.schema, part.value, secret));
}

/** Programs that state something secret, each with its secrets. */
function programs({ kind, fixture }: Scenario): { inputs: Bag; secrets: string[] }[] {
  const edits = inputsOf(kind.name as (typeof names)[number]).flatMap((input) =>
    holdsSecret(kind.inputs.shape[keyOf({ kind }, input)])
      ? editsOf(fixture, input).map((edit) => inputsAround(fixture, input, edit).after)
      : [],
  );
  return [fixture.base, ...edits].flatMap((inputs) => {
    const secrets = [...new Set(secretsIn(kind.inputs, toWire(kind.inputs, inputs)))];
    return secrets.length ? [{ inputs, secrets }] : [];
  });
}

/** All that was said, to whomever. */
const heard = (it: Scenario, failure: unknown): string =>
  JSON.stringify([
    it.said,
    it.waits,
    it.emulator.requests.list(),
    failure instanceof Error ? [failure.message, failure.stack, { ...failure }.toString()] : null,
  ]);

const secretive = names.filter((name) => holdsSecret(definition(name).inputs));

describe.each(secretive)("%s: no secret of the program is shown", (name) => {
  test("neither after success nor after an API error", async () => {
    await using first = await scenario(name);
    const all = programs(first);
    expect(all.length, "the fixture declares its secrets").toBeGreaterThan(0);
    for (const { inputs, secrets } of all) {
      for (const status of [undefined, 500, 400]) {
        await using it = await scenario(name);
        if (status) it.emulator.faults.add({ path: it.creation, kind: "status", status, times: 100 });
        const failure = await attempt(() => it.managed.up(inputs));
        const text = heard(it, failure);
        for (const secret of secrets)
          expect(text.includes(JSON.stringify(secret).slice(1, -1)), `${secret} is shown`).toBe(false);
      }
    }
  });

  test("when it is misspelt, misplaced or of another form", async () => {
    await using it = await scenario(name);
    for (const { inputs, secrets } of programs(it)) {
      const secret = secrets[0] as string;
      const places = Object.keys(inputs).filter((input) => holdsSecret(it.kind.inputs.shape[keyOf(it, input)]));
      const wrong = places.flatMap((input) => [
        { [input]: { strange: secret } },
        { [input]: [secret] },
        { [`${input}s`]: secret },
        { [input]: `${secret}\n` },
      ]);
      for (const bad of wrong) {
        const given: Bag = { ...inputs, ...bad };
        const failures = await it.managed.failures(given);
        // Pulumi prints the value of a property that a failure names.
        const printed = failures.map(({ property, reason }) => [reason, property && given[property]]);
        expect(JSON.stringify(printed).includes(secret), JSON.stringify(bad)).toBe(false);
      }
    }
  });
});
