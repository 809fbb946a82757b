import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import { fieldsOf, holdsSecret, metaOf, partsOf, toWire } from "../../api";
import { inputSchema } from "../../provider/engine/definition";
import type { Bag } from "../../provider/engine/values";
import { attempt } from "./fault-cases";
import { definition, editsOf, inputsAround, inputsOf, keyOf, names, type Scenario, scenario } from "./scenario";

type Schema = Parameters<typeof partsOf>[0];

/**
 * Collects the string values of all fields that the schema marks as secret. Values of up to 3 characters are omitted,
 * because other text can contain them by chance.
 */
function secretsIn(schema: Schema, value: unknown, within = false): string[] {
  const secret = within || metaOf(schema).secret === true;
  if (typeof value === "string") return secret && value.length > 3 ? [value] : [];
  const parts = partsOf(schema, value);
  if (secret && !parts.length && value && typeof value === "object")
    return Object.values(value).flatMap((item) => (typeof item === "string" && item.length > 3 ? [item] : []));
  return parts.flatMap((part) => secretsIn(part.schema, part.value, secret));
}

interface Program {
  inputs: Bag;
  secrets: string[];
}

/** Programs that declare secrets, each with the list of its secrets. */
function programs({ kind, fixture }: Scenario): Program[] {
  const edits = inputsOf(kind.name as (typeof names)[number]).flatMap((input) =>
    holdsSecret(inputSchema(kind, keyOf({ kind }, input)))
      ? editsOf(fixture, input).map((edit) => inputsAround(fixture, input, edit).after)
      : [],
  );
  return [fixture.base, ...edits].flatMap((inputs) => {
    const secrets = [...new Set(secretsIn(kind.inputs, toWire(kind.inputs, inputs)))];
    return secrets.length ? [{ inputs, secrets }] : [];
  });
}

/** Everything that could leak a secret: messages, the emulator's request log and errors. */
const heard = (it: Scenario, ...failures: unknown[]): string =>
  JSON.stringify([it.warnings, it.waits, it.emulator.requests.list(), failures.map(printed)]);

/**
 * An uncaught error as Node.js prints it. Omits `properties` and `outs`, because Pulumi stores them encrypted in state
 * and does not print them.
 */
function printed(failure: unknown): string[] {
  if (!(failure instanceof Error)) return [];
  const { properties: _, outs: __, ...facts } = failure as Error & Bag;
  return [failure.message, String(failure.stack), inspect(facts, { depth: 9 }), ...printed(failure.cause)];
}

function expectNone(secrets: readonly string[], text: string): void {
  for (const secret of secrets)
    expect(text.includes(JSON.stringify(secret).slice(1, -1)), `${secret} is shown`).toBe(false);
}

test("every kind: no secret identifies an object, because the native plugin writes such inputs to its journal", () => {
  for (const kind of names.map(definition)) {
    const { lostCreate } = kind.identity;
    for (const key of lostCreate === "repeat" ? [] : lostCreate.match) {
      const field = fieldsOf(kind.inputs)[key];
      expect(field !== undefined && holdsSecret(field), `${kind.name}: ${key}`).toBe(false);
    }
  }
});

const secretive = names.filter((name) => holdsSecret(definition(name).inputs));

describe.each(secretive)("%s: no secret of the program is shown", (name) => {
  test("after success and after an API error", async () => {
    await using first = await scenario(name);
    const all = programs(first);
    expect(all.length, "the fixture declares its secrets").toBeGreaterThan(0);
    for (const { inputs, secrets } of all) {
      for (const status of [undefined, 500, 400]) {
        await using it = await scenario(name);
        if (status) it.emulator.faults.add({ path: it.creation, kind: "status", status, times: 100 });
        const failure = await attempt(() => it.managed.up(inputs));
        expectNone(secrets, heard(it, failure));
      }
    }
  });

  test("in a refresh, an adoption, a repeated update or a deletion, and in their errors", async () => {
    await using it = await scenario(name);
    const [{ inputs, secrets }] = programs(it) as [Program];
    await it.managed.up(inputs);
    const [{ state }, id] = [it.managed, it.managed.id];
    const commands = [
      () => it.managed.refresh(),
      () => it.managed.adopt(id),
      () => it.managed.up(inputs),
      () => it.managed.destroy(),
    ];
    for (const status of [400, undefined]) {
      const failures: unknown[] = [];
      for (const command of commands) {
        it.managed.state = state;
        it.managed.reconnect(it.reconnect());
        if (status) it.emulator.faults.add({ path: "/v4/**", kind: "status", status, times: 1000 });
        failures.push(await attempt(command));
        it.emulator.faults.clear();
      }
      if (status) expect(failures.some((failure) => failure instanceof Error)).toBe(true);
      expectNone(secrets, heard(it, ...failures));
    }
  });

  test("even if it is misspelled, misplaced or of another type", async () => {
    await using it = await scenario(name);
    for (const { inputs, secrets } of programs(it)) {
      const secret = secrets[0] as string;
      const places = Object.keys(inputs).filter((input) => holdsSecret(inputSchema(it.kind, keyOf(it, input))));
      const wrong = places.flatMap((input) => [
        { [input]: { unexpected: secret } },
        { [input]: [secret] },
        { [`${input}s`]: secret },
        { [input]: `${secret}\n` },
      ]);
      for (const bad of wrong) {
        const value: Bag = { ...inputs, ...bad };
        const failures = await it.managed.failures(value);
        // Includes the property's value, because Pulumi prints it together with the error.
        const printed = failures.map(({ property, reason }) => [reason, property && value[property]]);
        expect(JSON.stringify(printed).includes(secret), JSON.stringify(bad)).toBe(false);
      }
    }
  });
});
