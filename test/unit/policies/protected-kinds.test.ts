import { expect, test } from "vitest";
import { protectedKinds } from "../../../policies/rules/protected-kinds";
import { evaluate, typesOf, unknown } from "./evaluate";

const config = { kinds: ["Volume", "Domain"] };

test.each(typesOf("Volume"))("a violation names resource, option, value and what is allowed: %s", (_, type) => {
  const of = (protect: boolean) => evaluate(protectedKinds, "Volume", { type, props: {}, protect, config }).violations;
  expect(of(false)).toEqual([
    'Volume "web": the resource option protect is false, but must be true for the kinds Volume, Domain. Pulumi then rejects a deletion or replacement.',
  ]);
  expect(of(true)).toEqual([]);
});

test("applies only to the configured kinds", () => {
  expect(evaluate(protectedKinds, "Instance", { props: {}, config })).toEqual({ violations: [] });
  expect(evaluate(protectedKinds, "Volume", { props: {} })).toEqual({ violations: [] });
});

test("unknown inputs do not matter", () =>
  expect(evaluate(protectedKinds, "Volume", { props: { label: unknown }, config }).violations).toHaveLength(1));
