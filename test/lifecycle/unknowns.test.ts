import { describe, expect, test } from "vitest";
import { UNKNOWN } from "../../provider/engine/values";
import { editsOf, expected, inputsAround, inputsOf, isApplied, names, scenario } from "./scenario";

/**
 * In a preview, Pulumi replaces every unknown input by the same string, whatever the type of the input is. The unknown
 * value can also be nested in an object or a list.
 */
describe.each(names)("%s", (name) => {
  test.each(inputsOf(name))("%s can be unknown in a preview, and so can every part of it", async (input) => {
    await using it = await scenario(name);
    const previews = editsOf(it.fixture, input).flatMap((edit) => {
      const { after } = inputsAround(it.fixture, input, edit);
      const meaning = expected(name, input, edit);
      return withUnknowns(after[input]).map((unknown) => ({ meaning, inputs: { ...after, [input]: unknown } }));
    });
    for (const { inputs } of previews) expect((await it.managed.preview(inputs)).op).toBe("create");
    await it.managed.up(it.fixture.base);
    it.anew();
    for (const { inputs, meaning } of previews) {
      const { op } = await it.managed.preview(inputs);
      if (isApplied(meaning)) expect(op).toBe(meaning === "replace" ? "replace" : "update");
    }
    expect(it.warnings.join("\n")).not.toContain(UNKNOWN);
    expect(it.calls()).toEqual([]);
  });
});

/** Variants of a value in which the whole value or one of its parts is unknown. */
function withUnknowns(value: unknown): unknown[] {
  if (value === null || typeof value !== "object") return [UNKNOWN];
  const parts = Object.entries(value).flatMap(([key, part]) =>
    withUnknowns(part).map((unknown) =>
      Array.isArray(value) ? value.with(Number(key), unknown) : { ...value, [key]: unknown },
    ),
  );
  return [UNKNOWN, ...parts];
}
