import { expect, test } from "vitest";
import { didYouMean, suggestion } from "../../../api";

const fields = ["label", "root_pass", "size", "tags", "id"];

test.each([
  ["lable", "label"],
  ["Label", "label"],
  ["rootPass", "root_pass"],
  ["siz", "size"],
  ["tag", "tags"],
])("suggests %s for %s", (value, meant) => expect(didYouMean(value, fields)).toBe(`; did you mean "${meant}"?`));

test.each(["ip", "x", "memory", "constructor"])("suggests nothing for %s", (value) =>
  expect(didYouMean(value, fields)).toBe(""),
);

test("finds a name without its prefix, or with another one", () => {
  const images = ["compute/debian11", "compute/ubuntu22.04", "private/15"];
  for (const value of ["debian11", "linode/debian11", "debian-11"])
    expect(didYouMean(value, images)).toBe('; did you mean "compute/debian11"?');
  expect(didYouMean("Ubuntu22.04", images)).toBe('; did you mean "compute/ubuntu22.04"?');
  expect(didYouMean("windows95", images)).toBe("");
});

test("lists all names if none is similar", () => {
  expect(suggestion("lable", fields)).toBe('; did you mean "label"?');
  expect(suggestion("memory", ["label", "size"])).toBe("; expected one of label, size");
  expect(suggestion("memory", [])).toBe("; none are allowed");
});
