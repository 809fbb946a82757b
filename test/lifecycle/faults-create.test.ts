import { describe, expect, test } from "vitest";
import { expectNoDifference } from "./expectations";
import { attempt, callsOf, faultCases, tryEach } from "./fault-cases";
import { counts, definition, names, type Scenario, scenario } from "./scenario";

const up = (it: Scenario) => it.managed.up(it.fixture.base);

/** Creates the object without faults, to learn which API calls a create sends and which objects it creates. */
async function undisturbed(name: (typeof names)[number]) {
  await using it = await scenario(name);
  await up(it);
  const operations = it.emulator.requests.list().map(({ operation }) => operation);
  return {
    cases: faultCases(callsOf(it)),
    things: counts(it.created()),
    calls: operations.length,
    /** Position of the create request among all requests, starting at 1. */
    creation: operations.indexOf(it.creation) + 1,
  };
}

describe.each(names)("%s: faults while it is created", (name) => {
  test("the next update finishes it, without a duplicate or an orphan", async () => {
    const { cases, things } = await undisturbed(name);
    await tryEach(cases, async ({ fault }) => {
      await using it = await scenario(name);
      it.emulator.faults.add(fault);
      await attempt(() => up(it));
      expect(it.objects().length, "no duplicate").toBeLessThanOrEqual(1);
      expectNoOrphan(it);
      it.emulator.faults.clear();
      it.anew();
      const failure = await attempt(() => up(it));
      if (!failure) expect(it.declared()).toHaveLength(1);
      expectNoOrphan(it);
      // If the asynchronous job that the create starts fails, the object can be unusable. The next update may then fail
      // with an error that asks the user to replace the object.
      if (!failure || fault.kind !== "job-fail") {
        expect(failure).toBeUndefined();
        expect(counts(it.created())).toEqual(things);
        await expectNoDifference(it, it.fixture.base);
      }
      await it.managed.destroy();
      expect(it.created()).toEqual({});
    });
  });

  test("recovers after an outage that starts at any call", async () => {
    const { calls, creation, things } = await undisturbed(name);
    const cases = Array.from({ length: Math.min(calls, creation + 5) }, (_, at) => ({
      name: `no response from call ${at + 1} on`,
      nth: at + 1,
    }));
    await tryEach(cases, async ({ nth }) => {
      await using it = await scenario(name);
      it.emulator.faults.add({ kind: "cut-before", nth, times: 1_000_000 });
      await expect(up(it)).rejects.toThrow();
      expectNoOrphan(it);
      it.emulator.faults.clear();
      it.anew();
      await up(it);
      expect(counts(it.created())).toEqual(things);
      await expectNoDifference(it, it.fixture.base);
    });
  });
});

// Excludes resource classes whose create request can be sent twice without harm: if the response is lost, the provider
// retries and does not have to report that the object may exist.
test.each(names.filter((name) => definition(name).identity.lostCreate !== "repeat"))(
  "%s: faults while it is created > reports that the object may exist if its create response is lost and the API is down",
  async (name) => {
    const { creation } = await undisturbed(name);
    await using it = await scenario(name);
    it.emulator.faults.add({ kind: "cut-after", path: it.creation });
    it.emulator.faults.add({ kind: "cut-before", nth: creation + 1, times: 1_000_000 });
    await expect(up(it)).rejects.toThrow("If it exists, delete it before the next update");
    // The lost response of an object in a bucket is that with the URL for its upload.
    if (it.hasRows) expect(it.objects()).toHaveLength(name === "ObjectStorageObject" ? 0 : 1);
    expect(it.managed.state).toBeUndefined();
  },
);

function expectNoOrphan(it: Scenario): void {
  if (it.hasRows) expect(it.declared(), "no orphan").toEqual(it.objects());
}
