import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { detectDrift } from "../../../drift";
import { addressOfToken } from "../../../drift/places";
import { text } from "../../../drift/report/text";
import { OpenFindings } from "../../../drift/watch/open-findings";
import { type Emulator, startEmulator } from "../../../emulator";
import { connect } from "../../../provider/client";
import { ACCOUNT } from "../../../provider/pulumi/own-properties";
import { encrypted } from "../../lifecycle/exported";

/** Two services, each with one account. */
let shop: Emulator;
let archive: Emulator;
/** The ids of volumes in the shop, whose labels are the names of stacks. */
let volumes: { dev: string; prod: string; web: string };

beforeAll(async () => {
  shop = await startEmulator({ pace: "instant", token: "shop-token" });
  const { api, close } = connect(shop);
  const create = async (label: string) => String((await api.volumes.create({ body: { region: "us-east", label } })).id);
  volumes = { dev: await create("dev"), prod: await create("prod"), web: await create("web") };
  await close();
  archive = await startEmulator({ pace: "instant", token: "archive-token", seed: 2 });
});

afterAll(async () => {
  await Promise.all([shop.close(), archive.close()]);
});

beforeEach(() => {
  for (const { requests } of [shop, archive]) requests.clear();
});

afterEach(() => void vi.unstubAllEnvs());

async function accountOf(emulator: Emulator): Promise<string> {
  const { api, close } = connect(emulator);
  const { euuid } = await api.account.view();
  await close();
  return `${euuid} ${emulator.url}`;
}

interface Settings {
  url: string;
  token?: unknown;
  [ACCOUNT]?: string;
}

/** The state of a stack with one volume, whose label is the stack's name. */
function stackWith(stack: string, id: string, inputs: Settings) {
  const urn = (type: string, name: string) => `urn:pulumi:${stack}::shop::${type}::${name}`;
  const type = "cloudinfra:index:Volume";
  const provider = urn("pulumi:providers:cloudinfra", "default");
  const outputs = { label: stack, region: "us-east" };
  const resources = [
    { urn: provider, type: "pulumi:providers:cloudinfra", custom: true, id: "p", inputs, outputs: inputs },
    { urn: urn(type, "data"), type, custom: true, id, inputs: outputs, outputs, provider: `${provider}::p` },
  ];
  return { name: stack, state: { version: 3, deployment: { resources } } };
}

type States = ReturnType<typeof stackWith>[];

const check = (states: States, options: { unmanaged?: boolean; others?: States } = {}) => {
  const { others = [], ...rest } = options;
  const tokenOf = async () => undefined;
  return detectDrift({ states, backend: { tokenOf, others: { states: others, unreadable: [] } }, ...rest });
};

describe("the token in the environment", () => {
  beforeEach(() => void vi.stubEnv("CLOUDINFRA_TOKEN", shop.token));

  test("is enough for all stacks if they have one address", async () => {
    const states = [
      stackWith("dev", volumes.dev, { url: shop.url }),
      stackWith("prod", volumes.prod, { url: `${shop.url}/` }),
    ];
    expect(await check(states)).toMatchObject({ failures: [], findings: [], coverage: { checked: 2 } });
  });

  test("is sent to no address if stacks without a token have several", async () => {
    const report = await check([stackWith("dev", "1", { url: shop.url }), stackWith("old", "2", { url: archive.url })]);
    const reason = (url: string) =>
      `it sets no token, and CLOUDINFRA_TOKEN may be for another address: set CLOUDINFRA_URL to ${url} if the token is for it, or set cloudinfra:token in the stack's configuration`;
    expect(report.failures).toEqual([
      { stack: "shop/dev", reason: reason(shop.url), resources: 1, exitCode: 1 },
      { stack: "shop/old", reason: reason(archive.url), resources: 1, exitCode: 1 },
    ]);
    for (const { requests } of [shop, archive]) expect(requests.list()).toEqual([]);
  });

  test("is sent to the only address at which stacks set no token", async () => {
    const report = await check([
      stackWith("dev", volumes.dev, { url: shop.url }),
      stackWith("old", "2", { url: archive.url, token: encrypted }),
    ]);
    expect(report.coverage).toMatchObject({ resources: 2, checked: 1 });
    expect(report.failures?.map(({ stack }) => stack)).toEqual(["shop/old"]);
    expect(archive.requests.list()).toEqual([]);
  });

  test("is sent to the address in the environment", async () => {
    vi.stubEnv("CLOUDINFRA_URL", shop.url);
    const report = await check([
      stackWith("dev", volumes.dev, { url: shop.url }),
      stackWith("old", "2", { url: archive.url }),
    ]);
    expect(report.failures?.map(({ stack }) => stack)).toEqual(["shop/old"]);
    expect(archive.requests.list()).toEqual([]);
  });

  test("is for the default address of the dialect in the environment, if stacks are there", () => {
    const places = [shop.url, "https://api.linode.com/v4"].map((address) => ({ address, provider: undefined }));
    expect(addressOfToken(places)).toBeUndefined();
    vi.stubEnv("CLOUDINFRA_DIALECT", "linode");
    expect(addressOfToken(places)).toBe("https://api.linode.com/v4");
  });
});

