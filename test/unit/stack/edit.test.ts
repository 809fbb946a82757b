import { ModuleKind, ScriptTarget, transpileModule } from "typescript";
import { describe, expect, test } from "vitest";
import { programOf, secretsOf } from "../../../import/declarations";
import { literal } from "../../../import/literal";
import type { AdoptedResource } from "../../../provider/dynamic/provider";
import type { KindName } from "../../../provider/resources";
import { type Deployment, isNative, nameIn, type ResourceRow } from "../../../stack/deployment";
import { conflictsIn as conflictsWith, withAdopted } from "../../../stack/edit";
import { stackStateOf } from "../../../stack/state";

const signature = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270" };
const volumeLine = 'exports.handler=()=>require("pulumi-cloudinfra/provider").Volume';

const volume: AdoptedResource = {
  id: "640144",
  inputs: { label: "data" },
  outputs: { label: "data", status: "active", __stated: "label" },
  program: { label: "data" },
  withheld: [],
  hidden: [],
  differing: [],
  replacing: [],
};

const empty: Deployment = { version: 3, deployment: { secrets_providers: { type: "passphrase" } } };
const dev = { stack: "dev", project: "shop" };

const adopted = (state: Deployment, config = {}) =>
  withAdopted(state, dev, config, [{ kind: "Volume", name: "data", resource: volume }]);

/** The conflicts with a state of which all resources belong to the account of the objects. */
const conflictsIn = (state: Deployment) => conflictsWith(state, stackStateOf({ name: "the state", state }));

