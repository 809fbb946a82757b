import { describe, expect, test } from "vitest";
import { detectDrift, inBucket } from "../../drift";
import { fieldOf } from "../../provider/engine/definition";
import type { Bag } from "../../provider/engine/values";
import { type KindName, kinds } from "../../provider/resources";
import { type Cloud, cloud } from "../../testing/cloud";
import { nativeProvider } from "../../testing/native-provider";
import { Managed, type State } from "../../testing/provider";
import { dynamicProvider, type ProviderOf } from "../../testing/resource-provider";
import { exported } from "./exported";

interface UnsupportedChange {
  kind: KindName;
  input: string;
  /** The inputs of the program, which never change. */
  declared: Bag;
  /** Changes the object outside the program in a way that the service cannot revert. */
  change(world: Cloud, id: number): Promise<unknown>;
  /** The warning of each preview after that. */
  warning: string;
  /** The path that drift reports, with the values of the program and of the object. */
  drift: [path: string, expected: string, actual: string];
  /** A program that has the object's value. */
  accepted: Bag;
}

const resized: UnsupportedChange["change"] = (world, volumeId) =>
  world.api.volumes.resize({ path: { volumeId }, body: { size: 40 } });
const keeps40 =
  "size is not changed from 40 to 20: it must be at least 40 (current size in GiB): volumes cannot shrink. " +
  "Set size to 40 or more, also if the volume was resized outside this program";

const cluster = {
  label: "apps",
  region: "us-east",
  k8sVersion: "1.20",
  pools: { main: { type: "g6-standard-1", count: 1 } },
};

const cases: UnsupportedChange[] = [
  {
    kind: "Volume",
    input: "size",
    declared: { label: "data", region: "us-east", size: 20 },
    change: resized,
    warning: `data: ${keeps40}`,
    drift: ["/size", "20", "40"],
    accepted: { size: 40 },
  },
  {
    kind: "VolumeClone",
    input: "size",
    declared: { label: "copy", size: 20 },
    change: resized,
    warning: `copy: ${keeps40}`,
    drift: ["/size", "20", "40"],
    accepted: { size: 40 },
  },
  {
    kind: "LkeCluster",
    input: "k8sVersion",
    declared: cluster,
    change: (world, clusterId) => world.api.lkeClusters.update({ path: { clusterId }, body: { k8s_version: "1.21" } }),
    warning:
      'apps: k8sVersion is not changed from "1.21" to "1.20": it must be "1.21" (current) or "1.22": ' +
      "clusters are upgraded one minor version at a time and cannot be downgraded",
    drift: ["/k8sVersion", '"1.20"', '"1.21"'],
    accepted: { k8sVersion: "1.21" },
  },
  {
    kind: "LkeCluster",
    input: "controlPlane",
    declared: { ...cluster, controlPlane: { highAvailability: false } },
    change: (world, clusterId) =>
      world.api.lkeClusters.update({ path: { clusterId }, body: { control_plane: { high_availability: true } } }),
    warning:
      "apps: controlPlane.highAvailability is not changed from true to false: " +
      "it must stay true: high availability cannot be disabled",
    drift: ["/controlPlane/highAvailability", "false", "true"],
    accepted: { controlPlane: { highAvailability: true } },
  },
  {
    kind: "Instance",
    input: "privateIp",
    declared: { label: "web", region: "us-east", type: "g6-nanode-1", privateIp: false },
    change: (world, computeId) =>
      world.api.instanceAddresses.allocate({ path: { computeId }, body: { type: "ipv4", public: false } }),
    warning:
      "web: privateIp is not changed from true to false: it must be true or omitted: private addresses cannot be removed. " +
      'To remove the address, replace the instance: run "pulumi up --target-replace" with the URN of the instance; if the program sets its label, first add the resource option deleteBeforeReplace',
    drift: ["/privateIp", "false", "true"],
    accepted: { privateIp: true },
  },
];

const providers: Record<"dynamic" | "native", ProviderOf> = {
  dynamic: dynamicProvider,
  native: (kind, host, name) => nativeProvider(kind, host, name, { isStateCurrent: false }),
};
const combinations = cases.flatMap((one) =>
  (["dynamic", "native"] as const).map((provider) => ({
    ...one,
    provider,
    name: `${one.kind}.${one.input}, ${provider}`,
  })),
);

