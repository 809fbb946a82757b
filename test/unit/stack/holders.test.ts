import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { unmanagedIn } from "../../../drift/unmanaged";
import { holdingOf } from "../../../import/held";
import type { Kind } from "../../../provider/engine/definition";
import { pathOf } from "../../../provider/engine/identity";
import { type KindName, kinds } from "../../../provider/resources";
import { conflictsIn } from "../../../stack/edit";
import { holdersIn, holdersOf } from "../../../stack/holders";
import { stackStateOf } from "../../../stack/state";
import { secondKinds } from "../provider/second-kinds";

const all = kinds as Record<string, Kind>;

beforeAll(() => void Object.assign(all, secondKinds));

afterAll(() => {
  for (const name of Object.keys(secondKinds)) delete all[name];
});

/** An id of each kind. Undefined for actions, which do not manage an object. */
const ids: Readonly<Record<KindName, string | undefined>> = {
  AccountContact: "account",
  Domain: "12",
  DomainRecord: "12/34",
  Firewall: "12",
  FirewallDevice: "12/34",
  Image: "private/12",
  Instance: "12",
  InstanceAction: undefined,
  InstanceConfig: "12/34",
  InstanceDisk: "12/34",
  InstanceIp: "12/192.0.2.1",
  InstanceSnapshot: "12/34",
  IpAssignment: "us-east",
  IpSharing: "12",
  Ipv6Range: "2001:db8::/64",
  LkeCluster: "12",
  LkeNodePool: "12/34",
  LkeNodeRecycle: undefined,
  ManagedComputeSettings: "12",
  ManagedContact: "12",
  ManagedCredential: "12",
  ManagedService: "12",
  NodeBalancer: "12",
  NodeBalancerConfig: "12/34",
  NodeBalancerNode: "12/34/56",
  OAuthClient: "2737bf16b39ab5d7b4a1",
  ObjectStorageBucket: "us-east-1/assets",
  ObjectStorageKey: "12",
  ObjectStorageObject: "us-east-1/assets/logo.png",
  PaymentMethod: "12",
  ReverseDns: "192.0.2.1",
  ServiceTransfer: "0123456789abcdef",
  Tag: "12",
  Volume: "12",
  VolumeAttachment: "12",
};

const row = (kind: string, id: string, more = {}) => {
  const type = `cloudinfra:index:${kind}`;
  return { urn: `urn:pulumi:dev::shop::${type}::theirs`, type, custom: true, id, ...more };
};

const deploymentOf = (...resources: ReturnType<typeof row>[]) => ({ version: 3, deployment: { resources } });

const definitionOf = (kind: string): Kind => all[kind] as Kind;

describe("each kind", () => {
  const own = Object.entries(ids).flatMap(([kind, id]) => (id === undefined ? [] : [[kind, id] as const]));
  const actions = Object.entries(ids).flatMap(([kind, id]) => (id === undefined ? [kind] : []));

  test.each(own)("%s holds its object, and not the objects of other kinds", (kind, id) => {
    const holderOf = holdersOf(holdersIn([row(kind, id)]));
    const held = own.flatMap(([other, otherId]) => {
      const definition = definitionOf(other);
      return holderOf(definition, pathOf(definition, otherId)) ? [other] : [];
    });
    expect(held).toEqual([kind]);
    const after = holdersOf(holdersIn([row(kind, id, { delete: true })]));
    expect(after(definitionOf(kind), pathOf(definitionOf(kind), id))?.relation).toBe("deleting");
  });

  test.each(actions)("%s holds nothing, because it is an action", (kind) => {
    expect(holdersOf(holdersIn([row(kind, "12")]))(definitionOf("Instance"), { computeId: 12 })).toBeUndefined();
  });
});

test.each([
  [{ computeId: "12", rdns: "web.example.com" }, ["InstanceIp", "ReverseDns"]],
  [{ computeId: "12", rdns: null }, ["InstanceIp", "ReverseDns"]],
  [{ computeId: "12" }, ["InstanceIp"]],
])("InstanceIp with the inputs %j holds the reverse DNS name only if it declares one", (inputs, held) => {
  const outputs = { address: "192.0.2.1", rdns: "web.example.com" };
  const holderOf = holdersOf(holdersIn([row("InstanceIp", ids.InstanceIp as string, { inputs, outputs })]));
  const kinds = (["InstanceIp", "ReverseDns"] as const).filter((kind) =>
    holderOf(definitionOf(kind), pathOf(definitionOf(kind), ids[kind] as string)),
  );
  expect(kinds).toEqual(held);
});

describe.each(Object.keys(secondKinds))("a second kind over the objects of Volume (%s)", (kind) => {
  const state = deploymentOf(row(kind, kind === "VolumeClone" ? "5/640144" : "640144"));
  const stack = () => stackStateOf({ name: "state.json", state });
  const volumes = [640144, 640145].map((id) => ({
    kind: definitionOf("Volume"),
    path: { volumeId: id },
    row: { id, label: `volume-${id}` },
  }));

  test("its volumes are not unmanaged", () => {
    const { unmanaged, managed } = unmanagedIn({ objects: volumes }, stack().holders);
    expect(unmanaged.map(({ id }) => id)).toEqual(["640145"]);
    expect(managed).toBe(1);
  });

  test("adopt rejects its volumes", () => {
    const conflictOf = conflictsIn(state);
    expect(conflictOf({ kind: "Volume", name: "data", id: "640144" })).toBe(
      `the stack already manages this object as ${kind} "theirs", a resource of the native plugin`,
    );
    expect(conflictOf({ kind: "Volume", name: "data", id: "640145" })).toBeUndefined();
  });

  test("import omits its volumes", () => {
    expect(volumes.map(holdingOf([stack()]))).toEqual([true, false]);
  });
});
