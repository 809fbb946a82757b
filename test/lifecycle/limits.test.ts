import { describe, expect, test } from "vitest";
import { DynamicProvider } from "../../provider/dynamic/provider";
import type { Kind, UpdateStep } from "../../provider/engine/definition";
import type { Bag } from "../../provider/engine/values";
import type { KindName } from "../../provider/resources";
import { names, type Scenario, scenario } from "./scenario";

const limits = { create: "65s", update: "2m", delete: "3m" };

/**
 * Changes a resource class so that its objects never become ready and deletions never complete, to test time limits.
 */
const stalled = (kind: Kind): Kind => ({
  ...kind,
  readiness: { ...kind.readiness, pending: () => "all of it" },
  delete: { ...kind.delete, pending: async () => "all of it" },
});

type Failure = Error & { id?: string; properties?: Bag };

/** Runs an operation that must time out. Returns the error and the elapsed seconds. */
async function givingUp({ host }: Scenario, work: () => Promise<unknown>) {
  const started = host.now();
  const failure: Failure = await work().then(
    () => new Error("it did not give up"),
    (error) => error,
  );
  return { failure, seconds: (host.now() - started) / 1000 };
}

/**
 * The inputs of the program as Pulumi passes them to the provider: undefined inputs are removed, and `__timeouts` is
 * added.
 */
const inputsOf = ({ fixture }: Scenario): Bag =>
  JSON.parse(JSON.stringify({ ...fixture.base, __timeouts: limits, __resourceName: "thing" })) as Bag;

const expectTimedOut = ({ failure, seconds }: Awaited<ReturnType<typeof givingUp>>, after: number) => {
  expect(failure.message).toMatch(/timed out after \d+ s: /);
  expect(seconds, failure.message).toBe(after);
};

type Step = UpdateStep<Bag, Bag, Bag>;

/**
 * Whether a create has more to do when the object is ready, for example to change settings that the create request
 * cannot contain. If the object is ready only at the time limit, such a create fails, because no time is left.
 */
async function runsSteps(name: KindName): Promise<boolean> {
  await using it = await scenario(name);
  let hasRun = false;
  const watched = ({ run, ...step }: Step): Step => ({
    ...step,
    run(context) {
      hasRun = true;
      return run(context);
    },
  });
  const own = Object.entries<Step>(it.kind.steps ?? {}).map(([step, how]) => [step, watched(how)]);
  const provider = new DynamicProvider({ ...it.kind, steps: Object.fromEntries(own) }, () => it.host);
  const { __timeouts: _, ...unlimited } = inputsOf(it);
  const { inputs = {} } = await provider.check({}, unlimited);
  await provider.create(inputs);
  return hasRun;
}

describe.each(names)("%s", (name) => {
  test("create, update and delete wait as long as the resource's time limits allow", async () => {
    await using it = await scenario(name);
    let { host } = it;
    const provider = new DynamicProvider(stalled(it.kind), () => host);
    const { inputs = {} } = await provider.check({}, inputsOf(it));
    const created = await givingUp(it, () => provider.create(inputs));
    expectTimedOut(created, 65);
    const { id = "", properties = {} } = created.failure;
    expect(id, "what is not finished is kept").not.toBe("");
    expectTimedOut(await givingUp(it, () => provider.update(id, properties, inputs)), 120);
    host = it.reconnect();
    if (!it.kind.delete?.retained && it.kind.delete?.run !== "none")
      expectTimedOut(await givingUp(it, () => provider.delete(id, properties)), 180);
  });

  test("succeeds if the last poll, at the limit, finds the object ready", async () => {
    const goesOn = await runsSteps(name);
    await using it = await scenario(name);
    const started = it.host.now();
    const isLate = () => it.host.now() - started >= 65_000;
    const slow: Kind = {
      ...it.kind,
      readiness: { ...it.kind.readiness, pending: () => (isLate() ? undefined : "all of it") },
    };
    const provider = new DynamicProvider(slow, () => it.host);
    const { inputs = {} } = await provider.check({}, inputsOf(it));
    const creation = provider.create(inputs);
    if (goesOn) {
      const message = expect.stringMatching(
        /: create timed out after 65 s: .* (before it was sent|while waiting for other calls .*)\. To allow more time, /,
      );
      await expect(creation).rejects.toMatchObject({ id: expect.stringMatching(/./), message });
    } else expect((await creation).id).toBeTruthy();
    expect(isLate()).toBe(true);
  });
});
