import { expect, test } from "vitest";
import { didYouMean, suggestion } from "../../../api";

const fields = ["label", "root_pass", "size", "tags", "id"];

test.each([
  ["lable", "label"],
  ["Label", "label"],
  ["rootPass", "root_pass"],
  ["siz", "size"],
  ["tag", "tags"],
])("%s is meant to be %s", (given, meant) => expect(didYouMean(given, fields)).toBe(`; did you mean "${meant}"?`));

test.each(["ip", "x", "memory", "constructor"])("%s is like none of the names", (given) =>
  expect(didYouMean(given, fields)).toBe(""),
);

test("a name is found without its prefix, or under another one", () => {
  const images = ["compute/debian11", "compute/ubuntu22.04", "private/15"];
  expect(didYouMean("debian11", images)).toBe('; did you mean "compute/debian11"?');
  expect(didYouMean("linode/debian11", images)).toBe('; did you mean "compute/debian11"?');
});

test("names everything there is if nothing is like the given name", () => {
  expect(suggestion("lable", fields)).toBe('; did you mean "label"?');
  expect(suggestion("memory", ["label", "size"])).toBe("; known are label, size");
  expect(suggestion("memory", [])).toBe("; it takes none");
});
