import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { unmanagedIn } from "../../../drift/unmanaged";
import { holdingOf } from "../../../import/held";
import type { Kind } from "../../../provider/engine/definition";
import { hasOwnId, idParts, isAction, pathOf } from "../../../provider/engine/identity";
import { kinds } from "../../../provider/resources";
import { conflictsIn } from "../../../stack/edit";
import { holdersIn, holdersOf } from "../../../stack/holders";
import { stackStateOf } from "../../../stack/state";
import { secondKinds } from "../provider/second-kinds";

const all = kinds as Record<string, Kind>;

beforeAll(() => void Object.assign(all, secondKinds));

afterAll(() => {
  for (const name of Object.keys(secondKinds)) delete all[name];
});

/** Texts for the parts of ids that are not numbers: the first that is valid is used. */
const texts = [
  "account",
  "private/12",
  "us-east",
  "us-east-1",
  "192.0.2.1",
  "2001:db8::/64",
  "0123456789abcdef",
  "2737bf16b39ab5d7b4a1",
];

/** An id of a kind. The numbers are the same for all kinds, so that only the kind distinguishes their objects. */
const idFor = (kind: Kind): string =>
  Object.entries(idParts(kind))
    .map(([part, schema], i) => {
      if (schema instanceof z.core.$ZodNumber) return [12, 34, 56][i];
      const text = texts.find((each) => z.safeParse(schema, each).success);
      if (!text) throw new Error(`Add a valid ${part} of ${kind.name} to the texts in test/unit/stack/holders.test.ts`);
      return text;
    })
    .join("/");

const [actions, objects] = [true, false].map((wanted) =>
  Object.values<Kind>(kinds).flatMap((kind) => (isAction(kind) === wanted ? [kind.name] : [])),
) as [string[], string[]];

/** An id of each kind that manages an object. */
const ids: ReadonlyMap<string, string> = new Map(objects.map((name) => [name, idFor(all[name] as Kind)]));

const row = (kind: string, id: string, more = {}) => {
  const type = `cloudinfra:index:${kind}`;
  return { urn: `urn:pulumi:dev::shop::${type}::theirs`, type, custom: true, id, ...more };
};

const deploymentOf = (...resources: ReturnType<typeof row>[]) => ({ version: 3, deployment: { resources } });

const definitionOf = (kind: string): Kind => all[kind] as Kind;

/** Whether two kinds are for the same objects, as a kind that creates volumes in another way than Volume would be. */
const manageTheSame = (one: Kind, other: Kind): boolean =>
  one === other ||
  (one.identity.area === other.identity.area &&
    one.identity.manages === other.identity.manages &&
    [one, other].every(hasOwnId));

describe("each kind", () => {
  const own = [...ids];

  test.each(own)("%s holds its object, and not the objects of kinds for other objects", (kind, id) => {
    const holderOf = holdersOf(holdersIn([row(kind, id)]));
    const held = own.flatMap(([other, otherId]) => {
      const definition = definitionOf(other);
      return holderOf(definition, pathOf(definition, otherId)) ? [other] : [];
    });
    expect(held).toEqual(objects.filter((other) => manageTheSame(definitionOf(kind), definitionOf(other))));
    const after = holdersOf(holdersIn([row(kind, id, { delete: true })]));
    expect(after(definitionOf(kind), pathOf(definitionOf(kind), id))?.relation).toBe("deleting");
  });

  test.each(actions)("%s holds nothing, because it is an action", (kind) => {
    expect(holdersOf(holdersIn([row(kind, "12")]))(definitionOf("Instance"), { computeId: 12 })).toBeUndefined();
  });
});

test.each([
  ["InstanceIp", { computeId: "12", rdns: "web.example.com" }, ["InstanceIp", "ReverseDns"]],
  ["InstanceIp", { computeId: "12", rdns: null }, ["InstanceIp", "ReverseDns"]],
  ["InstanceIp", { computeId: "12" }, ["InstanceIp"]],
  ["Volume", { label: "data", computeId: "12" }, ["Volume", "VolumeAttachment"]],
  ["Volume", { label: "data", computeId: null }, ["Volume", "VolumeAttachment"]],
  ["Volume", { label: "data" }, ["Volume"]],
])("%s with the inputs %j holds the object of another kind only if it declares it: %j", (kind, inputs, held) => {
  const outputs = { address: "192.0.2.1", rdns: "web.example.com", computeId: 12 };
  const holderOf = holdersOf(holdersIn([row(kind, ids.get(kind) ?? "", { inputs, outputs })]));
  const kinds = ["InstanceIp", "ReverseDns", "Volume", "VolumeAttachment"].filter((other) =>
    holderOf(definitionOf(other), pathOf(definitionOf(other), ids.get(other) ?? "")),
  );
  expect(kinds).toEqual(held);
});

describe.each(Object.keys(secondKinds))("a second kind over the objects of Volume (%s)", (kind) => {
  const state = deploymentOf(row(kind, kind === "TestVolumeClone" ? "5/640144" : "640144"));
  const stack = () => stackStateOf({ name: "state.json", state });
  const volumes = [640144, 640145].map((id) => ({
    kind: definitionOf("Volume"),
    path: { volumeId: id },
    row: { id, label: `volume-${id}` },
  }));

  test("its volumes are not unmanaged", () => {
    const { unmanaged, managed } = unmanagedIn({ objects: volumes, unread: [] }, stack().holders);
    expect(unmanaged.map(({ id }) => id)).toEqual(["640145"]);
    expect(managed).toBe(1);
  });

  test("adopt rejects its volumes", () => {
    const conflictOf = conflictsIn(state, stack());
    expect(conflictOf({ kind: "Volume", name: "data", id: "640144" })).toBe(
      `the stack already manages this object as ${kind} "theirs", a resource of the native plugin`,
    );
    expect(conflictOf({ kind: "Volume", name: "data", id: "640145" })).toBeUndefined();
  });

  test("import omits its volumes", () => {
    expect(volumes.map(holdingOf([stack()]))).toEqual([true, false]);
  });
});