test("a check in which no account could be read does not report that all objects are managed", async () => {
  vi.stubEnv("CLOUDINFRA_TOKEN", "wrong");
  const report = await check([stackWith("dev", "1", { url: shop.url })], { unmanaged: true });
  expect(report.failures?.map(({ stack, exitCode }) => [stack, exitCode])).toEqual([["shop/dev", 4]]);
  expect(report.unmanaged).toBeUndefined();
});

test("a deleted object is not folded into one of another account with the same id", async () => {
  const rowOf = ({ url }: Emulator, kind: string, id: string, stack: string) => {
    const { name, state } = stackWith(stack, id, { url });
    const [provider, row] = state.deployment.resources;
    const type = `cloudinfra:index:${kind}`;
    const urn = `urn:pulumi:${stack}::shop::${type}::data`;
    return { name, state: { version: 3, deployment: { resources: [provider, { ...row, type, urn, id }] } } };
  };
  const states = [rowOf(shop, "Domain", "987654", "dev"), rowOf(archive, "DomainRecord", "987654/1", "old")];
  const tokenOf = async (stack: string) => ({ token: stack === "shop/dev" ? shop.token : archive.token, source: "t" });
  const { findings } = await detectDrift({ states, backend: { tokenOf } });
  expect(findings.map(({ address, type, children }) => [address, type, children])).toEqual([
    ["shop/dev/Domain/data", "deleted", undefined],
    ["shop/old/DomainRecord/data", "deleted", undefined],
  ]);
});

test("a deleted object that two stacks manage as different kinds is a finding of each", async () => {
  vi.stubEnv("CLOUDINFRA_TOKEN", shop.token);
  const [asVolume, asClone] = ["dev", "web"].map((name) => stackWith(name, "987654", { url: shop.url })) as [
    States[number],
    States[number],
  ];
  const text = JSON.stringify(asClone.state).replaceAll("cloudinfra:index:Volume", "cloudinfra:index:VolumeClone");
  const states = [asVolume, { ...asClone, state: JSON.parse(text) }];
  const { findings } = await detectDrift({ states, url: shop.url, acceptAllDeleted: true });
  expect(findings.map(({ address, type, children }) => [address, type, children])).toEqual([
    ["shop/dev/Volume/data", "deleted", undefined],
    ["shop/web/VolumeClone/data", "deleted", undefined],
  ]);
});

