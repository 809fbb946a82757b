import { describe, expect, test } from "vitest";
import type { Bag } from "../../provider/engine/resource";
import { UNKNOWN } from "../../provider/engine/unknown";
import { changeIn, editsOf, inputsAround, inputsOf, names, scenario } from "./scenario";

/** What Pulumi sends for a value that a preview can't know: of no type, at any depth. */
describe.each(names)("%s", (name) => {
  test.each(inputsOf(name))("%s can be unknown at a preview, and so can every part of it", async (input) => {
    await using it = await scenario(name);
    const previews: Bag[] = editsOf(it.fixture, input).flatMap((edit) => {
      const { after } = inputsAround(it.fixture, input, edit);
      return withUnknowns(after[input]).map((unknown) => ({ ...after, [input]: unknown }));
    });
    for (const inputs of previews) expect((await it.managed.preview(inputs)).op).toBe("create");
    await it.managed.up(it.fixture.base);
    it.anew();
    for (const inputs of previews) {
      const { op } = await it.managed.preview(inputs);
      const meaning = changeIn(it.kind, input, inputs);
      if (meaning === "replace") expect(op).toBe("replace");
      else if (typeof meaning === "string" && meaning !== "local") expect(op).toBe("update");
    }
    expect(it.said.join("\n")).not.toContain(UNKNOWN);
    expect(it.calls()).toEqual([]);
  });
});

/** The value, unknown as a whole, and with each of its parts unknown in turn. */
function withUnknowns(value: unknown): unknown[] {
  if (value === null || typeof value !== "object") return [UNKNOWN];
  const parts = Object.entries(value).flatMap(([key, part]) =>
    withUnknowns(part).map((unknown) =>
      Array.isArray(value) ? value.with(Number(key), unknown) : { ...value, [key]: unknown },
    ),
  );
  return [UNKNOWN, ...parts];
}