/** Creates the object, in a stack of the given provider. */
async function created({ kind, declared, provider }: (typeof combinations)[number], world: Cloud) {
  const it = new Managed(kind, world.host, "thing", providers[provider]);
  const source = kind === "VolumeClone" ? { sourceVolumeId: await sourceIn(world) } : {};
  const inputs = { ...declared, ...source };
  const up = (more: Bag = {}) => it.up({ ...inputs, ...more } as never);
  await up();
  return { it, inputs, up, preview: (more: Bag = {}) => it.preview({ ...inputs, ...more } as never) };
}

const sourceIn = async (world: Cloud): Promise<number> =>
  (await world.api.volumes.create({ body: { label: "source", region: "us-east", size: 10 } })).id;

/** The reports of drift, as `cloudinfra drift` finds them in the exported state. */
async function driftOf({ kind, provider }: (typeof combinations)[number], state: State, world: Cloud) {
  const report = await detectDrift({
    states: [exported([{ kind, ...state }], { provider })],
    account: { host: world.reconnect() },
  });
  const found = inBucket(report, "drift");
  for (const { reason } of found) expect(reason).toMatch(/^the service cannot undo this: [\w.]+ must /);
  return found.map(({ path, expected, actual }) => [path, expected, actual]);
}

describe.each(combinations)("$name", (one) => {
  test("a change outside the program that the service cannot revert is a warning, and other inputs are updated", async () => {
    await using world = await cloud();
    const { it, up, preview } = await created(one, world);
    await one.change(world, Number(it.id));
    it.reconnect(world.reconnect());
    expect(await driftOf(one, it.state as State, world)).toEqual([one.drift]);
    for (const expected of ["changed", "changed"] as const) {
      expect(await it.refresh()).toBe(expected);
      world.warnings.length = 0;
      expect((await preview()).op).toBe("same");
      expect(world.warnings).toEqual([one.warning]);
      expect(await driftOf(one, it.state as State, world), "the program still declares the old value").toEqual([
        one.drift,
      ]);
    }
    expect(await up({ tags: ["prod"] })).toMatchObject({ op: "update", diffs: ["tags"] });
    expect(it.outs).toMatchObject({ tags: ["prod"] });
    expect((await preview({ tags: ["prod"] })).op).toBe("same");
    await up({ tags: ["prod"], ...one.accepted });
    world.warnings.length = 0;
    expect((await preview({ tags: ["prod"], ...one.accepted })).op).toBe("same");
    expect(world.warnings).toEqual([]);
    expect(await it.refresh()).toBe("same");
    expect(await driftOf(one, it.state as State, world)).toEqual([]);
  });

  test("without a refresh, an update of another input does not change it", async () => {
    await using world = await cloud();
    const { it, up } = await created(one, world);
    await one.change(world, Number(it.id));
    await up({ tags: ["prod"] });
    expect(it.outs).toMatchObject({ tags: ["prod"] });
    const [, text] = one.warning.split(/: (.*)/s);
    expect(world.warnings).toEqual([`${one.kind} "${one.declared.label}" (${it.id}): ${text}`]);
    world.warnings.length = 0;
    expect((await up({ tags: ["prod"] })).op).toBe("same");
    expect(world.warnings).toEqual([one.warning]);
  });

  test("such a change of the program is rejected in the preview", async () => {
    await using world = await cloud();
    const { it, inputs, up } = await created(one, world);
    await up(one.accepted);
    const failures = await it.failures(inputs);
    expect(failures).toHaveLength(1);
    expect(one.warning.endsWith(`: it ${failures[0]?.reason.replace(/ \(given .*\)$/, "")}`)).toBe(true);
  });
});

test("such changes are tested for the inputs of every kind", () => {
  const names = Object.values(kinds).flatMap((kind) =>
    Object.keys(kind.fields).flatMap((key) => (fieldOf(kind, key).unsupported ? [`${kind.name}.${key}`] : [])),
  );
  const tested = cases.map(
    ({ kind, input }) => `${kind}.${input.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}`,
  );
  expect(tested.sort(), "cases above, one for each input whose field has `unsupported`").toEqual(names.sort());
});
