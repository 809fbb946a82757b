import { expect, test } from "vitest";
import { camel, fieldsOf } from "../../../api";
import { acls, kinds as facts } from "../../../policies/kinds";
import { policies } from "../../../policies/policies";
import { kindOf } from "../../../policies/resource";
import { allowedRegions } from "../../../policies/rules/allowed-regions";
import { noPublicObjects } from "../../../policies/rules/no-public-objects";
import { replacedByTags, requiredTags } from "../../../policies/rules/required-tags";
import type { Kind } from "../../../provider/engine/definition";
import { isReplacedBy } from "../../../provider/engine/diff";
import { formerNames, kindIn } from "../../../provider/pulumi/handle";
import { kinds } from "../../../provider/resources";
import { evaluate, typesOf } from "./evaluate";

const inputsOf = (kind: keyof typeof kinds): string[] => Object.keys(fieldsOf(kinds[kind].inputs)).map(camel);
const names = Object.keys(kinds) as (keyof typeof kinds)[];

test("the pack knows every kind, each with its inputs and its types", () => {
  expect(Object.keys(facts)).toEqual(expect.arrayContaining(names));
  expect(Object.keys(facts)).toHaveLength(names.length);
  for (const kind of names) {
    expect(inputsOf(kind), kind).toEqual(expect.arrayContaining([...facts[kind].inputs]));
    for (const type of facts[kind].types) expect(kindIn(type)).toBe(kind);
    for (const [, type] of typesOf(kind)) expect(kindOf(type)).toBe(kind);
  }
});

test("resources that were declared under a former name of their kind are recognized", () => {
  for (const [kind, former] of Object.entries(formerNames))
    for (const [, type] of typesOf(former)) expect(kindOf(type)).toBe(kind);
  expect(kindOf("kubernetes:core/v1:Pod")).toBeUndefined();
});

test("no kind but Firewall has firewall rules, which no-public-ssh reads", () => {
  const filtering = names.filter((kind) =>
    inputsOf(kind).some((input) => /^(rules|inbound|inboundPolicy)$/.test(input)),
  );
  expect(filtering, "let no-public-ssh read the new one too").toEqual(["Firewall"]);
});

test("the policies know every access level of buckets and objects", () => {
  expect([...acls].sort()).toEqual(["authenticated-read", "custom", "private", "public-read", "public-read-write"]);
});

test.each(names)("the policies check %s if its definition has the input", (kind) => {
  const inputs = inputsOf(kind);
  const isChecked = (verdict: ReturnType<typeof evaluate>) => verdict.violations.length > 0;
  expect(isChecked(evaluate(requiredTags, kind, { props: {}, config: { tags: ["team"] } }))).toBe(
    inputs.includes("tags"),
  );
  const elsewhere = { region: "ap-south", cluster: "ap-south-1" };
  expect(isChecked(evaluate(allowedRegions, kind, { props: elsewhere, config: { regions: ["us-east"] } }))).toBe(
    inputs.includes("region") || inputs.includes("cluster"),
  );
  expect(isChecked(evaluate(noPublicObjects, kind, { props: { acl: "public-read" } }))).toBe(inputs.includes("acl"));
});

test("required-tags knows the kinds that a new tag replaces", () => {
  const isReplaced = (kind: Kind): boolean => "tags" in kind.fields && isReplacedBy(kind, "tags", {});
  expect(names.filter((name) => isReplaced(kinds[name]))).toEqual(replacedByTags);
});

test("each policy has a level, a severity, a schema with descriptions, and says how to remediate a violation", () => {
  for (const { name, enforcementLevel, severity, configSchema, remediationSteps } of policies) {
    expect(enforcementLevel, name).toBe("mandatory");
    expect(severity, name).toMatch(/^(medium|high|critical)$/);
    expect(remediationSteps, name).toMatch(/\.$/);
    for (const property of Object.values(configSchema.properties)) {
      expect(property.description, name).toMatch(/\.$/);
      expect(property.default, name).toBeDefined();
    }
  }
});