describe("the state", () => {
  test("of an empty stack gets the stack, the default provider with the configuration, and the object", () => {
    const config = {
      "cloudinfra:url": { value: "http://127.0.0.1:4108/v4", secret: false },
      "cloudinfra:token": { value: "planted", secret: true },
    };
    const { version, deployment } = adopted(empty, config);
    const [root, provider, entry, ...more] = deployment.resources ?? [];
    expect(version).toBe(3);
    expect(deployment.secrets_providers).toEqual({ type: "passphrase" });
    expect(more).toEqual([]);
    expect(root).toEqual({
      urn: "urn:pulumi:dev::shop::pulumi:pulumi:Stack::shop-dev",
      type: "pulumi:pulumi:Stack",
      custom: false,
    });
    const settings = {
      "cloudinfra:url": "http://127.0.0.1:4108/v4",
      "cloudinfra:token": { ...signature, plaintext: '"planted"' },
    };
    expect(provider).toEqual({
      urn: "urn:pulumi:dev::shop::pulumi:providers:pulumi-nodejs::default",
      type: "pulumi:providers:pulumi-nodejs",
      custom: true,
      id: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
      inputs: settings,
      outputs: settings,
    });
    expect(entry).toEqual({
      urn: "urn:pulumi:dev::shop::pulumi-nodejs:dynamic/cloudinfra:Volume::data",
      type: "pulumi-nodejs:dynamic/cloudinfra:Volume",
      custom: true,
      id: "640144",
      inputs: { label: "data", __provider: volumeLine },
      outputs: { label: "data", status: "active", __stated: "label", __provider: volumeLine },
      parent: root?.urn,
      provider: `${provider?.urn}::${provider?.id}`,
      protect: true,
    });
  });

  test("keeps its contents: the stack and the provider are used again, and nothing else changes", () => {
    const before = adopted(empty).deployment.resources ?? [];
    const other = { ...volume, id: "640145" };
    const { deployment } = withAdopted({ ...empty, deployment: { resources: before } }, dev, {}, [
      { kind: "Volume", name: "more", resource: other },
    ]);
    const [, provider] = before;
    expect(deployment.resources?.slice(0, 3)).toEqual(before);
    expect(deployment.resources?.slice(3)).toMatchObject([
      { id: "640145", provider: `${provider?.urn}::${provider?.id}` },
    ]);
  });

  test("gets the new object of a replacement that was interrupted after it had deleted the old one", () => {
    const [root, provider, entry] = adopted(empty).deployment.resources ?? [];
    const urn = "urn:pulumi:dev::shop::shop:index:Site$pulumi-nodejs:dynamic/cloudinfra:Volume::data";
    const parent = "urn:pulumi:dev::shop::shop:index:Site::site";
    const deleted = { ...entry, urn, parent, protect: false, pendingReplacement: true } as ResourceRow;
    const dependent = { ...entry, urn: `${urn}-2`, id: "7", dependencies: [urn] } as ResourceRow;
    const before = { ...empty, deployment: { resources: [root, provider, deleted, dependent] as ResourceRow[] } };
    const wanted = { kind: "Volume", name: "data" } as const;
    expect(conflictsIn(before)({ ...wanted, id: "640145" })).toBeUndefined();
    const { deployment } = withAdopted(before, dev, {}, [{ ...wanted, resource: { ...volume, id: "640145" } }]);
    expect(deployment.resources).toEqual([root, provider, { ...entry, urn, parent, id: "640145" }, dependent]);
  });

  test("has secrets only in the form that the import encrypts", () => {
    const outputs = { label: "apps", kubeconfig: "planted-1", token: "planted-2", caCertificate: null };
    const resource = { ...volume, inputs: {}, outputs };
    const { deployment } = withAdopted(empty, dev, {}, [{ kind: "LkeCluster", name: "apps", resource }]);
    expect(deployment.resources?.at(-1)).toMatchObject({
      additionalSecretOutputs: ["kubeconfig", "token", "caCertificate"],
      outputs: {
        label: "apps",
        kubeconfig: { ...signature, plaintext: '"planted-1"' },
        token: { ...signature, plaintext: '"planted-2"' },
        caCertificate: null,
      },
    });
  });

  test("contains the stack's name once it has resources", () => {
    expect(nameIn(empty)).toBeUndefined();
    expect(nameIn(adopted(empty))).toEqual(dev);
  });

  test("shows whether its resources are native", () => {
    const native = (more: string[]): Deployment => ({
      ...empty,
      deployment: {
        resources: ["pulumi:providers:cloudinfra", "cloudinfra:index:Volume", ...more].map((type) => ({
          urn: `urn:pulumi:dev::shop::${type}::a`,
          type,
          custom: true,
        })),
      },
    });
    expect(isNative(native([]))).toBe(true);
    expect(isNative(native(["pulumi-nodejs:dynamic/cloudinfra:Volume"]))).toBe(false);
    expect([isNative(empty), isNative(adopted(empty))]).toEqual([false, false]);
  });

  test("rejects a name or an object that is already in the stack, and says which", () => {
    const state = adopted(empty);
    const wanted = { kind: "Volume", name: "data", id: "640144" } as const;
    expect(conflictsIn(state)(wanted)).toBe("the stack already manages this object under this name");
    expect(conflictsIn(state)({ ...wanted, id: "7" })).toBe(
      'the stack already has a Volume "data", with id 640144; choose another name',
    );
    expect(conflictsIn(state)({ ...wanted, name: "old" })).toBe('the stack already manages this object as "data"');
    expect(conflictsIn(state)({ ...wanted, name: "new", id: "7" })).toBeUndefined();
    expect(conflictsIn(state)({ ...wanted, kind: "VolumeAttachment" })).toBeUndefined();
  });

  test.each([
    ["ReverseDns", "2001:0DB8:0::1", "2001:db8::1"],
    ["Tag", "PROD", "prod"],
    ["Ipv6Range", "2001:0DB8:0::/64", "2001:db8::"],
  ] as const)("holds the object of a %s also under another notation of its id", (kind, id, other) => {
    const type = `pulumi-nodejs:dynamic/cloudinfra:${kind}`;
    const row = { urn: `urn:pulumi:dev::shop::${type}::own`, type, custom: true, id };
    const conflictOf = conflictsIn({ version: 3, deployment: { resources: [row] } });
    expect(conflictOf({ kind, name: "mine", id: other })).toBe('the stack already manages this object as "own"');
  });

  const marked = (mark: object): Deployment => {
    const state = adopted(empty);
    const resources = state.deployment.resources?.map((resource) => ({ ...resource, ...mark })) ?? [];
    return { ...state, deployment: { resources } };
  };

  test("does not hold objects that the program only reads", () => {
    const conflictOf = conflictsIn(marked({ external: true }));
    expect(conflictOf({ kind: "Volume", name: "old", id: "640144" })).toBeUndefined();
    expect(conflictOf({ kind: "Volume", name: "data", id: "640144" })).toContain("choose another name");
  });

  test("holds the object of a replaced resource until Pulumi has deleted it, and says how to keep the object", () => {
    const conflictOf = conflictsIn(marked({ delete: true }));
    expect(conflictOf({ kind: "Volume", name: "old", id: "640144" })).toBe(
      'Pulumi will delete this object in the next update, because "data" was replaced. To keep the object, first run ' +
        "\"pulumi state delete 'urn:pulumi:dev::shop::pulumi-nodejs:dynamic/cloudinfra:Volume::data'\" in a terminal " +
        "and select the entry with the id 640144",
    );
    expect(conflictOf({ kind: "Volume", name: "data", id: "640144" })).toContain("Pulumi will delete this object");
    expect(conflictOf({ kind: "Volume", name: "data", id: "7" })).toBeUndefined();
  });

  test("holds the id of a deleted resource whose replacement is not finished", () => {
    expect(conflictsIn(marked({ pendingReplacement: true }))({ kind: "Volume", name: "old", id: "640144" })).toBe(
      'Pulumi replaces "data", which has this id, in the next update: run "pulumi up" first',
    );
  });

  test("holds the objects of native resources, former kinds and components", () => {
    const row = (type: string, parents = "") => ({
      urn: `urn:pulumi:dev::shop::${parents}${type}::theirs`,
      type,
      custom: true,
      id: "5",
    });
    const conflictOf = (kind: "Volume" | "OAuthClient", one: ResourceRow) =>
      conflictsIn({ version: 3, deployment: { resources: [one] } })({ kind, name: "mine", id: "5" });
    expect(conflictOf("Volume", row("cloudinfra:index:Volume"))).toBe(
      'the stack already manages this object as "theirs", a resource of the native plugin',
    );
    expect(conflictOf("OAuthClient", row("pulumi-nodejs:dynamic/cloudinfra:OauthClient"))).toBe(
      'the stack already manages this object as "theirs"',
    );
    expect(conflictOf("Volume", row("pulumi-nodejs:dynamic/cloudinfra:Volume", "shop:index:Site$"))).toBe(
      'the stack already manages this object as "theirs"',
    );
    const native = { version: 3, deployment: { resources: [row("cloudinfra:index:Volume")] } };
    expect(conflictsIn(native)({ kind: "Volume", name: "theirs", id: "6" })).toBe(
      'the stack already has a Volume "theirs", with id 5; choose another name',
    );
  });

  test("holds every object with the id of a resource that a newer version wrote", () => {
    const conflictOf = conflictsIn(marked({ outputs: { label: "data", __version: 7 } }));
    expect(conflictOf({ kind: "Volume", name: "old", id: "640144" })).toBe(
      '"data" has this id, and its state was written by a newer version of pulumi-cloudinfra: upgrade pulumi-cloudinfra first',
    );
    const type = "cloudinfra:index:Teleporter";
    const unknown = { urn: `urn:pulumi:dev::shop::${type}::beam`, type, custom: true, id: "5" };
    expect(
      conflictsIn({ version: 3, deployment: { resources: [unknown] } })({ kind: "Volume", name: "old", id: "5" }),
    ).toBe(
      'Teleporter "beam" has this id, and its state was written by a newer version of pulumi-cloudinfra: upgrade pulumi-cloudinfra first',
    );
  });

  test("holds the node pools of a cluster", () => {
    const type = "pulumi-nodejs:dynamic/cloudinfra:LkeCluster";
    const cluster = { urn: `urn:pulumi:dev::shop::${type}::apps`, type, custom: true, id: "12" };
    const state = { version: 3, deployment: { resources: [{ ...cluster, outputs: { poolIds: { small: 34 } } }] } };
    expect(conflictsIn(state)({ kind: "LkeNodePool", name: "old", id: "12/34" })).toBe(
      'the stack already manages this object as LkeCluster "apps"',
    );
    expect(conflictsIn(state)({ kind: "LkeNodePool", name: "old", id: "12/35" })).toBeUndefined();
  });
});

