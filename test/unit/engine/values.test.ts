import fc from "fast-check";
import { expect, test } from "vitest";
import { z } from "zod";
import { FirewallRule, Interface } from "../../../api";
import {
  canonical,
  differences,
  differencesAt,
  isEqual,
  matchesDeclared,
  onlyDeclared,
} from "../../../provider/engine/comparison";
import { roundInputs } from "../../../provider/engine/round";
import {
  atPaths,
  declaredPaths,
  normalise,
  UNKNOWN,
  unknownAt,
  withoutVolatile,
} from "../../../provider/engine/values";
import { widget, widgetDefinition } from "./widgets";

const sorted = z.array(z.string()).meta({ canonical: (items) => [...(items as string[])].sort() });
const { fields } = widgetDefinition;

test("a firewall rule has no addresses of a family that is absent, null or empty", () => {
  const rule = (addresses?: object | null) => ({ action: "DROP", protocol: "ICMP", addresses });
  const both = rule({ ipv4: ["192.0.2.0/24"], ipv6: ["::/0"] });
  const [one, none] = [rule({ ipv4: ["192.0.2.0/24"] }), rule({})];
  expect(matchesDeclared(FirewallRule, both, one)).toBe(false);
  for (const ipv6 of [[], null, undefined])
    expect(matchesDeclared(FirewallRule, rule({ ipv4: ["192.0.2.0/24"], ipv6 }), one)).toBe(true);
  for (const addresses of [null, undefined]) expect(matchesDeclared(FirewallRule, rule(addresses), none)).toBe(true);
  expect(matchesDeclared(FirewallRule, one, none)).toBe(false);
  expect(onlyDeclared(FirewallRule, { ...both, label: "any" }, one)).toEqual(both);
});

test("a field that only the canonical form declares counts if its value differs", () => {
  const own = { purpose: "public", label: "", ipam_address: "" };
  expect(onlyDeclared(Interface, own, { purpose: "public" })).toEqual({ purpose: "public" });
  const ofNulls = { purpose: "public", label: null, ipam_address: null };
  expect(onlyDeclared(Interface, ofNulls, { purpose: "public" })).toEqual({ purpose: "public" });
  const vlan = { purpose: "vlan", label: "web", ipam_address: "10.0.0.1/24" };
  expect(onlyDeclared(Interface, vlan, { purpose: "vlan", label: "web" })).toEqual(vlan);
  const declared = { addresses: { ipv4: ["192.0.2.0/24"] } };
  for (const ipv6 of [[], null])
    expect(onlyDeclared(FirewallRule, { addresses: { ipv4: ["192.0.2.0/24"], ipv6 } }, declared)).toEqual(declared);
});

test("differences are JSON pointers, each with the current and the declared value", () => {
  const before = { a: 1, b: [{ c: "x" }], d: "gone" };
  expect(differencesAt("rules", before, { a: 2, b: [{ c: "x" }, { c: "y" }] })).toEqual([
    { path: "/rules/d", change: "remove", before: "gone", after: undefined },
    { path: "/rules/b/1", change: "add", before: undefined, after: { c: "y" } },
    { path: "/rules/a", change: "replace", before: 1, after: 2 },
  ]);
  expect(differencesAt("a", undefined, 5)).toEqual([{ path: "/a", change: "add", before: undefined, after: 5 }]);
  expect(differencesAt("a", 5, null)).toEqual([{ path: "/a", change: "remove", before: 5, after: undefined }]);
});

test("null and undefined are equal", () => {
  expect(isEqual(null, undefined)).toBe(true);
  expect(isEqual({ a: 1 }, { a: 1 })).toBe(true);
  expect(isEqual({ a: 1 }, { a: 2 })).toBe(false);
});

test("canonical forms are those of the contract, at any depth", () => {
  expect(canonical(z.object({ names: sorted }), { names: ["b", "a"] })).toEqual({ names: ["a", "b"] });
  expect(canonical(sorted, UNKNOWN)).toBe(UNKNOWN);
});

test("a value covers a declared one if it has all declared fields", () => {
  const schema = z.object({ cpu: z.int(), disk: z.int(), names: sorted.optional() });
  expect(matchesDeclared(schema, { cpu: 1, disk: 2 }, { cpu: 1 })).toBe(true);
  expect(matchesDeclared(schema, { cpu: 1, disk: 2 }, { cpu: 2 })).toBe(false);
  expect(matchesDeclared(schema, { names: ["b", "a"] }, { names: ["a", "b"] })).toBe(true);
  expect(matchesDeclared(z.array(schema), [{ cpu: 1, disk: 2 }], [{ cpu: 1 }])).toBe(true);
  expect(matchesDeclared(z.array(schema), [{ cpu: 1 }], [{ cpu: 1 }, { cpu: 2 }])).toBe(false);
  expect(matchesDeclared(z.record(z.string(), schema), { a: { cpu: 1 }, b: { cpu: 2 } }, { a: { cpu: 1 } })).toBe(
    false,
  );
});

