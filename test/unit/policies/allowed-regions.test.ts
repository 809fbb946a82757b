import { describe, expect, test } from "vitest";
import { allowedRegions } from "../../../policies/rules/allowed-regions";
import { evaluate, typesOf, unknown } from "./evaluate";

const config = { regions: ["eu-central", "us-east"] };

test.each(typesOf("Instance"))("a violation names resource, property, value and what is allowed: %s", (_, type) => {
  const of = (region: unknown) => evaluate(allowedRegions, "Instance", { type, props: { region }, config }).violations;
  expect(of("ap-south")).toEqual([
    'Instance "web": region is "ap-south". Allowed regions are "eu-central", "us-east".',
  ]);
  expect(of("us-east")).toEqual([]);
});

describe("a bucket", () => {
  const verdict = (cluster: unknown, more: object = {}) =>
    evaluate(allowedRegions, "ObjectStorageBucket", { props: { cluster }, config: { ...config, ...more } });

  test("can be in a cluster of an allowed region", () => {
    expect(verdict("us-east-1")).toEqual({ violations: [] });
    expect(verdict("us-east-2-1").violations).toHaveLength(1);
  });

  test("cannot be in another cluster", () =>
    expect(verdict("ap-south-1").violations).toEqual([
      'ObjectStorageBucket "web": cluster is "ap-south-1". Allowed are clusters of the regions "eu-central", "us-east".',
    ]));

  test("can be in a cluster that is allowed by its name", () => {
    expect(verdict("ap-south-1", { clusters: ["ap-south-1"] })).toEqual({ violations: [] });
    expect(verdict("us-west-1", { clusters: ["ap-south-1"] }).violations).toEqual([
      'ObjectStorageBucket "web": cluster is "us-west-1". Allowed are clusters of the regions "eu-central", "us-east", and "ap-south-1".',
    ]);
  });

  test("in an unknown cluster is undecided", () =>
    expect(verdict(unknown)).toEqual({ violations: [], undecided: ".cluster" }));
});

test("an unknown region is undecided, and a missing one is accepted", () => {
  expect(evaluate(allowedRegions, "Volume", { props: { region: unknown }, config })).toEqual({
    violations: [],
    undecided: ".region",
  });
  expect(evaluate(allowedRegions, "Volume", { props: {}, config })).toEqual({ violations: [] });
  expect(evaluate(allowedRegions, "ManagedService", { props: { region: null }, config })).toEqual({ violations: [] });
});

test("applies only if regions are configured", () =>
  expect(evaluate(allowedRegions, "Volume", { props: { region: "ap-south" } })).toEqual({ violations: [] }));
