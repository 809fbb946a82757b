import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type DriftOptions, detectDrift, exitCodeOf, KindError, UnreachableAccountError } from "../../../drift";
import { type Emulator, startEmulator } from "../../../emulator";
import { connect } from "../../../provider/client";
import { ACCOUNT } from "../../../provider/pulumi/own-properties";
import { exported } from "../../lifecycle/exported";
import { stateOfAll } from "./large-state";

let emulator: Emulator;
let state: Awaited<ReturnType<typeof stateOfAll>>;

beforeAll(async () => {
  emulator = await startEmulator({ pace: "instant", account: "small" });
  state = await stateOfAll(emulator);
});

afterAll(() => emulator.close());

beforeEach(() => emulator.requests.clear());

const check = (options: Partial<DriftOptions>) =>
  detectDrift({ states: [state], url: emulator.url, token: emulator.token, ...options });

/** The API areas that the check has read, such as `volumes`. */
const areasRead = (): string[] =>
  [...new Set(emulator.requests.list().map(({ operation }) => String(operation).split(".")[0] ?? ""))].sort();

const countOf = (...kinds: string[]): number =>
  state.state.deployment.resources.filter(({ type }) => kinds.some((kind) => type.endsWith(`:${kind}`))).length;

/** A stack with a volume that does not exist, and with a bucket. */
const missing = (stack = "dev") =>
  exported(
    [
      { kind: "Volume", name: "data", id: "7", inputs: {}, outs: { label: "data" } },
      { kind: "ObjectStorageBucket", name: "files", id: "us-east-1/none", inputs: {}, outs: { label: "none" } },
    ],
    { stack },
  );

