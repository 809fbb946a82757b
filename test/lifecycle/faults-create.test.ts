import { describe, expect, test } from "vitest";
import { expectNoDifference } from "./expectations";
import { attempt, callsOf, faultCases } from "./fault-cases";
import { counts, names, type Scenario, scenario } from "./scenario";

describe.each(names)("%s: what befalls its creation", async (name) => {
  const up = (it: Scenario) => it.managed.up(it.fixture.base);
  await using clean = await scenario(name);
  await up(clean);
  const things = counts(clean.made());

  test.each(faultCases(callsOf(clean)))("%s %s", async (_call, _what, fault) => {
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
    // What a job that failed has left can be past help, which the error says.
    if (!failure || fault.kind !== "job-fail") {
      expect(failure).toBeUndefined();
      expect(counts(it.made())).toEqual(things);
      await expectNoDifference(it, it.fixture.base);
    }
    await it.managed.destroy();
    expect(it.made()).toEqual({});
  });

  const total = clean.emulator.requests.list().length;
  const creation = clean.emulator.requests.list().findIndex(({ operation }) => operation === clean.creation) + 1;

  test.each(Array.from({ length: Math.min(total, creation + 5) }, (_, i) => i + 1))(
    "nothing answers from call %i on",
    async (nth) => {
      await using it = await scenario(name);
      it.emulator.faults.add({ kind: "cut-before", nth, times: 1_000_000 });
      await expect(up(it)).rejects.toThrow();
      await expectRecovery(it);
    },
  );

  // What can be made again without harm needs no warning.
  if (clean.kind.key !== "repeatable")
    test("nothing answers once it is carried out: the error says that it may be there", async () => {
      await using it = await scenario(name);
      it.emulator.faults.add({ kind: "cut-after", path: it.creation });
      it.emulator.faults.add({ kind: "cut-before", nth: creation + 1, times: 1_000_000 });
      await expect(up(it)).rejects.toThrow(`if it is there, delete it before the next update`);
      if (it.hasRows) expect(it.objects()).toHaveLength(1);
      expect(it.managed.state).toBeUndefined();
    });

  async function expectRecovery(it: Scenario): Promise<void> {
    expectNoOrphan(it);
    it.emulator.faults.clear();
    it.anew();
    await up(it);
    expect(counts(it.made())).toEqual(things);
    await expectNoDifference(it, it.fixture.base);
  }
});

/** What was made is what state knows. */
function expectNoOrphan(it: Scenario): void {
  if (it.hasRows) expect(it.stated(), "no orphan").toEqual(it.objects());
}
