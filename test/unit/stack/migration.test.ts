import { describe, expect, test } from "vitest";
import type { Deployment } from "../../../stack/deployment";
import { migrated, type ProviderType, problemsOf } from "../../../stack/migration";
import { encrypted, exported, type InStack } from "../../lifecycle/exported";

const inputs = { label: "data", region: "us-east", size: 20 };
const volume: InStack = { kind: "Volume", name: "data", id: "640144", inputs, outs: { ...inputs, __version: 1 } };
const firewall: InStack = {
  kind: "Firewall",
  name: "wall",
  id: "7",
  inputs: { label: encrypted, rules: { inboundPolicy: "DROP", outboundPolicy: "ACCEPT" }, __autonamed: true },
  outs: { label: encrypted, rules: {}, __version: 1 },
};

const providerUrn = (name: string): string => `urn:pulumi:dev::shop::pulumi:providers:cloudinfra::${name}`;
const stateOf = (resources: readonly InStack[], provider: ProviderType): Deployment =>
  exported(resources, { provider }).state as unknown as Deployment;
const native = (more: object = {}): Deployment =>
  stateOf([{ ...volume, provider: `${providerUrn("default_0_1_0")}::1`, ...more }], "native");
const rowsOf = (state: Deployment) => state.deployment.resources ?? [];
const only = (state: Deployment, type: string) => rowsOf(state).find((row) => row.type.endsWith(type));

describe("a stack is not migrated", () => {
  test("while an operation is pending", () => {
    const state = native();
    const [row] = rowsOf(state);
    state.deployment.pending_operations = [{ type: "creating", resource: row }];
    expect(problemsOf(state, "dynamic")).toEqual([
      'the last update was interrupted while creating Volume "data": complete it with "pulumi up", then run ' +
        '"pulumi refresh --clear-pending-creates"',
    ]);
  });

  test("to dynamic resources if it has an explicit provider", () => {
    for (const name of ["staging", "not_default"])
      expect(problemsOf(native({ provider: `${providerUrn(name)}::1` }), "dynamic")).toEqual([
        `Volume "data" uses the provider "${name}", but dynamic resources can use only the account in the stack's configuration`,
      ]);
    expect(problemsOf(native(), "dynamic")).toEqual([]);
  });

  test("if the state contains the same resource twice, or a kind of a newer version", () => {
    const both = stateOf([volume], "dynamic");
    rowsOf(both).push(...rowsOf(native()));
    expect(problemsOf(both, "native")).toEqual([
      'Volume "data": the state already has a native resource of this name; rename one of them in the program',
    ]);
    const unknown = JSON.parse(JSON.stringify(native()).replaceAll(":Volume", ":Wormhole"));
    expect(problemsOf(unknown, "dynamic")).toEqual([
      'cloudinfra:index:Wormhole "data": this version of pulumi-cloudinfra does not support the kind; upgrade pulumi-cloudinfra',
    ]);
  });
});

test("dynamic resources get the properties that only they have: declared and unapplied inputs, time limits, secret outputs", () => {
  const unmet = {
    ...volume,
    outs: { ...volume.outs, size: 10 },
    customTimeouts: { create: 600 },
    initErrors: ["full"],
  };
  const state = migrated(stateOf([unmet, firewall], "native"), "dynamic");
  expect(only(state, ":Volume")).toMatchObject({
    urn: "urn:pulumi:dev::shop::pulumi-nodejs:dynamic/cloudinfra:Volume::data",
    type: "pulumi-nodejs:dynamic/cloudinfra:Volume",
    inputs: { ...inputs, __timeouts: { create: "600s" }, __provider: expect.stringContaining(".Volume") },
    outputs: { __version: 1, __stated: "label,region,size", __unmet: "size", __timeouts: { create: "600s" } },
  });
  expect(only(state, ":Firewall")).toMatchObject({
    inputs: { label: encrypted, __autonamed: true },
    outputs: { label: encrypted, __stated: "label,rules.inboundPolicy,rules.outboundPolicy", __autonamed: true },
    additionalSecretOutputs: ["label"],
  });
});

test("the provider of native resources gets the id of the account if any of the resources has it", () => {
  const address = "http://127.0.0.1:4108/v4";
  const older = { ...volume, outs: { ...volume.outs, __account: address } };
  const newer = { ...firewall, outs: { ...firewall.outs, __account: `E1AF5EEC-526F ${address}` } };
  const provider = only(migrated(stateOf([older, newer], "dynamic"), "native"), "pulumi:providers:cloudinfra");
  expect(provider?.inputs).toMatchObject({ __account: `E1AF5EEC-526F ${address}` });
});

test("native resources do not have these, but an unfinished create or update stays marked", () => {
  const stored = { __provider: "x", __stated: "label", __unmet: "size", __timeouts: {} };
  const unfinished = { ...volume, outs: { ...volume.outs, ...stored }, initErrors: ["full"] };
  const row = only(migrated(stateOf([unfinished], "dynamic"), "native"), ":Volume");
  expect(row).toMatchObject({ type: "cloudinfra:index:Volume", id: "640144", initErrors: ["full"], inputs });
  expect(row?.outputs).toEqual({ ...inputs, __version: 1, __unfinished: true });
});

