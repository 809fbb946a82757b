import { describe, expect, test } from "vitest";
import { expectNoDifference } from "./expectations";
import { attempt, callsOf, faultCases, tryEach } from "./fault-cases";
import { counts, definition, names, type Scenario, scenario } from "./scenario";

const up = (it: Scenario) => it.managed.up(it.fixture.base);

/** Creates an object without faults. */
async function undisturbed(name: (typeof names)[number]) {
  await using it = await scenario(name);
  await up(it);
  const operations = it.emulator.requests.list().map(({ operation }) => operation);
  return {
    cases: faultCases(callsOf(it)),
    things: counts(it.made()),
    calls: operations.length,
    /** Number of the call, among those of its operation, that creates the object. */
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
      if (!failure) expect(it.stated()).toHaveLength(1);
      expectNoOrphan(it);
      // A failed job can leave an object that cannot be used. The error then explains that the object must be replaced.
      if (!failure || fault.kind !== "job-fail") {
        expect(failure).toBeUndefined();
        expect(counts(it.made())).toEqual(things);
        await expectNoDifference(it, it.fixture.base);
      }
      await it.managed.destroy();
      expect(it.made()).toEqual({});
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
      expect(counts(it.made())).toEqual(things);
      await expectNoDifference(it, it.fixture.base);
    });
  });
});

// Creates that can safely be repeated cause no warning.
test.each(names.filter((name) => definition(name).identity.lostCreate !== "repeat"))(
  "%s: faults while it is created > reports that the object may exist if its create response is lost and the API is down",
  async (name) => {
    const { creation } = await undisturbed(name);
    await using it = await scenario(name);
    it.emulator.faults.add({ kind: "cut-after", path: it.creation });
    it.emulator.faults.add({ kind: "cut-before", nth: creation + 1, times: 1_000_000 });
    await expect(up(it)).rejects.toThrow("If it exists, delete it before the next update");
    if (it.hasRows) expect(it.objects()).toHaveLength(1);
    expect(it.managed.state).toBeUndefined();
  },
);

/** Expects that every created object is in state. */
function expectNoOrphan(it: Scenario): void {
  if (it.hasRows) expect(it.stated(), "no orphan").toEqual(it.objects());
}
