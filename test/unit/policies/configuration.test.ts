import { Ajv } from "ajv";
import { describe, expect, test } from "vitest";
import { configurationOf } from "../../../policies/configuration";
import { policies } from "../../../policies/policies";
import { requiredTags } from "../../../policies/rules/required-tags";

const configured = (config: object) => ({ getConfig: <T extends object>() => config as T });

test("properties without a value have their default", () =>
  expect(configurationOf(requiredTags, configured({ tags: ["team"] }))).toMatchObject({
    tags: ["team"],
    kinds: expect.arrayContaining(["Volume"]),
  }));

test("an unknown property is an error that names the known ones, without a stack trace", () => {
  const read = () => configurationOf(requiredTags, configured({ tag: ["team"] }));
  const message =
    'policy "required-tags" has no configuration property "tag". Its properties are: enforcementLevel, tags, kinds';
  expect(read).toThrow(message);
  expect(read).toThrow(expect.objectContaining({ stack: message }));
});

// Pulumi validates the configuration with JSON Schema before it calls a policy.
describe("the schema", () => {
  const isValid = (name: string, config: object): boolean => {
    const { properties } = policies.find((policy) => policy.name === name)?.configSchema ?? {};
    return new Ajv({ strict: false }).validate({ type: "object", properties }, config);
  };

  test.each([
    ["no-public-ssh", { ports: [22, 3389], minPrefixIpv4: 16, minPrefixIpv6: 48 }],
    ["no-public-objects", { allowedAcls: ["public-read"] }],
    ["instance-firewall", { exceptTags: ["lab"] }],
    ["backups-enabled", { tags: ["production"] }],
    ["required-tags", { tags: ["team-shop"], kinds: ["Volume"] }],
    ["allowed-regions", { regions: ["us-east"], clusters: ["eu-central-1"] }],
    ["protected-kinds", { kinds: ["Volume"] }],
  ])("of %s accepts %j", (name, config) => expect(isValid(name, config)).toBe(true));

  test.each([
    ["no-public-ssh", { ports: [0] }],
    ["no-public-ssh", { ports: [65536] }],
    ["no-public-ssh", { ports: ["22"] }],
    ["no-public-ssh", { ports: [] }],
    ["no-public-ssh", { minPrefixIpv4: 0 }],
    ["no-public-ssh", { minPrefixIpv6: 129 }],
    ["no-public-objects", { allowedAcls: ["public"] }],
    ["instance-firewall", { exceptTags: "lab" }],
    ["backups-enabled", { tags: [""] }],
    ["required-tags", { tags: ["ab"] }],
    ["required-tags", { tags: ["x".repeat(51)] }],
    ["required-tags", { tags: ["team", "team"] }],
    ["required-tags", { kinds: ["Tag"] }],
    ["allowed-regions", { regions: [1] }],
    ["protected-kinds", { kinds: ["Volumes"] }],
  ])("of %s rejects %j", (name, config) => expect(isValid(name, config)).toBe(false));
});