describe("resources of ignored kinds", () => {
  test("are neither read nor counted, and the report names their kinds once and in order", async () => {
    const report = await check({ ignoreKinds: ["Volume", "Instance", "Volume"] });
    expect(report.ignoredKinds).toEqual(["Instance", "Volume"]);
    expect(areasRead()).toEqual(["domainRecords", "domains"]);
    const count = countOf("Domain", "DomainRecord");
    expect(count).toBeGreaterThan(0);
    expect(report).toMatchObject({
      stacks: [{ name: "shop/dev", resources: count }],
      coverage: { resources: count, checked: count },
      unread: [],
    });
    expect([...new Set(report.objects.map(({ kind }) => kind))].sort()).toEqual(["Domain", "DomainRecord"]);
  });

  test("do not fail the check, unlike those of other kinds", async () => {
    const deleted = await check({ states: [missing()], ignoreKinds: ["ObjectStorageBucket"] });
    expect(deleted.findings).toMatchObject([{ address: "shop/dev/Volume/data", type: "deleted" }]);
    expect(exitCodeOf(deleted)).toBe(2);
    const ignored = await check({ states: [missing()], ignoreKinds: ["Volume"] });
    expect(ignored.findings).toMatchObject([{ address: "shop/dev/ObjectStorageBucket/files" }]);
  });

  test("are compared if only the kind of the object that contains them is ignored", async () => {
    const { coverage } = await check({ ignoreKinds: ["Domain"] });
    expect(coverage.checked).toBe(countOf("Instance", "Volume", "DomainRecord"));
    expect(emulator.requests.list().filter(({ operation }) => operation === "domains.list")).toEqual([]);
  });

  test("are not read if a stack has no others, which a note reports", async () => {
    const report = await check({
      states: [missing()],
      url: "http://127.0.0.1:1/v4",
      ignoreKinds: ["Volume", "ObjectStorageBucket"],
    });
    expect(report).toMatchObject({ coverage: { resources: 0, checked: 0 }, unread: [], findings: [] });
    expect(report.notes).toEqual([
      "shop/dev has no resources of this provider that the check covers, so nothing in it was checked",
    ]);
    expect(exitCodeOf(report)).toBe(0);
  });

  test("are not reported if they cannot be compared, or are about to be deleted", async () => {
    const states = [
      exported([
        { kind: "Volume", name: "new", id: "", inputs: {}, outs: {} },
        { kind: "Volume", name: "old", id: "7", inputs: {}, outs: {}, delete: true },
      ]),
    ];
    const all = await check({ states });
    expect([all.unread.length, all.notes.length, exitCodeOf(all)]).toEqual([1, 1, 3]);
    const { unread, objects, notes, coverage } = await check({ states, ignoreKinds: ["Volume"] });
    expect([unread, objects]).toEqual([[], []]);
    expect(notes).toEqual([expect.stringContaining("that the check covers")]);
    expect(coverage.resources).toBe(0);
  });

  test("that belong to another account are not reported as not checked", async () => {
    const outs = { label: "data", [ACCOUNT]: `another ${emulator.url}` };
    const states = [state, exported([{ kind: "Volume", id: "7", inputs: {}, outs }], { stack: "other" })];
    expect((await check({ states })).unread).toMatchObject([
      { kind: "Volume", resources: ["shop/other/Volume/thing"] },
    ]);
    expect((await check({ states, ignoreKinds: ["Volume"] })).unread).toEqual([]);
  });

  test("do not turn the entries of the allow-list for them into notes", async () => {
    const entry = (address: string) => ({ address, reason: "r" });
    const allowList = {
      accept: [
        entry("shop/dev/Volume/data"),
        entry("urn:pulumi:dev::shop::*Volume*::data"),
        entry("shop/dev/Volume/typo"),
      ],
    };
    const { notes } = await check({ states: [missing()], ignoreKinds: ["Volume"], allowList });
    expect(notes).toEqual(["the allow-list entry for shop/dev/Volume/typo does not match any finding"]);
  });

  test("do not hide that no account of the others could be read", async () => {
    const provider = (name: string, url: string) => {
      const urn = `urn:pulumi:dev::shop::pulumi:providers:cloudinfra::${name}`;
      return { urn, type: "pulumi:providers:cloudinfra", id: name, custom: true, inputs: { url } };
    };
    const [here, other] = [provider("here", emulator.url), provider("there", "http://127.0.0.1:1/v4")];
    const { name, state } = exported([
      { kind: "Volume", id: "7", inputs: {}, outs: {}, provider: `${here.urn}::here` },
      { kind: "Domain", id: "7", inputs: {}, outs: {}, provider: `${other.urn}::there` },
    ]);
    const resources = [here, other, ...state.deployment.resources];
    const states = [{ name, state: { version: 3, deployment: { resources } } }];
    const checked = check({ states, url: "http://127.0.0.1:1/v4", ignoreKinds: ["Volume"] });
    await expect(checked).rejects.toThrow(UnreachableAccountError);
  });

  test("are left out of the changes of the program", async () => {
    const step = (kind: string) => ({ op: "create", urn: `urn:pulumi:dev::shop::cloudinfra:index:${kind}::new` });
    const previews = [{ steps: [step("Volume"), step("Domain")] }];
    const { program } = await check({ ignoreKinds: ["Volume"], previews });
    expect(program?.map(({ address }) => address)).toEqual(["shop/dev/Domain/new"]);
  });
});

