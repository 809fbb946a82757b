import { expect, test } from "vitest";
import { namedOperations, operations, toWire } from "../../api";
import { isCovered } from "../../provider/client/interceptors/scopes";
import { operationsOf, scopesOf } from "../../provider/engine/operations";
import { definition, names, scenario } from "./scenario";

const byName = new Map(namedOperations(operations).map(({ name, operation }) => [name, operation]));

test.each(names)(
  "%s calls operations that need every scope which cloudinfra doctor requires of a token",
  async (name) => {
    await using it = await scenario(name);
    const inputs = Object.keys(toWire(definition(name).inputs, it.fixture.base) as object);
    const required = scopesOf(definition(name), inputs);
    await it.managed.up(it.fixture.base);
    await it.managed.refresh();
    if (it.fixture.remove !== null) await it.managed.destroy();
    const changes = inputs.flatMap((input) => operationsOf(definition(name), input));
    const called = [...Object.keys(it.emulator.requests.counts()), ...changes].flatMap(
      (one) => byName.get(one)?.scopes ?? [],
    );
    // The doctor must not reject a token with which all of these calls succeed.
    expect(required.filter((scope) => !called.some((one) => isCovered(scope, [one])))).toEqual([]);
    expect(required.length).toBeGreaterThan(0);
  },
);
