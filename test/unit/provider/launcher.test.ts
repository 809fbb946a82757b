import { afterEach, expect, test, vi } from "vitest";
import { omitRepeatedErrors, printedOnce } from "../../../provider/dynamic/launcher";

const original = console.error;

afterEach(() => {
  console.error = original;
});

test("an error that the engine prints is not printed a second time by Pulumi's Node.js process", () => {
  const printed = vi.fn();
  console.error = printed;
  omitRepeatedErrors();
  // As in the file cmd/dynamic-provider/index.js of @pulumi/pulumi.
  const print = (e: Error) => console.error(`${e}: ${e.stack}`);
  const rejected = printedOnce(new TypeError("ignored"), "volumes.create: 400 label: Label must be unique");
  expect(rejected).toMatchObject({ message: "volumes.create: 400 label: Label must be unique", stack: "" });
  print(rejected);
  expect(printed).not.toHaveBeenCalled();
  print(new Error("of another provider"));
  console.error("fatal: Missing <engine> address");
  console.error("two", "values");
  expect(printed.mock.calls).toEqual([
    [expect.stringMatching(/^Error: of another provider: /)],
    ["fatal: Missing <engine> address"],
    ["two", "values"],
  ]);
});
