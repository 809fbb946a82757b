import { expect, test } from "vitest";
import { camel } from "../../api";
import { fieldOf } from "../../provider/engine/definition";
import { isReturned } from "../../provider/engine/observe";
import type { Bag } from "../../provider/engine/values";
import type { KindName } from "../../provider/resources";
import { attempt } from "./fault-cases";
import { definition, names, scenario } from "./scenario";

interface Case {
  kind: KindName;
  input: string;
  old: unknown;
  changed: unknown;
  /** The request that contains the value. */
  operation: string;
  along?: Bag;
}

/** The inputs that the API does not return and that an update sends, each with two values. */
const cases: Case[] = [
  {
    kind: "Instance",
    input: "rootPass",
    old: "Correct-Horse-42",
    changed: "Correct-Horse-43",
    operation: "instances.resetPassword",
    along: { image: "compute/debian11" },
  },
  {
    kind: "InstanceDisk",
    input: "rootPass",
    old: "Correct-Horse-42",
    changed: "Correct-Horse-43",
    operation: "instanceDisks.resetPassword",
    along: { image: "compute/debian11" },
  },
  {
    kind: "ManagedCredential",
    input: "password",
    old: "Planted-Login-1!",
    changed: "Planted-Login-2!",
    operation: "managedCredentials.updateSecret",
  },
  {
    kind: "ManagedCredential",
    input: "username",
    old: "planted",
    changed: "planted-2",
    operation: "managedCredentials.updateSecret",
  },
  {
    kind: "ObjectStorageBucket",
    input: "acl",
    old: "private",
    changed: "public-read",
    operation: "objectStorageBuckets.updateAccess",
  },
  {
    kind: "ObjectStorageBucket",
    input: "corsEnabled",
    old: false,
    changed: true,
    operation: "objectStorageBuckets.updateAccess",
  },
  {
    kind: "ObjectStorageObject",
    input: "contentType",
    old: "text/plain",
    changed: "text/html",
    operation: "objectStorageObjects.createUrl",
  },
];

test.each(cases)(
  "$kind.$input: a program that takes a failed change back applies the old value again",
  async ({ kind, input, old, changed, operation, along }) => {
    const updated = async (prepare: (it: Awaited<ReturnType<typeof scenario>>) => void) => {
      const it = await scenario(kind);
      await it.managed.up({ ...it.fixture.base, ...along, [input]: old });
      it.anew();
      prepare(it);
      const failure = await attempt(() => it.managed.up({ ...it.fixture.base, ...along, [input]: changed }));
      return { it, failure, requests: it.emulator.requests.list().map((request) => request.operation) };
    };
    const undisturbed = await updated(() => {});
    await undisturbed.it[Symbol.asyncDispose]();
    expect(undisturbed.failure).toBeUndefined();
    const sent = undisturbed.requests.indexOf(operation) + 1;
    expect(sent, `${operation} in ${undisturbed.requests}`).toBeGreaterThan(0);
    const { it, failure } = await updated(({ emulator }) => {
      emulator.faults.add({ kind: "cut-after", nth: sent });
      emulator.faults.add({ kind: "status", status: 401, nth: sent + 1, times: 1000 });
    });
    await using _ = it;
    expect(String(failure)).toContain("401");
    it.emulator.faults.clear();
    it.anew();
    await it.managed.up({ ...it.fixture.base, ...along, [input]: old });
    expect(it.calls().map((call) => call.split(" ")[0])).toContain(operation);
    expect(it.managed.outs[input]).toEqual(old);
  },
);

test("all such inputs are tested", () => {
  const hidden = names.flatMap((name) => {
    const kind = definition(name);
    return Object.keys(kind.fields)
      .filter((key) => {
        const step = kind.steps?.[fieldOf(kind, key).change];
        return !isReturned(kind, key) && step && !step.afterCreate;
      })
      .map((key) => `${name}.${camel(key)}`);
  });
  // Sends no request: only a deletion uses the value.
  const local = ["ObjectStorageBucket.forceDestroy"];
  expect(hidden.filter((name) => !local.includes(name)).sort()).toEqual(
    cases.map(({ kind, input }) => `${kind}.${input}`).sort(),
  );
});