test("keeps the configuration of the default provider, and removes providers that are not used any more", () => {
  const settings = { "cloudinfra:url": "http://127.0.0.1:4108/v4", "cloudinfra:token": encrypted, "shop:color": "red" };
  const type = "pulumi:providers:pulumi-nodejs";
  const provider = { urn: `urn:pulumi:dev::shop::${type}::default`, type, custom: true, id: "1", inputs: settings };
  const start = stateOf([{ ...volume, provider: `${provider.urn}::1` }], "dynamic");
  rowsOf(start).unshift(provider);
  const moved = migrated(start, "native");
  expect(rowsOf(moved).map((row) => row.type)).toEqual(["pulumi:providers:cloudinfra", "cloudinfra:index:Volume"]);
  const [now] = rowsOf(moved);
  expect(now).toMatchObject({
    urn: providerUrn("default"),
    inputs: { url: settings["cloudinfra:url"], token: encrypted },
  });
  const other = {
    ...provider,
    urn: "urn:pulumi:dev::shop::pulumi-nodejs:dynamic:Resource::own",
    provider: `${provider.urn}::1`,
  };
  rowsOf(start).push({ ...other, type: "pulumi-nodejs:dynamic:Resource" });
  expect(only(migrated(start, "native"), "pulumi-nodejs")).toEqual(provider);
});

test("the provider of dynamic resources gets the settings of the plugin's, but neither its version nor its account", () => {
  const type = "pulumi:providers:cloudinfra";
  const settings = { url: "http://127.0.0.1:4108/v4", token: encrypted };
  const own = { version: "0.1.0", __account: "E1AF5EEC-526F http://127.0.0.1:4108/v4", __internal: {} };
  const provider = { urn: providerUrn("default_0_1_0"), type, custom: true, id: "1", inputs: { ...settings, ...own } };
  const start = native();
  rowsOf(start).unshift(provider);
  expect(only(migrated(start, "dynamic"), "pulumi:providers:pulumi-nodejs")?.inputs).toEqual({
    "cloudinfra:url": settings.url,
    "cloudinfra:token": encrypted,
  });
});

test("dynamic resources store assets without the signature and the hash by which Pulumi marks them", () => {
  const signature = { "4dabf18193072939515e22adb298388d": "c44067f5952c0a294b673a41bacd8c17", hash: "5891b5b522d5df" };
  const stored = { cluster: "us-east-1", bucket: "photos", name: "a.txt", source: { ...signature, path: "./a.txt" } };
  const object: InStack = { kind: "ObjectStorageObject", id: "photos/a.txt", inputs: stored, outs: stored };
  const row = only(migrated(stateOf([object], "native"), "dynamic"), ":ObjectStorageObject");
  const source = { path: "./a.txt" };
  expect([row?.inputs, row?.outputs]).toEqual([
    expect.objectContaining({ source }),
    expect.objectContaining({ source }),
  ]);
});

test("a default provider that the next update deletes gets no resources, and its settings are not used", () => {
  const row = (type: string, id: string, settings: object, more: object = {}) => ({
    ...{ urn: `urn:pulumi:dev::shop::${type}::default`, type, custom: true, id, inputs: settings, ...more },
  });
  const [nodejs, plugin] = ["pulumi:providers:pulumi-nodejs", "pulumi:providers:cloudinfra"];
  const start = stateOf([{ ...volume, provider: `urn:pulumi:dev::shop::${nodejs}::default::2` }], "dynamic");
  rowsOf(start).unshift(
    row(nodejs, "1", { "cloudinfra:url": "https://old.example/v4" }, { delete: true }),
    row(nodejs, "2", { "cloudinfra:url": "https://new.example/v4" }),
    row(plugin, "3", { url: "https://old.example/v4" }, { delete: true }),
  );
  const state = migrated(start, "native");
  const { provider } = only(state, ":Volume") ?? {};
  const used = rowsOf(state).find(({ urn, id }) => `${urn}::${id}` === provider);
  expect(used).toMatchObject({ type: plugin, inputs: { url: "https://new.example/v4" } });
  expect(used?.delete).toBeUndefined();
});

test("texts of the program that only contain a URN are not converted", () => {
  const tags = ["was urn:pulumi:dev::shop::cloudinfra:index:Volume::data"];
  const own = { ...inputs, tags };
  const state = migrated(stateOf([{ ...volume, inputs: own, outs: { ...own, __version: 1 } }], "native"), "dynamic");
  expect(only(state, ":Volume")).toMatchObject({ inputs: { tags }, outputs: { tags } });
});

test("converting back restores the first state", () => {
  const state = stateOf([volume, { ...firewall, delete: true }], "native");
  rowsOf(state).push({
    ...(rowsOf(state)[0] as object),
    urn: "urn:pulumi:dev::shop::cloudinfra:index:Volume$x:y:Z::z",
    type: "x:y:Z",
    custom: true,
  });
  const back = migrated(migrated(state, "dynamic"), "native");
  const withoutProvider = rowsOf(back)
    .filter(({ type }) => !type.startsWith("pulumi:providers:"))
    .map(({ provider: _, additionalSecretOutputs: __, ...row }) => row);
  expect(withoutProvider).toEqual(rowsOf(state));
});
