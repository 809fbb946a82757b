import fc from "fast-check";
import { expect, test } from "vitest";
import type { Bag } from "../../provider/resource";
import { expectNoDifference } from "./expectations";
import { names, stage } from "./stage";
import { writings } from "./writings";
import type { Writing } from "./writings/writing";

const CASES = 1000;

test.each(names)("%s: equal values written differently make no difference", { timeout: 180_000 }, async (name) => {
  await using first = await stage(name);
  const ways = writings[name](first.scene.base).length;
  for (let nth = 0; nth < ways; nth++) {
    await using it = await stage(name);
    const { as, or } = writings[name](it.scene.base)[nth] as Writing;
    const before = { ...it.scene.base, ...as };
    await it.managed.up(before);
    const written = fc.record(or).map((inputs): Bag => ({ ...before, ...inputs }));
    const isSame = async (inputs: Bag) => {
      expect((await it.managed.preview(inputs)).op).toBe("same");
    };
    await fc.assert(fc.asyncProperty(written, isSame), { numRuns: Math.ceil(CASES / ways) });
    // What was written one way is no difference to any other way either, nor to what the API shows.
    const [other] = fc.sample(written, { numRuns: 1, seed: 1 });
    await it.managed.destroy();
    await it.managed.up(other as Bag);
    await expectNoDifference(it, other as Bag);
    await fc.assert(fc.asyncProperty(written, isSame), { numRuns: 50 });
  }
});