test("stacks of two organizations with one name are both checked, and each resource has its organization in its address", async () => {
  const states = [
    { ...stackWith("dev", volumes.prod, { url: shop.url }), name: "acme/shop/dev", organization: "acme" },
    { ...stackWith("dev", "987654", { url: shop.url }), name: "ada/shop/dev", organization: "ada" },
  ];
  const requested: string[] = [];
  const tokenOf = async (stack: string) => {
    requested.push(stack);
    return { token: shop.token, source: "t" };
  };
  const report = await detectDrift({ states, backend: { tokenOf } });
  expect(requested).toEqual(["acme/shop/dev"]);
  expect(report).toMatchObject({
    stacks: [{ name: "acme/shop/dev" }, { name: "ada/shop/dev" }],
    failures: [],
    findings: [
      { address: "acme/shop/dev/Volume/data", bucket: "drift", path: "/label" },
      { address: "ada/shop/dev/Volume/data", bucket: "drift", type: "deleted" },
    ],
    coverage: { resources: 2, checked: 2 },
  });
  // The first stack had no organization in its address before the second one existed.
  const accept = [{ address: "shop/dev/Volume/data", path: "/label", reason: "a colleague's name" }];
  const baseline = { findings: report.findings.map((finding) => ({ ...finding, address: "shop/dev/Volume/data" })) };
  for (const known of [{ allowList: { accept } }, { baseline }])
    expect(await detectDrift({ states, backend: { tokenOf }, ...(known as object) })).toMatchObject({
      findings: expect.arrayContaining([
        expect.objectContaining({ address: "acme/shop/dev/Volume/data", bucket: "accepted" }),
      ]),
      notes: [],
    });
  const printed = text(report);
  expect(printed).toContain("  acme/shop/dev/Volume/data  Volume");
  expect(printed).toContain("  ada/shop/dev/Volume/data  Volume");
  expect(text({ ...report, findings: report.findings.slice(0, 1) })).toContain(
    "pulumi up --refresh --stack acme/shop/dev\n",
  );
  const open = new OpenFindings();
  expect(open.update(report).map(({ type }) => type)).toEqual(["drift.found", "drift.found"]);
  expect(open.update({ ...report, findings: report.findings.slice(1) })).toMatchObject([
    { type: "drift.resolved", finding: { address: "acme/shop/dev/Volume/data" } },
  ]);
});

describe("an object of a stack that is not checked", () => {
  const unmanagedOf = async (checked: Settings, other: Settings): Promise<string[]> => {
    vi.stubEnv("CLOUDINFRA_TOKEN", shop.token);
    const { unmanaged } = await check([stackWith("dev", volumes.dev, checked)], {
      unmanaged: true,
      others: [stackWith("web", volumes.web, other)],
    });
    return unmanaged?.objects.flatMap(({ id }) => ([volumes.dev, volumes.web].includes(id) ? [id] : [])) ?? [];
  };

  test("is managed, also if only one of the states records the id of the account", async () => {
    const [unknown, recorded] = [{ url: shop.url }, { url: shop.url, [ACCOUNT]: await accountOf(shop) }];
    for (const [checked, other] of [
      [unknown, recorded],
      [recorded, unknown],
      [recorded, recorded],
    ] as const)
      expect(await unmanagedOf(checked, other)).toEqual([]);
  });

  test("is managed if its state has another address of the account", async () => {
    const local = new URL(shop.url);
    local.hostname = "localhost";
    const recorded = { url: local.href, [ACCOUNT]: await accountOf(shop) };
    expect(await unmanagedOf({ url: shop.url, [ACCOUNT]: await accountOf(shop) }, recorded)).toEqual([]);
    vi.stubEnv("CLOUDINFRA_TOKEN", "");
    const tokenOf = async () => ({ token: shop.token, source: "t" });
    const { unmanaged } = await detectDrift({
      states: [
        stackWith("dev", volumes.dev, recorded),
        stackWith("prod", volumes.prod, { url: shop.url }),
        stackWith("web", volumes.web, { url: local.href }),
      ],
      backend: { tokenOf },
      unmanaged: true,
    });
    expect(unmanaged?.objects.filter(({ kind }) => kind === "Volume")).toEqual([]);
  });

  test("is unmanaged if its state records the id of another account at the same address", async () => {
    const unmanaged = await unmanagedOf({ url: shop.url }, { url: shop.url, [ACCOUNT]: `another ${shop.url}` });
    expect(unmanaged).toEqual([volumes.web]);
  });
});
