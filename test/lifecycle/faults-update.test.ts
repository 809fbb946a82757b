import { describe, expect, test } from "vitest";
import { isShown } from "../../provider/engine/observe";
import { expectNoDifference, expectShown } from "./expectations";
import { attempt, callsOf, faultCases, stepsOf } from "./fault-cases";
import { counts, definition, keyOf, names, scenario } from "./scenario";

/** What is compared with a change that nothing befell: where the machine ends up, not when. */
const ends = ["status", "type", "size"];

describe.each(names.filter((name) => Object.keys(definition(name).steps).length))(
  "%s: what befalls its changes",
  async (name) => {
    const cases = [];
    await using first = await scenario(name);
    for (const [nth, { step, before, after }] of stepsOf(first).entries()) {
      await using it = await scenario(name);
      await it.managed.up(before);
      it.anew();
      await it.managed.up(after);
      const end = { things: counts(it.made()), outs: ends.map((key) => it.managed.outs[key]) };
      // Reading for a change is the same as for a creation, whose tests break it.
      const calls = callsOf(it).filter(({ method }) => method !== "GET");
      cases.push(...faultCases(calls).map(([call, what, fault]) => ({ step, nth, call, what, fault, end })));
    }

    test.for(cases)("step $step, way $nth: $call $what", async ({ nth, fault, end }) => {
      await using it = await scenario(name);
      const { before, after, input, edit } = stepsOf(it)[nth] as ReturnType<typeof stepsOf>[number];
      await it.managed.up(before);
      it.anew();
      it.emulator.faults.add(fault);
      await attempt(() => it.managed.up(after));
      it.emulator.faults.clear();
      it.anew();
      const failure = await attempt(() => it.managed.up(after));
      // What a job that failed has left can be past help, which the error says.
      if (!failure || fault.kind !== "job-fail") {
        expect(failure).toBeUndefined();
        // What the API never shows can't be seen to have failed.
        const hidden = fault.kind === "job-fail" && !isShown(it.kind, keyOf(it, input));
        if (!hidden) await expectShown(it, keyOf(it, input), edit);
        await expectNoDifference(it, after);
        expect(counts(it.made())).toEqual(end.things);
        expect(ends.map((key) => it.managed.outs[key])).toEqual(end.outs);
      }
      await it.managed.destroy();
      expect(it.made()).toEqual({});
    });
  },
);
