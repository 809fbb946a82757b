import { expect, test } from "vitest";
import type { Bag } from "../../../provider/engine/values";
import { refusals } from "./refusals";

test("Tag", async () => {
  const tag = (inputs: Bag) => refusals("Tag", { label: "prod", ...inputs });
  expect(await tag({})).toBe("");
  expect(await tag({ label: undefined })).toMatchInlineSnapshot(`"label: is required"`);
  expect(await tag({ label: "ab" })).toMatchInlineSnapshot(`"label: must be at least 3 characters long (given "ab")"`);
  expect(await tag({ label: "a".repeat(51) })).toMatchInlineSnapshot(
    `"label: must be at most 50 characters long (given "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa")"`,
  );
  expect(await tag({ computes: 7 })).toMatchInlineSnapshot(`"computes: must be a list (given 7)"`);
  expect(await tag({ volumes: ["data"] })).toMatchInlineSnapshot(`"volumes[0]: must be a number (given "data")"`);
  expect(await tag({ firewalls: [7] })).toMatchInlineSnapshot(`"["firewalls"]: is not a known field"`);
});
