import { describe, expect, test } from "vitest";
import { fromWire, toWire } from "../../api";
import type { Bag } from "../../provider/engine/values";
import { type Bad, badBodies } from "../contract/matrix/bad";
import { editsOf, inputsAround, inputsOf, keyOf, names, type Scenario, scenario } from "./scenario";

/** A program with an invalid input, and the property that the error is expected to name. */
interface Wrong extends Pick<Bad, "what"> {
  inputs: Bag;
}

/** All variants of a valid program in which one input is invalid. */
function wrongsOf(it: Scenario, input: string): Wrong[] {
  const { kind, fixture } = it;
  const key = keyOf(it, input);
  const [edit] = editsOf(fixture, input);
  const { after } = edit ? inputsAround(fixture, input, edit) : { after: fixture.base };
  return badBodies(kind.inputs, toWire(kind.inputs, after))
    .filter(({ field, what }) => field.split(".")[0] === key && !isFilledIn(it, what))
    .map(({ what, body }) => ({ what, inputs: fromWire(kind.inputs, body) as Bag }));
}

/** Whether the provider generates the input if it is missing. */
const isFilledIn = ({ kind }: Scenario, what: string): boolean =>
  [`${kind.identity.autoname}: absent`, `${kind.identity.autoname}: null`].includes(what);

/**
 * Whether one of the errors has a path that begins with the input. The name is quoted if Pulumi must not print its
 * value.
 */
const isNamed = (input: string, failures: readonly { property: string }[]): boolean =>
  failures.some(({ property }) => (/^(?:\["(\w+)"\]|(\w+))/.exec(property) ?? []).slice(1).includes(input));

describe.each(names)("%s", (name) => {
  test.each(inputsOf(name))("rejects every invalid value of %s without calling the API", async (input) => {
    await using it = await scenario(name);
    for (const { what, inputs } of wrongsOf(it, input))
      expect(isNamed(input, await it.managed.failures(inputs)), what).toBe(true);
    const requested = it.emulator.requests.list().map(({ operation }) => operation);
    expect(
      requested.filter((operation) => operation !== "account.view" && !operation?.endsWith(".list")),
      "the account and catalogues may be read",
    ).toEqual([]);
  });

  test("reports all problems at once", async () => {
    await using it = await scenario(name);
    const wrong = inputsOf(name).flatMap((input) => {
      const [first] = wrongsOf(it, input);
      return first ? [{ input, value: first.inputs[input] }] : [];
    });
    const inputs = Object.fromEntries(wrong.map(({ input, value }) => [input, value]));
    const failures = await it.managed.failures({ ...inputs, nonsense: 1 });
    for (const { input } of wrong) expect(isNamed(input, failures), input).toBe(true);
    expect(isNamed("nonsense", failures)).toBe(true);
  });
});
