import { describe, expect, test } from "vitest";
import { requiredTags } from "../../../policies/rules/required-tags";
import { argsOf, type Declared, evaluate, typesOf, unknown } from "./evaluate";

const config = { tags: ["team-shop", "cost-42"] };

test.each(typesOf("Volume"))("a violation names resource, property, value and what is allowed: %s", (_, type) => {
  const of = (props: Record<string, unknown>) => evaluate(requiredTags, "Volume", { type, props, config }).violations;
  expect(of({ tags: ["web", "cost-42"] })).toEqual([
    'Volume "web": tags are "web", "cost-42", but must include "team-shop".',
  ]);
  expect(of({})).toEqual(['Volume "web": tags are not set, but must include "team-shop", "cost-42".']);
  expect(of({ tags: ["cost-42", "web", "team-shop"] })).toEqual([]);
});

test("applies only to the configured kinds, and only if tags are configured", () => {
  expect(
    evaluate(requiredTags, "Volume", { props: {}, config: { ...config, kinds: ["Instance"] } }).violations,
  ).toEqual([]);
  expect(evaluate(requiredTags, "Volume", { props: {} }).violations).toEqual([]);
  expect(evaluate(requiredTags, "ObjectStorageBucket", { props: {}, config }).violations).toEqual([]);
});

test("the case of a tag does not matter, as in the service", () => {
  const of = (tags: string[]) => evaluate(requiredTags, "Volume", { props: { tags }, config }).violations;
  expect(of(["Team-Shop", "COST-42"])).toEqual([]);
  expect(of(["Team-Shop"])).toEqual(['Volume "web": tags are "Team-Shop", but must include "cost-42".']);
});

describe("an unknown tag", () => {
  const verdict = (tags: unknown) => evaluate(requiredTags, "Volume", { props: { tags }, config });
  test("is needed if a required one is missing", () => {
    expect(verdict(unknown)).toEqual({ violations: [], undecided: ".tags" });
    expect(verdict(["cost-42", unknown])).toEqual({ violations: [], undecided: ".tags.1" });
  });
  test("is not needed if all required ones are there", () =>
    expect(verdict(["cost-42", unknown, "team-shop"])).toEqual({ violations: [] }));
});

describe("the provider's default tags", () => {
  const declared = (settings: Record<string, unknown>, tags = ["web"]) => ({ props: { tags }, config, settings });
  const verdict = (settings: Record<string, unknown>, tags?: string[]) =>
    evaluate(requiredTags, "Volume", declared(settings, tags));
  const partly = { token: unknown, defaultTags: '["team-shop", "cost-42"]' };

  test("are undecided if its settings are unknown, because it has not added them", () => {
    expect(verdict(partly)).toEqual({ violations: [], undecided: ".token" });
    expect(verdict({ token: "t", defaultTags: unknown })).toEqual({ violations: [], undecided: ".defaultTags" });
    expect(verdict({ token: "t", defaultTags: ["team-shop", unknown] })).toEqual({
      violations: [],
      undecided: ".defaultTags.1",
    });
    expect(() => requiredTags.remediateResource(argsOf("Volume", declared(partly)))).toThrow(
      "can't be known during preview",
    );
  });

  test("do not matter if the resource has the tags, or there are no default tags", () => {
    expect(verdict(partly, ["team-shop", "cost-42"])).toEqual({ violations: [] });
    expect(verdict({ token: unknown }).violations).toHaveLength(1);
  });

  test("are part of the tags if the settings are known", () =>
    expect(verdict({ token: "t", defaultTags: '["web"]' }).violations).toHaveLength(1));
});

describe("the remediation", () => {
  test("an LkeNodePool is reported, not changed, because a new tag would replace its nodes", () => {
    expect(
      requiredTags.remediateResource(argsOf("LkeNodePool", { props: { type: "g6-standard-1" }, config })),
    ).toBeUndefined();
  });

  const remediated = (declared: Declared) => requiredTags.remediateResource(argsOf("Volume", declared));

  test("adds the missing tags after the declared ones, and keeps the other inputs", () => {
    expect(remediated({ props: { size: 20, tags: ["web", "cost-42"] }, config })).toEqual({
      size: 20,
      tags: ["web", "cost-42", "team-shop"],
    });
    expect(remediated({ props: { size: 20 }, config })).toEqual({ size: 20, tags: ["team-shop", "cost-42"] });
  });

  test("changes nothing if no tag is missing", () => {
    expect(remediated({ props: { tags: ["team-shop", "cost-42"] }, config })).toBeUndefined();
    expect(remediated({ props: { tags: ["Team-Shop", "Cost-42"] }, config })).toBeUndefined();
  });

  test("does not add a tag that the resource has in another case", () =>
    expect(remediated({ props: { tags: ["Team-Shop"] }, config })).toEqual({ tags: ["Team-Shop", "cost-42"] }));

  test("does not read other inputs, which can be unknown", () =>
    expect(() => remediated({ props: { label: unknown }, config })).not.toThrow());

  test("does not guess unknown tags", () =>
    expect(() => remediated({ props: { tags: [unknown] }, config })).toThrow("can't be known during preview"));
});
