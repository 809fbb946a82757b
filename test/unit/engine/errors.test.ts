import { expect, test } from "vitest";
import { z } from "zod";
import { describedChange, failureOf } from "../../../provider/engine/problems";

const inputs = z.strictObject({
  root_pass: z.string().meta({ secret: true }),
  rules: z.array(z.strictObject({ open_ports: z.string() })),
});

test("a failure contains the path of the property, what is allowed and the given value", () => {
  const value = { rules: [{ open_ports: "all" }] };
  expect(failureOf(inputs, value, { path: ["rules", 0, "open_ports"], reason: "must be numbers" })).toEqual({
    path: ["rules", 0, "openPorts"],
    reason: "must be numbers",
    value: '"all"',
  });
});

test("a failure suggests the most similar name, and shows no secret", () => {
  const unknown = failureOf(inputs, { rootpass: "s3cret" }, { path: ["rootpass"], reason: "is not a known field" });
  expect(unknown.reason).toBe('is not a known field; did you mean "rootPass"?');
  const weak = failureOf(inputs, { root_pass: "s3cret" }, { path: ["root_pass"], reason: "is too weak" });
  expect(weak).toMatchObject({ reason: "is too weak", value: "[secret]" });
});

test("a difference has the names that programs use, and no secrets", () => {
  const before = { path: "/rules/0/open_ports", change: "replace", before: "80", after: "443" } as const;
  expect(describedChange(inputs, before)).toEqual({
    path: "/rules/0/openPorts",
    change: "replace",
    before: '"80"',
    after: '"443"',
  });
  expect(describedChange(inputs, { path: "/root_pass", change: "add", before: undefined, after: "x" })).toEqual({
    path: "/rootPass",
    change: "add",
    after: "[secret]",
  });
});
