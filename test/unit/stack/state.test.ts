import { describe, expect, test } from "vitest";
import { detectDrift, exitCodeOf } from "../../../drift";
import { startEmulator } from "../../../emulator";
import { stackStateOf } from "../../../stack/state";
import { encrypted, exported, type InStack } from "../../lifecycle/exported";

const volume: InStack = {
  kind: "Volume",
  name: "data",
  id: "640144",
  inputs: { label: "data", size: 20, region: "us-east" },
  outs: { label: "data", size: 20, region: "us-east", __stated: "label,size,region" },
};

const rejected = (state: unknown) => detectDrift({ states: [{ name: "state.json", state }] });

describe("rejects an unusable state with a message", () => {
  const whole = JSON.stringify(exported([volume]).state);

  test.each([
    ["an empty file", "", "state.json is empty. "],
    ["a truncated file", whole.slice(0, 200), "state.json is not complete JSON: it is truncated. "],
    [
      "a truncated file that ends with a brace",
      `${whole.slice(0, whole.indexOf("}") + 1)}`,
      "state.json is not JSON. ",
    ],
    ["a file of something else", '{"name":"x"}', "state.json is not the state of a stack. "],
    ["a list", "[]", "state.json is not the state of a stack. "],
  ])("%s", async (_, text, start) => {
    await expect(rejected(text)).rejects.toThrow(`${start}Export it with "pulumi stack export --file FILE".`);
  });

  test("a newer version of the format", async () => {
    await expect(rejected({ version: 9, deployment: {} })).rejects.toThrow(
      "state.json has version 9 of Pulumi's state format; the newest supported version is 4. Upgrade pulumi-cloudinfra.",
    );
  });
});

test("an empty stack has no drift, and needs neither address nor token", async () => {
  const report = await rejected({ version: 3, deployment: {} });
  expect(report).toMatchObject({
    findings: [],
    unread: [],
    stacks: [{ name: "state.json", resources: 0, foreign: 0 }],
  });
  expect(exitCodeOf(report)).toBe(0);
});

describe("an update that has not finished", () => {
  const urn = (kind: string, name: string) => `urn:pulumi:dev::shop::pulumi-nodejs:dynamic/cloudinfra:${kind}::${name}`;
  const pending = (type: string, kind: string, name: string) => ({ type, resource: { urn: urn(kind, name) } });
  const interrupted = (operation: string) =>
    `an update is in progress or was interrupted while ${operation} it: complete it with "pulumi up", then run "pulumi refresh --clear-pending-creates"`;

  test("leaves resources that could not be checked: those being replaced, and those being created", async () => {
    const { name, state } = exported([{ ...volume, pendingReplacement: true }]);
    const operations = [pending("creating", "Domain", "zone"), { type: "creating", resource: { urn: "urn:other" } }];
    const deployment = { ...state.deployment, pending_operations: operations };
    const report = await detectDrift({ states: [{ name, state: { ...state, deployment } }] });
    expect(report.unread).toEqual([
      {
        kind: "Volume",
        reason: 'its object was deleted by a replacement that has not finished: complete the update with "pulumi up"',
        resources: ["shop/dev/Volume/data"],
      },
      {
        kind: "Domain",
        reason:
          'an update is in progress or was interrupted while creating it: adopt its object if "cloudinfra drift --unmanaged" ' +
          'lists it, then run "pulumi refresh --clear-pending-creates"',
        resources: ["shop/dev/Domain/zone"],
      },
    ]);
    expect(report).toMatchObject({ stacks: [{ resources: 2 }], coverage: { resources: 2, checked: 0 }, notes: [] });
    expect(exitCodeOf(report)).toBe(3);
  });

  test("has advice for objects that an account check does not list", async () => {
    const { name, state } = exported([]);
    const deployment = { ...state.deployment, pending_operations: [pending("creating", "VolumeClone", "copy")] };
    const report = await detectDrift({ states: [{ name, state: { ...state, deployment } }] });
    expect(report.unread.map(({ reason }) => reason)).toEqual([
      'an update is in progress or was interrupted while creating it: look for its object in the account, because "cloudinfra ' +
        'drift --unmanaged" does not list it as VolumeClone; if it exists, adopt it by its id or delete it, then run "pulumi ' +
        'refresh --clear-pending-creates"',
    ]);
  });

  test("is noted for resources that are compared all the same", async () => {
    await using emulator = await startEmulator({ pace: "instant" });
    const { name, state } = exported([volume]);
    const deployment = { ...state.deployment, pending_operations: [pending("updating", "Volume", "data")] };
    const states = [{ name, state: { ...state, deployment } }];
    const { url, token } = emulator;
    const report = await detectDrift({ states, url, token });
    expect(report).toMatchObject({ unread: [], coverage: { resources: 1, checked: 1 } });
    expect(report.notes).toEqual([`shop/dev/Volume/data: ${interrupted("updating")}`]);
    expect((await detectDrift({ states, url, token, ignoreKinds: ["Volume"] })).notes).toEqual([
      "shop/dev has no resources of this provider that the check covers, so nothing in it was checked",
    ]);
  });
});