describe("an object that a resource of the stack declares in an input", () => {
  const conflictOf = (kind: string, inputs: object, wanted: { kind: KindName; id: string }) => {
    const type = `pulumi-nodejs:dynamic/cloudinfra:${kind}`;
    const row = { urn: `urn:pulumi:dev::shop::${type}::own`, type, custom: true, id: "5", inputs };
    return conflictsIn({ version: 3, deployment: { resources: [row] } })({ ...wanted, name: "two" });
  };
  const reason = (kind: string, input: string): string =>
    `${kind} "own" declares this object in its input ${input}; to adopt the object, first remove that input from the ` +
    'program and run "pulumi up"';
  const device = { kind: "FirewallDevice", id: "5/77" } as const;
  const config = { kind: "InstanceConfig", id: "5/77" } as const;

  test("is rejected, and the message says what to do", () => {
    for (const devices of [{ computes: [1, 2] }, {}])
      expect(conflictOf("Firewall", { devices }, device)).toBe(reason("Firewall", "devices"));
    expect(conflictOf("Instance", { config: { kernel: "compute/grub2" } }, config)).toBe(reason("Instance", "config"));
    const interfaces = [{ purpose: "public" }];
    expect(conflictOf("Instance", { image: "compute/debian11", interfaces }, config)).toBe(
      reason("Instance", "interfaces"),
    );
  });

  test.each([
    ["is in another object", "Firewall", { devices: { computes: [1] } }, { ...device, id: "6/77" }],
    ["is declared nowhere", "Firewall", { label: "wall" }, device],
    ["was only created by an input", "Instance", { image: "compute/debian11" }, config],
    ["was created with a clone", "Instance", { cloneFrom: 4 }, { kind: "InstanceDisk", id: "5/78" }],
    ["has another kind", "Instance", { config: {} }, { kind: "InstanceDisk", id: "5/78" }],
  ] as const)("is accepted if it %s", (_, kind, inputs, wanted) => {
    expect(conflictOf(kind, inputs, wanted)).toBeUndefined();
  });
});