describe("unmanaged objects of ignored kinds", () => {
  const unmanaged = true;
  const empty = { name: "empty.json", state: { version: 3, deployment: {} } };

  test("are neither read nor listed", async () => {
    const all = await check({ states: [empty], unmanaged });
    emulator.requests.clear();
    const report = await check({ states: [empty], unmanaged, ignoreKinds: ["Volume", "Domain"] });
    const others = all.unmanaged?.objects.filter(({ kind }) => kind !== "Volume" && kind !== "Domain");
    expect(report.unmanaged?.objects).toEqual(others);
    expect(areasRead().filter((area) => /^(volumes|domain)/.test(area))).toEqual([]);
  });

  test("do not count as managed either", async () => {
    const { unmanaged: share } = await check({ unmanaged, ignoreKinds: ["Volume"] });
    expect(share?.managed).toBe(countOf("Instance", "Domain", "DomainRecord"));
  });

  test("are managed objects if a resource of an ignored kind manages them", async () => {
    const { api, close } = connect(emulator);
    const [volume] = (await api.volumes.list()).data;
    await close();
    const id = String(volume?.id);
    const states = [exported([{ kind: "VolumeClone", id, inputs: {}, outs: { label: volume?.label } }])];
    const report = await check({ states, unmanaged, ignoreKinds: ["VolumeClone"] });
    const volumes = report.unmanaged?.objects.flatMap(({ kind, id }) => (kind === "Volume" ? [id] : []));
    expect(volumes?.length).toBeGreaterThan(0);
    expect(volumes).not.toContain(id);
  });

  test.each([
    [["Domain"], "kind DomainRecord are not listed, because Domain is not read"],
    [["Domain", "DomainRecord"], undefined],
    [
      ["NodeBalancer"],
      "kinds NodeBalancerConfig and NodeBalancerNode are not listed, because NodeBalancer is not read",
    ],
    [
      ["NodeBalancer", "NodeBalancerConfig"],
      "kind NodeBalancerNode are not listed, because NodeBalancerConfig is not read",
    ],
  ] as const)(
    "are not read to list the objects that they contain, which a note reports (%j)",
    async (ignoreKinds, text) => {
      const notes = text ? [`unmanaged objects of the ${text}`] : [];
      expect((await check({ unmanaged, ignoreKinds })).notes).toEqual(notes);
      expect((await check({ ignoreKinds })).notes).toEqual([]);
    },
  );

  test.each([
    [["LkeCluster"], "LkeCluster"],
    [["LkeNodePool"], "LkeNodePool"],
  ] as const)("are not read to recognize Kubernetes nodes, which a note reports (%j)", async (ignoreKinds, cause) => {
    const note = `objects of the kind Instance can be listed as unmanaged although an object of the kind LkeNodePool created them, because ${cause} is not read`;
    const pools = "unmanaged objects of the kind LkeNodePool are not listed, because LkeCluster is not read";
    const ofPools = cause === "LkeCluster" ? [pools] : [];
    expect((await check({ unmanaged, ignoreKinds })).notes).toEqual([...ofPools, note]);
    expect(areasRead()).not.toContain("lkePools");
    expect((await check({ ignoreKinds })).notes).toEqual([]);
    const parts =
      "unmanaged objects of the kinds InstanceConfig and InstanceDisk are not listed, because Instance is not read";
    expect((await check({ unmanaged, ignoreKinds: [...ignoreKinds, "Instance"] })).notes.sort()).toEqual(
      [parts, ...ofPools].sort(),
    );
  });
});

describe("in a check of a whole backend, ignored kinds", () => {
  const token = (stack: string) =>
    Promise.resolve({ token: stack.includes("bad") ? "x" : emulator.token, source: "t" });
  const withProvider = (stack: string, kind: "Volume" | "Domain") => {
    const urn = `urn:pulumi:${stack}::shop::pulumi:providers:cloudinfra::default`;
    const provider = { urn, type: "pulumi:providers:cloudinfra", id: "p", custom: true, inputs: { url: emulator.url } };
    const { name, state } = exported([{ kind, id: "7", inputs: {}, outs: {}, provider: `${urn}::p` }], {
      stack,
      provider: "native",
    });
    const resources = [provider, ...state.deployment.resources];
    return { name, state: { version: 3, deployment: { resources } } };
  };
  const failures = async (kinds: readonly ("Volume" | "Domain")[], options: Partial<DriftOptions>) => {
    const states = kinds.map((kind, i) => withProvider(`bad-${i}`, kind));
    const report = await check({ states, backend: { tokenOf: token }, url: undefined, token: undefined, ...options });
    return report.failures?.map(({ stack, resources }) => [stack, resources]);
  };

  test("do not fail the stacks that have only such resources", async () => {
    expect(await failures(["Volume", "Domain"], {})).toEqual([
      ["shop/bad-0", 1],
      ["shop/bad-1", 1],
    ]);
    expect(await failures(["Volume", "Domain"], { ignoreKinds: ["Volume"] })).toEqual([["shop/bad-1", 1]]);
    emulator.requests.clear();
    expect(await failures(["Volume", "Domain"], { ignoreKinds: ["Volume", "Domain"] })).toEqual([]);
    expect(areasRead()).toEqual([]);
  });

  test("do not hide that unmanaged objects could not be listed", async () => {
    expect(await failures(["Volume"], { ignoreKinds: ["Volume"], unmanaged: true })).toEqual([["shop/bad-0", 0]]);
  });
});

test.each([
  ["Volum", 'there is no kind "Volum"; did you mean "Volume"?'],
  ["toString", 'there is no kind "toString"; expected one of AccountContact, Domain, '],
])("a kind that does not exist (%s) is an error before anything is read", async (name, message) => {
  const checked = check({ ignoreKinds: ["Volume", name as "Volume"] });
  await expect(checked).rejects.toThrow(KindError);
  await expect(checked).rejects.toThrow(message);
  expect(emulator.requests.list()).toEqual([]);
});
