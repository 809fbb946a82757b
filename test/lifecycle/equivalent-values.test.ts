import fc from "fast-check";
import { expect, test } from "vitest";
import type { Bag } from "../../provider/engine/values";
import { isNightly } from "../nightly";
import { expectNoDifference } from "./expectations";
import { kindTests } from "./kinds";
import { fileOf, names, scenario } from "./scenario";

/** Random programs for each kind. Fewer of them still mix the values of all inputs; `make nightly` tries out more. */
const CASES = isNightly ? 1000 : 300;

test.each(names)("%s: equivalent values are not differences", { timeout: 180_000 }, async (name) => {
  await using first = await scenario(name);
  const ways = kindTests[name].equivalentValues(first.fixture.base).length;
  for (let nth = 0; nth < ways; nth++) {
    await using it = await scenario(name);
    const [way] = kindTests[name].equivalentValues(it.fixture.base).slice(nth);
    const before = { ...it.fixture.base, ...way?.inputs };
    await it.managed.up(before);
    const written = fc.record(way?.equivalent ?? {}).map((inputs): Bag => ({ ...before, ...inputs }));
    const isSame = async (inputs: Bag) => {
      const { op } = await it.managed.preview(inputs);
      expect(op, `a preview of values that \`equivalentValues\` in ${fileOf(name)} lists as equal`).toBe("same");
    };
    await fc.assert(fc.asyncProperty(written, isSame), { numRuns: Math.ceil(CASES / ways) });
    // Equivalent values cause no diff between each other, and none with the value that the API returns.
    const [other] = fc.sample(written, { numRuns: 1, seed: 1 });
    await it.managed.destroy();
    await it.managed.up(other as Bag);
    await expectNoDifference(it, other as Bag);
    await fc.assert(fc.asyncProperty(written, isSame), { numRuns: isNightly ? 50 : 20 });
  }
});