test("counts resources of other providers, and omits those that are not managed", () => {
  const { state } = exported([
    { ...volume, name: "read", external: true },
    { ...volume, name: "replaced", delete: true },
    { ...volume, name: "deleted", pendingReplacement: true },
  ]);
  const other = (type: string, custom: boolean) => ({
    urn: `urn:pulumi:dev::shop::${type}::x`,
    type,
    custom,
    id: "1",
    inputs: {},
    outputs: {},
  });
  const rows = [
    other("pulumi:pulumi:Stack", false),
    other("pulumi:providers:random", true),
    other("random:index/randomId:RandomId", true),
    other("shop:index:Site", false),
  ];
  const deployment = { resources: [...rows, ...state.deployment.resources] };
  expect(stackStateOf({ name: "x", state: { version: 3, deployment } })).toMatchObject({
    name: "shop/dev",
    resources: [],
    foreign: 1,
  });
});

test("accepts resources of components, former kinds, and the state file of a backend", () => {
  const { state } = exported([volume]);
  const [row] = state.deployment.resources;
  const urn = "urn:pulumi:dev::shop::shop:index:Site$pulumi-nodejs:dynamic/cloudinfra:OauthClient::login::page";
  const latest = { resources: [{ ...row, urn, type: "pulumi-nodejs:dynamic/cloudinfra:OauthClient" }] };
  expect(stackStateOf({ name: "x", state: { version: 3, checkpoint: { stack: "dev", latest } } })).toMatchObject({
    resources: [{ address: "shop/dev/OAuthClient/login::page", kind: { name: "OAuthClient" } }],
  });
});

test.each(["dynamic", "native"] as const)("does not compare encrypted values (%s)", (provider) => {
  const inputs = { label: encrypted, size: 20, region: "us-east" };
  const outs = { ...inputs, filesystemPath: encrypted, __stated: "label,size,region" };
  const { resources } = stackStateOf(exported([{ ...volume, inputs, outs }], { provider }));
  expect(resources).toMatchObject([{ declared: ["size", "region"], secret: ["label"] }]);
  expect(JSON.stringify(resources[0]?.state)).not.toContain("v1:x");
  expect(resources[0]?.state).toEqual({ size: 20, region: "us-east", filesystem_path: "[secret]" });
});

test("inputs that the program does not set are not secret inputs, also if their output is encrypted", () => {
  const { label: _, ...inputs } = volume.inputs;
  const outs = { ...inputs, label: encrypted, __stated: "size,region" };
  const { resources } = stackStateOf(exported([{ ...volume, inputs, outs }]));
  expect(resources).toMatchObject([{ declared: ["size", "region"], secret: [] }]);
  expect(JSON.stringify(resources[0]?.state)).not.toContain("v1:x");
});

test("compares the inputs of the last program, even if its update did not change the resource", () => {
  const outs = { ...volume.outs, tags: ["old"], __stated: "label,size,region,tags" };
  const { resources } = stackStateOf(exported([{ ...volume, outs }]));
  expect(resources).toMatchObject([{ declared: ["label", "size", "region"], state: { tags: ["old"] } }]);
});

test("resources that this version does not understand are reported as not checked", async () => {
  const { state } = exported([
    { ...volume, name: "newer", outs: { ...volume.outs, __version: 7 } },
    { ...volume, name: "unfinished", id: "" },
  ]);
  const [row] = state.deployment.resources;
  const type = "cloudinfra:index:Teleporter";
  const unknown = { ...row, urn: `urn:pulumi:dev::shop::${type}::beam`, type };
  const report = await rejected({ ...state, deployment: { resources: [...state.deployment.resources, unknown] } });
  expect(report.unread).toEqual([
    {
      kind: "Volume",
      reason:
        "its state was written by a newer version of pulumi-cloudinfra (state version 7); upgrade pulumi-cloudinfra",
      resources: ["shop/dev/Volume/newer"],
    },
    { kind: "Volume", reason: "it has no id: its creation did not finish", resources: ["shop/dev/Volume/unfinished"] },
    {
      kind: "Teleporter",
      reason: "this version of pulumi-cloudinfra does not support the kind; upgrade pulumi-cloudinfra",
      resources: ["shop/dev/Teleporter/beam"],
    },
  ]);
  expect(exitCodeOf(report)).toBe(3);
});
