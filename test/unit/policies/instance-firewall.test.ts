import { describe, expect, test } from "vitest";
import { instanceFirewall } from "../../../policies/rules/instance-firewall";
import { evaluateStack, type StackMember, unknown } from "./evaluate";

const instance = (name: string, props = {}): StackMember => ({ kind: "Instance", name, props });
const firewall = (computes: unknown, names: string[], props: object = {}, uses: object = {}): StackMember => ({
  kind: "Firewall",
  name: "wall",
  props: { devices: { computes }, ...props },
  uses: { devices: names, ...uses },
});
const verdict = (members: StackMember[], config?: object) => evaluateStack(instanceFirewall, members, config);
const without = (name: string) =>
  `Instance "${name}": no enabled firewall of this stack has it in devices.computes, and no FirewallDevice assigns one to it. Assignments are recognized if they use the id of the resource, not a number.`;

test("an instance without a firewall is a violation", () => {
  expect(verdict([instance("a"), instance("b"), firewall(["1"], ["a"])])).toEqual({ violations: [without("b")] });
  expect(verdict([instance("a"), { kind: "Firewall", name: "wall" }])).toEqual({ violations: [without("a")] });
  expect(verdict([instance("a"), firewall([], [])])).toEqual({ violations: [without("a")] });
});

describe("an instance has a firewall", () => {
  test("in whose devices it is, with known and with unknown ids", () => {
    expect(verdict([instance("a"), instance("b"), firewall([1, 2], ["a", "b"])])).toEqual({ violations: [] });
    expect(verdict([instance("a"), instance("b"), firewall([unknown, unknown], ["a", "b"])])).toEqual({
      violations: [],
    });
  });

  test("that a FirewallDevice assigns to it", () => {
    const device = (firewallProps: object): StackMember[] => [
      instance("a"),
      { kind: "Firewall", name: "wall", props: { ...firewallProps } },
      {
        kind: "FirewallDevice",
        name: "device",
        props: { firewallId: unknown, entityId: unknown },
        uses: { firewallId: ["wall"], entityId: ["a"] },
      },
    ];
    expect(verdict(device({}))).toEqual({ violations: [] });
    expect(verdict(device({ status: "disabled" }))).toEqual({ violations: [without("a")] });
  });

  test("that another stack manages", () =>
    expect(
      verdict([
        instance("a"),
        { kind: "FirewallDevice", name: "device", props: { firewallId: 7, entityId: 1 }, uses: { entityId: ["a"] } },
      ]),
    ).toEqual({ violations: [] }));
});

test("a firewall that is disabled does not count, and a second one that is enabled does", () => {
  const disabled = firewall([1], ["a"], { status: "disabled" });
  expect(verdict([instance("a"), disabled])).toEqual({ violations: [without("a")] });
  expect(verdict([instance("a"), disabled, firewall([1], ["a"], { status: "enabled" })])).toEqual({ violations: [] });
});

test("a list that selects some of the instances does not count", () =>
  expect(verdict([instance("a"), instance("b"), firewall([1], ["a", "b"])])).toEqual({
    violations: [without("a"), without("b")],
  }));

describe("an unknown value", () => {
  test("of the list leaves only the instances on which it depends undecided", () => {
    expect(verdict([instance("a"), firewall(unknown, ["a"])])).toEqual({
      violations: [],
      undecided: ".devices.computes",
    });
    expect(verdict([instance("a"), instance("b"), firewall(unknown, ["a"])])).toEqual({
      violations: [without("b")],
      undecided: ".devices.computes",
    });
  });

  test("of the status is that of a new firewall, unless it depends on another resource", () => {
    expect(verdict([instance("a"), firewall([1], ["a"], { status: unknown })])).toEqual({ violations: [] });
    expect(verdict([instance("a"), firewall([1], ["a"], { status: unknown }, { status: ["a"] })])).toEqual({
      violations: [],
      undecided: ".status",
    });
  });

  test("of a tag leaves an exception undecided", () =>
    expect(verdict([instance("a", { tags: [unknown] })], { exceptTags: ["bastion"] })).toEqual({
      violations: [],
      undecided: ".tags.0",
    }));

  test("of all tags means that the program sets none, unless they depend on another resource", () => {
    const untagged = instance("a", { tags: unknown });
    expect(verdict([untagged])).toEqual({ violations: [without("a")] });
    expect(verdict([untagged], { exceptTags: ["lab"] })).toEqual({ violations: [without("a")] });
    const volume = { kind: "Volume", name: "data" };
    expect(verdict([volume, { ...untagged, uses: { tags: ["data"] } }], { exceptTags: ["lab"] })).toEqual({
      violations: [],
      undecided: ".tags",
    });
  });
});

describe("settings of the provider that a preview does not know, for which Pulumi returns no outputs,", () => {
  const settings = { url: "http://127.0.0.1:4108/v4", token: unknown };
  const [a, wall] = [
    { kind: "Instance", name: "a", settings },
    { kind: "Firewall", name: "wall", settings, uses: { devices: ["a"] } },
  ];

  test("leave an instance undecided to which a firewall is assigned", () => {
    expect(verdict([a, wall])).toEqual({ violations: [], undecided: ".token" });
    const device = { kind: "FirewallDevice", name: "device", settings };
    expect(verdict([a, { ...wall, uses: {} }, { ...device, uses: { firewallId: ["wall"], entityId: ["a"] } }])).toEqual(
      { violations: [], undecided: ".token" },
    );
  });

  test("leave an exception by tag undecided", () =>
    expect(verdict([a], { exceptTags: ["lab"] })).toEqual({ violations: [], undecided: ".token" }));

  test("do not matter for an instance that no firewall mentions", () =>
    expect(verdict([a, { ...wall, uses: {} }])).toEqual({ violations: [without("a")] }));

  test("do not matter if another firewall is enabled, or no resource with these settings is involved", () => {
    expect(verdict([a, wall, firewall([1], ["a"])])).toEqual({ violations: [] });
    expect(verdict([instance("b"), firewall([], []), wall])).toEqual({ violations: [without("b")] });
  });
});

test("instances with a configured tag need no firewall, in any case of the tag", () =>
  expect(
    verdict([instance("a", { tags: ["lab"] }), instance("b"), instance("c", { tags: ["Lab"] })], {
      exceptTags: ["lab"],
    }),
  ).toEqual({ violations: [without("b")] }));