test("user data, which has no schema, equals itself and nothing else", () => {
  const [list, map] = [z.array(z.unknown()), z.record(z.string(), z.unknown())];
  expect(onlyDeclared(list, [["a", "b"], [["c"]]], [["a"], [["c"]]])).toEqual([["a", "b"], [["c"]]]);
  expect(matchesDeclared(list, [["a", [{ b: 1 }]]], [["a", [{}]]])).toBe(false);
  expect(matchesDeclared(map, { packages: ["a", "b"] }, { packages: ["a", "c"] })).toBe(false);
  fc.assert(
    fc.property(fc.array(fc.jsonValue()), (values) => {
      expect(onlyDeclared(list, values, values)).toEqual(values);
    }),
  );
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (values) => {
      expect(matchesDeclared(map, values, structuredClone(values))).toBe(true);
    }),
  );
});

test("only declared inputs are compared", () => {
  const found = differences(widget(), { label: "data", size: 20, tags: ["b", "a"] }, { size: 40, tags: ["a", "b"] });
  expect([...found]).toEqual([["size", [{ path: "/size", change: "replace", before: 20, after: 40 }]]]);
});

test("a local input never differs; an unknown value always does", () => {
  const kind = widget({ fields: { ...fields, size: "local" } });
  expect(differences(kind, { size: 20, label: "data" }, { size: 40, label: UNKNOWN })).toEqual(
    new Map([["label", [{ path: "/label", change: "replace", before: "data", after: UNKNOWN }]]]),
  );
});

test("null clears a text once, because the API returns a cleared text as empty", () => {
  expect(differences(widget(), { region: "us-east" }, { region: null }).size).toBe(1);
  expect(differences(widget(), { region: "" }, { region: null }).size).toBe(0);
});

test("`canonical` of a field can use other fields", () => {
  const label = {
    change: "edit",
    canonical: (label: string, { region }: { region?: string | undefined }) => `${label}.${region}`,
  } as const;
  const kind = widget({ fields: { ...fields, label } });
  expect(differences(kind, { label: "a" }, { label: "a" }, { region: "x" }).size).toBe(0);
  expect(differences(kind, { label: "a" }, { label: "b" }, { region: "x" }).get("label")).toMatchObject([
    { before: "a.x", after: "b.x" },
  ]);
});

test("converts inputs to the API's form: numbers, lower-case words, defaults", () => {
  const schema = z.object({
    size: z.int().default(20),
    mode: z.enum(["on", "off"]).meta({ caseless: true }),
    nested: z.object({ count: z.int() }).optional(),
  });
  expect(normalise(schema, { mode: "ON", nested: { count: "3" } })).toEqual({
    mode: "on",
    nested: { count: 3 },
    size: 20,
  });
  expect(normalise(schema, { mode: "maybe", size: UNKNOWN })).toEqual({ mode: "maybe", size: UNKNOWN });
});

test("`round` rounds as the service does, with a warning", () => {
  const size = { change: "grow", round: (size: number) => Math.ceil(size / 10) * 10 } as const;
  const kind = widget({ fields: { ...fields, size } });
  expect(roundInputs(kind, { size: 33 })).toEqual({
    inputs: { size: 40 },
    warnings: ["size 33 will be rounded to 40, the nearest value the service supports"],
  });
  expect(roundInputs(kind, { size: 40 }).warnings).toEqual([]);
  expect(roundInputs(kind, { size: "many" }).inputs).toEqual({ size: "many" });
  expect(roundInputs(kind, { size: UNKNOWN }).inputs).toEqual({ size: UNKNOWN });
});

test("removes `volatile` fields at any depth", () => {
  const schema = z.object({ name: z.string(), load: z.int().meta({ volatile: true }) });
  expect(withoutVolatile(z.array(schema), [{ name: "a", load: 3 }])).toEqual([{ name: "a" }]);
});

test("declared paths include the fields of objects", () => {
  const schema = z.object({ label: z.string(), alerts: z.object({ cpu: z.int(), disk: z.int() }), tags: sorted });
  const value = { label: "a", alerts: { cpu: 1 }, tags: ["x"] };
  const paths = declaredPaths(schema, value);
  expect(paths).toEqual(["label", "alerts.cpu", "tags"]);
  expect(atPaths({ ...value, alerts: { cpu: 1, disk: 2 }, more: 1 }, paths)).toEqual(value);
  expect(atPaths({ ...value, alerts: null }, paths)).toEqual({ ...value, alerts: null });
  expect(declaredPaths(schema, { alerts: {} })).toEqual(["alerts."]);
});

test("detects that a path leads through an unknown value or ends at one", () => {
  expect(unknownAt({ a: UNKNOWN }, ["a", "b", 0])).toBe(true);
  expect(unknownAt({ a: { b: [UNKNOWN] } }, ["a"])).toBe(true);
  expect(unknownAt({ a: { b: 1 } }, ["a", "b"])).toBe(false);
});