describe("the program", () => {
  const credential = { ...volume, id: "5", program: { label: "root" }, withheld: ["password"], hidden: ["username"] };

  test("reads required secrets from the configuration, and lists inputs that the API does not return", () => {
    const objects = [{ kind: "ManagedCredential", name: "support login", resource: credential }] as const;
    expect(secretsOf(objects).map(({ key }) => key)).toEqual(["supportLoginPassword"]);
    expect(programOf(objects)).toBe(`import * as pulumi from "@pulumi/pulumi";
import { ManagedCredential } from "pulumi-cloudinfra";

const config = new pulumi.Config();

// ManagedCredential 5
// password is not returned by the API: pulumi config set --secret supportLoginPassword
// Not declared, because the API does not return a value: username.
new ManagedCredential(
  "support login",
  {
    label: "root",
    password: config.requireSecret("supportLoginPassword"),
  },
  { protect: true, ignoreChanges: ["password"] },
);
`);
  });

  test("reads a secret object from the configuration as a whole", () => {
    const resource = { ...volume, program: {}, withheld: ["data"] };
    expect(programOf([{ kind: "PaymentMethod", name: "card", resource }])).toContain(
      'data: config.requireSecretObject("cardData"),',
    );
  });

  test("declares objects without unused variables, and reads each secret from a key of its own", () => {
    const names = ["data", "Data", "data ", "class", "config", "pulumi", "volume", "1st", "ß", "import"];
    const text = programOf(names.map((name) => ({ kind: "Volume", name, resource: volume }) as const));
    expect(text).not.toContain("const ");
    expect(text.match(/^new Volume\($/gm)).toHaveLength(names.length);
    const secrets = names.map((name) => ({ kind: "ManagedCredential", name, resource: credential }) as const);
    const keys = secretsOf(secrets).map(({ key }) => key);
    expect(new Set(keys).size).toBe(names.length);
    expect(transpileModule(text, { reportDiagnostics: true }).diagnostics).toEqual([]);
  });

  test("escapes characters that control a terminal or a compiler", () => {
    const bad = '\u001b[31m"`\u2028\u202e\u200b\u009b*/\r\n__end';
    const resource = {
      ...volume,
      id: `us-east-1/b/${bad}`,
      program: { label: bad, map: { ["__proto__"]: { [bad]: [bad] } } },
    };
    const text = programOf([{ kind: "Volume", name: bad, resource }]);
    expect(text.replaceAll("\n", "")).toMatch(/^[ -~…]+$/);
    const compilerOptions = { target: ScriptTarget.ES2022, module: ModuleKind.CommonJS };
    const { outputText } = transpileModule(text, { compilerOptions });
    const created: unknown[] = [];
    const Volume = class {
      constructor(...args: unknown[]) {
        created.push(args);
      }
    };
    new Function("require", "exports", outputText)(() => ({ Volume }), {});
    expect(created).toEqual([[bad, JSON.parse(JSON.stringify(resource.program)), { protect: true }]]);
  });
});

test("a value that fits is written on one line", () => {
  expect(literal({ a: [1, "two", null, true], "b-c": {} })).toBe('{ a: [1, "two", null, true], "b-c": {} }');
  expect(literal({ list: ["a".repeat(60), "b".repeat(60)] })).toBe(
    `{\n  list: [\n    "${"a".repeat(60)}",\n    "${"b".repeat(60)}",\n  ],\n}`,
  );
});
