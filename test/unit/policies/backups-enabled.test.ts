import { describe, expect, test } from "vitest";
import { backupsEnabled } from "../../../policies/rules/backups-enabled";
import { evaluate, typesOf, unknown } from "./evaluate";

const config = { tags: ["production", "billing"] };
const verdict = (props: Record<string, unknown>) => evaluate(backupsEnabled, "Instance", { props, config });

test.each(typesOf("Instance"))("a violation names resource, property, value and what is allowed: %s", (_, type) => {
  const of = (props: Record<string, unknown>) =>
    evaluate(backupsEnabled, "Instance", { type, props, config }).violations;
  expect(of({ tags: ["web", "billing"], backupsEnabled: false })).toEqual([
    'Instance "web": backupsEnabled is false, but must be true for instances with the tag "billing".',
  ]);
  expect(of({ tags: ["production"] })).toEqual([
    'Instance "web": backupsEnabled is not set, but must be true for instances with the tag "production".',
  ]);
});

test("accepts instances with backups, without the tag or without tags", () => {
  expect(verdict({ tags: ["production"], backupsEnabled: true })).toEqual({ violations: [] });
  expect(verdict({ tags: ["production-2", "web"] })).toEqual({ violations: [] });
  expect(verdict({})).toEqual({ violations: [] });
});

test("the case of a tag does not matter, as in the service", () => {
  const message = (tag: string) =>
    `Instance "web": backupsEnabled is not set, but must be true for instances with the tag "${tag}".`;
  expect(verdict({ tags: ["Production"] })).toEqual({ violations: [message("Production")] });
  expect(evaluate(backupsEnabled, "Instance", { props: { tags: ["billing"] }, config: { tags: ["Billing"] } })).toEqual(
    {
      violations: [message("billing")],
    },
  );
});

describe("an unknown value", () => {
  test("is needed to decide", () => {
    expect(verdict({ tags: unknown })).toEqual({ violations: [], undecided: ".tags" });
    expect(verdict({ tags: ["web", unknown] })).toEqual({ violations: [], undecided: ".tags.1" });
    expect(verdict({ tags: ["production"], backupsEnabled: unknown })).toEqual({
      violations: [],
      undecided: ".backupsEnabled",
    });
  });

  test("is not needed if another value decides", () => {
    expect(verdict({ tags: unknown, backupsEnabled: true })).toEqual({ violations: [] });
    expect(verdict({ tags: ["web"], backupsEnabled: unknown })).toEqual({ violations: [] });
    expect(verdict({ tags: [unknown, "production"] }).violations).toHaveLength(1);
  });
});

test("default tags are undecided if the settings of the provider are unknown, because it has not added them", () => {
  const of = (settings: Record<string, unknown>, tags: string[] = []) =>
    evaluate(backupsEnabled, "Instance", { props: { tags }, config, settings });
  expect(of({ token: unknown, defaultTags: '["production"]' })).toEqual({ violations: [], undecided: ".token" });
  expect(of({ token: "t", defaultTags: unknown })).toEqual({ violations: [], undecided: ".defaultTags" });
  expect(of({ token: unknown, defaultTags: '["web"]' }, ["production"]).violations).toHaveLength(1);
  expect(of({ token: unknown })).toEqual({ violations: [] });
});

test("applies only if tags are configured, and only to instances", () => {
  expect(evaluate(backupsEnabled, "Instance", { props: { tags: ["production"] } })).toEqual({ violations: [] });
  expect(evaluate(backupsEnabled, "Volume", { props: { tags: ["production"] }, config })).toEqual({ violations: [] });
});
