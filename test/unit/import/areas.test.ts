import { expect, test } from "vitest";
import { targetsOf } from "../../../account/kinds";
import { excluded, importable } from "../../../import/areas";
import { factsOf, type Kind } from "../../../provider/engine/definition";
import { type KindName, kinds } from "../../../provider/resources";
import { kindTests } from "../../lifecycle/kinds";

function placeOf(name: KindName): number {
  expect(importable).toContain(name);
  return importable.indexOf(name);
}

test("a program declares all kinds whose objects an import of an account finds", () => {
  const found = (Object.keys(kinds) as KindName[]).filter((name) => /operation|search/.test(kindTests[name].found.by));
  expect(importable.filter((name) => !(name in excluded)).sort()).toEqual(found.sort());
});

test("a program declares objects in the order of its files", () => {
  const files = importable.map((name) => factsOf(kinds[name] as Kind).file);
  expect(files.filter((file, i) => file !== files[i - 1])).toEqual([
    "compute",
    "networking",
    "load-balancers",
    "dns",
    "kubernetes",
    "object-storage",
    "managed",
    "account",
  ]);
});

test("a program declares objects after those that contain them", () => {
  for (const name of importable) {
    const { within } = kindTests[name].found;
    if (within) expect(placeOf(within), name).toBeLessThan(placeOf(name));
  }
});

test("parts of an object are declared after its other parts to which they refer: configs after disks", () => {
  for (const name of importable) {
    const { within } = kindTests[name].found;
    const parts = [...targetsOf(kinds[name])].map((target) => target.name as KindName);
    for (const part of parts)
      if (within && part !== name && kindTests[part].found.within === within)
        expect(placeOf(part), `${part}, to which ${name} refers`).toBeLessThan(placeOf(name));
  }
  expect(placeOf("InstanceDisk")).toBeLessThan(placeOf("InstanceConfig"));
});

test.each([
  ["Image", "Instance"],
  ["Instance", "Volume"],
  ["ReverseDns", "Firewall"],
  ["OAuthClient", "Tag"],
] as const)("in a file, %s is declared before %s", (first, second) => {
  expect(placeOf(first)).toBeLessThan(placeOf(second));
});
