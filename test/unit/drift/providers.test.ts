import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { detectDrift, exitCodeOf, TimeLimit } from "../../../drift";
import { type Emulator, startEmulator } from "../../../emulator";
import { addToken, addUser } from "../../../emulator/core/users";
import { connect } from "../../../provider/client";
import { realTime } from "../../../provider/client/time";
import { ACCOUNT } from "../../../provider/pulumi/own-properties";
import { stackStateOf } from "../../../stack/state";
import { drip, listening } from "../../listening";

/** Two services, each with one account. */
let shop: Emulator;
let archive: Emulator;

beforeAll(async () => {
  shop = await startEmulator({ pace: "instant", token: "shop-token" });
  archive = await startEmulator({ pace: "instant", token: "archive-token", seed: 2 });
});

afterAll(async () => {
  await Promise.all([shop.close(), archive.close()]);
});

afterEach(() => void vi.unstubAllEnvs());

async function volumeIn(emulator: Emulator, label: string): Promise<string> {
  const { api, close } = connect(emulator);
  const { id } = await api.volumes.create({ body: { region: "us-east", label } });
  await close();
  return String(id);
}

const provider = (name: string, inputs: object) => {
  const urn = `urn:pulumi:dev::shop::pulumi:providers:cloudinfra::${name}`;
  return { urn, type: "pulumi:providers:cloudinfra", custom: true, id: `id-of-${name}`, inputs, outputs: inputs };
};

const volume = (name: string, id: string, label: string, by: string) => ({
  urn: `urn:pulumi:dev::shop::cloudinfra:index:Volume::${name}`,
  type: "cloudinfra:index:Volume",
  custom: true,
  id,
  inputs: { label, region: "us-east" },
  outputs: { label, region: "us-east" },
  provider: `urn:pulumi:dev::shop::pulumi:providers:cloudinfra::${by}::id-of-${by}`,
});

const stateOf = (...resources: object[]) => ({ name: "state.json", state: { version: 3, deployment: { resources } } });

const secret = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270", ciphertext: "v1:x" };

describe("a program with providers for two addresses", () => {
  let state: ReturnType<typeof stateOf>;

  beforeAll(async () => {
    const [here, existing] = [await volumeIn(shop, "here"), await volumeIn(archive, "there")];
    state = stateOf(
      provider("default", { url: shop.url }),
      provider("archive", { url: archive.url, token: secret }),
      volume("here", here, "here", "default"),
      volume("there", existing, "there", "archive"),
    );
  });

  test("each resource has its provider", async () => {
    const { resources, providers } = stackStateOf(state);
    expect(providers.map(({ url, isDefault }) => [url, isDefault])).toEqual([
      [shop.url, true],
      [archive.url, false],
    ]);
    expect(resources.map(({ provider }) => provider?.url)).toEqual([shop.url, archive.url]);
    expect(resources[1]?.provider).toMatchObject({
      urn: "urn:pulumi:dev::shop::pulumi:providers:cloudinfra::archive",
      inputs: { url: archive.url },
    });
  });

  test("a provider of the program is not a default provider, even if its name begins with the same letters", () => {
    const names = ["default", "default_0_1_0", "defaults", "default-eu"];
    const { providers } = stackStateOf(stateOf(...names.map((name) => provider(name, {}))));
    expect(providers.map(({ isDefault }) => isDefault)).toEqual([true, true, false, false]);
  });

  /** The reason why the resource `there` is not checked. */
  const elsewhere = () =>
    `the state says that they are at ${archive.url}, and this check reads ${shop.url}. ` +
    "Check them in a run of their own, with that address in CLOUDINFRA_URL and a token for it";

  test("sends the token to the only address whose provider sets none, and says how to check the rest", async () => {
    archive.requests.clear();
    const report = await detectDrift({ states: [state], token: shop.token });
    expect(report.findings).toEqual([]);
    expect(report.unread).toEqual([{ kind: "Volume", reason: elsewhere(), resources: ["shop/dev/Volume/there"] }]);
    expect(report.coverage).toMatchObject({ resources: 2, checked: 1 });
    expect(exitCodeOf(report)).toBe(3);
    expect(archive.requests.list()).toEqual([]);
  });

  test.each([
    ["none", undefined],
    ["each", secret],
  ])("sends the token to no address if %s of the providers sets one", async (_, token) => {
    for (const { requests } of [shop, archive]) requests.clear();
    const both = stateOf(
      provider("default", { url: shop.url, token }),
      provider("archive", { url: archive.url, token }),
      volume("here", "1", "here", "default"),
      volume("there", "2", "there", "archive"),
    );
    await expect(detectDrift({ states: [both], token: shop.token })).rejects.toThrow(
      `the state contains several API addresses (${shop.url}, ${archive.url}): set CLOUDINFRA_URL to the address that the token is for`,
    );
    for (const { requests } of [shop, archive]) expect(requests.list()).toEqual([]);
  });

  test("sends the token to no address if a provider without an address uses the default one of its dialect", async () => {
    for (const { requests } of [shop, archive]) requests.clear();
    const both = stateOf(
      provider("default", { dialect: "linode" }),
      provider("archive", { url: archive.url, token: secret }),
      volume("here", "1", "here", "default"),
      volume("there", "2", "there", "archive"),
    );
    const report = await detectDrift({ states: [both], token: archive.token }).catch((error: Error) => error);
    expect(archive.requests.list()).toEqual([]);
    expect(report).not.toHaveProperty("findings", []);
  });

  test("uses the dialect of the stack at the address that it reads", async () => {
    await using linode = await startEmulator({ pace: "instant", token: "linode-token", dialect: "linode" });
    const instance = (name: string) => {
      const row = volume(name, "7", name, name);
      return { ...row, urn: row.urn.replace(":Volume", ":Instance"), type: "cloudinfra:index:Instance" };
    };
    const both = stateOf(
      provider("plain", { url: shop.url }),
      provider("translated", { url: linode.url, dialect: "linode" }),
      instance("plain"),
      instance("translated"),
    );
    for (const { url, token, requests } of [shop, linode]) {
      requests.clear();
      await detectDrift({ states: [both], url, token });
      expect(new Set(requests.list().map(({ operation }) => operation))).toEqual(
        new Set(["instances.view", "logins.list"]),
      );
    }
  });

  test("does not use the token of another dialect at an address that only the state of a resource has", async () => {
    archive.requests.clear();
    vi.stubEnv("LINODE_TOKEN", "token-of-the-public-service");
    const row = volume("there", "1", "there", "default");
    const outputs = { ...row.outputs, __account: archive.url };
    const both = stateOf(
      { ...provider("default", {}), outputs: { __account: archive.url }, inputs: { __account: archive.url } },
      { ...row, outputs },
      provider("public", { dialect: "linode", token: secret }),
      volume("here", "2", "here", "public"),
    );
    await expect(detectDrift({ states: [both] })).rejects.toThrow("no token: set CLOUDINFRA_TOKEN");
    expect(archive.requests.list()).toEqual([]);
  });

  test("does not send the token elsewhere if the address is given, and says how to check the rest", async () => {
    archive.requests.clear();
    const report = await detectDrift({ states: [state], url: shop.url, token: shop.token, unmanaged: true });
    expect(report.findings).toEqual([]);
    expect(report.unread).toEqual([{ kind: "Volume", reason: elsewhere(), resources: ["shop/dev/Volume/there"] }]);
    expect(archive.requests.list()).toEqual([]);
  });

  test("takes the address from the environment in the same way", async () => {
    vi.stubEnv("CLOUDINFRA_URL", `${archive.url}/`);
    vi.stubEnv("CLOUDINFRA_TOKEN", archive.token);
    const report = await detectDrift({ states: [state] });
    expect(report.findings).toEqual([]);
    expect(report.unread.map(({ resources }) => resources)).toEqual([["shop/dev/Volume/here"]]);
  });

  test("an object of one account does not hide an unmanaged object with the same id in the other", async () => {
    const mine = await volumeIn(shop, "mine");
    const other = stateOf(
      provider("default", { url: shop.url }),
      provider("archive", { url: archive.url }),
      volume("theirs", mine, "theirs", "archive"),
      volume("other", await volumeIn(shop, "other"), "other", "default"),
    );
    const { unmanaged } = await detectDrift({ states: [other], url: shop.url, token: shop.token, unmanaged: true });
    expect(unmanaged?.objects.map(({ id }) => id)).toContain(mine);
  });

  test("nor does one of another account at the same address", async () => {
    const { api, close } = connect(shop);
    const { euuid } = await api.account.view().finally(close);
    const mine = await volumeIn(shop, "also-mine");
    const other = stateOf(
      provider("default", { url: shop.url, [ACCOUNT]: `${euuid} ${shop.url}` }),
      provider("archive", { url: shop.url, [ACCOUNT]: `another-id ${shop.url}` }),
      volume("theirs", mine, "theirs", "archive"),
      { ...volume("former", mine, "theirs", "archive"), delete: true },
      volume("another", await volumeIn(shop, "another"), "another", "default"),
    );
    const { unmanaged } = await detectDrift({ states: [other], url: shop.url, token: shop.token, unmanaged: true });
    expect(unmanaged?.objects.map(({ id }) => id)).toContain(mine);
  });

  test("ends with an error if no account accepts the token", async () => {
    await expect(detectDrift({ states: [state], token: "wrong" })).rejects.toThrow("the API rejected the token");
  });
});

describe("the token of a restricted user", () => {
  const state = (id: string) => stateOf(provider("default", { url: shop.url }), volume("lost", id, "lost", "default"));

  /** The user has access to the account as a whole, but no grant for a volume. */
  const restricted = (token: string) => {
    const grants = { global: { account_access: "read_only" as const }, entities: {} };
    addUser(shop.world, "ci", { restricted: true, grants });
    addToken(shop.world, token, { username: "ci" });
    return { url: shop.url, token };
  };

  test("leaves open whether an object that is not found was deleted", async () => {
    const id = await volumeIn(shop, "unseen");
    const report = await detectDrift({ states: [state(id)], ...restricted("ci-token") });
    expect(report.findings).toEqual([]);
    expect(report.unread).toEqual([
      {
        kind: "Volume",
        reason:
          "its object was not found, but it may exist: the token's user is restricted, and does not see objects without a grant. If it was deleted, add --accept-all-deleted (acceptAllDeleted for detectDrift)",
        resources: ["shop/dev/Volume/lost"],
      },
    ]);
    expect(exitCodeOf(report)).toBe(3);
  });

  test("reports it as deleted if the user confirms it", async () => {
    const access = restricted("ci-token-2");
    const report = await detectDrift({ states: [state("987654")], ...access, acceptAllDeleted: true });
    expect(report.unread).toEqual([]);
    expect(report.findings).toMatchObject([{ id: "987654", type: "deleted" }]);
  });
});

describe("a program with providers for two accounts at one address", () => {
  test("does not report the objects of the other account as deleted", async () => {
    const state = stateOf(
      provider("default", { url: shop.url, token: secret }),
      provider("team-b", { url: shop.url, token: secret }),
      volume("ours", await volumeIn(shop, "ours"), "ours", "default"),
      volume("theirs", "987654", "theirs", "team-b"),
    );
    const report = await detectDrift({ states: [state], url: shop.url, token: shop.token });
    expect(report.findings).toEqual([]);
    expect(report.unread).toEqual([
      {
        kind: "Volume",
        reason:
          "none of the objects of their provider exists in the account of this token, so the provider may use another account. Check them with its token",
        resources: ["shop/dev/Volume/theirs"],
      },
    ]);
    expect(exitCodeOf(report)).toBe(3);
  });

  const theirs = {
    kind: "Volume",
    reason:
      "none of the objects of their provider exists in the account of this token, so the provider may use another account. Check them with its token",
    resources: ["blog/dev/Volume/theirs"],
  };

  /** Two stacks, each with one volume and a default provider, of which only the first volume is in the account. */
  async function twoStacks(settings: object, marks: readonly object[] = [{}, {}]) {
    const first = stateOf(provider("default", { url: shop.url, ...settings }), {
      ...volume(
        "ours",
        await volumeIn(shop, `ours-${marks.length}-${Object.keys(settings).length}`),
        "ours",
        "default",
      ),
      outputs: { region: "us-east", ...marks[0] },
    });
    const second = stateOf(provider("default", { url: shop.url, ...settings }), {
      ...volume("theirs", "987654", "theirs", "default"),
      outputs: { label: "theirs", region: "us-east", ...marks[1] },
    });
    const text = JSON.stringify(second.state).replaceAll("::shop::", "::blog::");
    return [first, { name: "blog.json", state: JSON.parse(text) }];
  }

  test("does not report the objects of a stack as deleted if each stack has a token of its own", async () => {
    const states = await twoStacks({ token: secret });
    const report = await detectDrift({ states, url: shop.url, token: shop.token });
    expect(report.findings.filter(({ type }) => type === "deleted")).toEqual([]);
    expect(report.unread).toEqual([theirs]);
    expect(exitCodeOf(report)).toBe(3);
  });

  test("does not report them as deleted if the states record two accounts, and the token may not read its own", async () => {
    addToken(shop.world, "no-account", { scopes: ["volumes:read_only"] });
    const marks = ["a-id", "b-id"].map((id) => ({ [ACCOUNT]: `${id} ${shop.url}` }));
    const states = await twoStacks({}, marks);
    const report = await detectDrift({ states, url: shop.url, token: "no-account" });
    expect(report.findings.filter(({ type }) => type === "deleted")).toEqual([]);
    expect(report.unread).toEqual([theirs]);
  });

  test("reports a deleted object whose state has no account id, if others of its stack exist", async () => {
    const { api, close } = connect(shop);
    const { euuid } = await api.account.view();
    await close();
    const existing = volume("mixed", await volumeIn(shop, "mixed"), "mixed", "default");
    const state = stateOf(
      provider("default", { url: shop.url, token: secret }),
      { ...existing, outputs: { ...existing.outputs, [ACCOUNT]: `${euuid} ${shop.url}` } },
      volume("gone", "987654", "gone", "default"),
    );
    const report = await detectDrift({ states: [state], url: shop.url, token: shop.token });
    expect(report.unread).toEqual([]);
    expect(report.findings).toMatchObject([{ type: "deleted", address: "shop/dev/Volume/gone" }]);
  });

  test("reports deleted objects of a provider without a token of its own", async () => {
    const state = stateOf(
      provider("default", { url: shop.url }),
      provider("tagged", { url: shop.url, defaultTags: '["b"]' }),
      volume("left", await volumeIn(shop, "left"), "left", "default"),
      volume("gone", "987654", "gone", "tagged"),
    );
    const report = await detectDrift({ states: [state], url: shop.url, token: shop.token });
    expect(report.findings).toMatchObject([{ type: "deleted", address: "shop/dev/Volume/gone" }]);
  });
});

describe("objects of which none exists", () => {
  const missing = (mark: object, by = "default") =>
    ["a", "b", "c", "d"].map((name, i) => {
      const row = volume(`${by}-${name}`, `98765${i}`, name, by);
      return { ...row, outputs: { ...row.outputs, ...mark } };
    });

  const check = (...resources: object[]) =>
    detectDrift({ states: [stateOf(...resources)], url: shop.url, token: shop.token });

  /** The account of the shop, as a state records it. */
  async function mark(): Promise<object> {
    const { api, close } = connect(shop);
    const { euuid } = await api.account.view();
    await close();
    return { [ACCOUNT]: `${euuid} ${shop.url}` };
  }

  test("are reported as deleted if the state records the id of this account", async () => {
    const report = await check(provider("default", { url: shop.url }), ...missing(await mark()));
    expect(report.findings.map(({ name, type }) => [name, type])).toEqual([
      ["default-a", "deleted"],
      ["default-b", "deleted"],
      ["default-c", "deleted"],
      ["default-d", "deleted"],
    ]);
    expect(report.unread).toEqual([]);
    expect(exitCodeOf(report)).toBe(2);
  });

  test("are an error if the state records only the address of the account, or nothing", async () => {
    for (const unknown of [{ [ACCOUNT]: shop.url }, {}])
      await expect(check(provider("default", { url: shop.url }), ...missing(unknown))).rejects.toThrow(
        "the 4 objects in the state",
      );
  });

  test("of one of several providers are reported as deleted if the state records the id of this account", async () => {
    const report = await check(
      provider("default", { url: shop.url, token: secret }),
      provider("team-b", { url: shop.url, token: secret }),
      volume("exists", await volumeIn(shop, "exists"), "exists", "default"),
      ...missing(await mark(), "team-b"),
    );
    expect(report.findings.map(({ name }) => name)).toEqual(["team-b-a", "team-b-b", "team-b-c", "team-b-d"]);
    expect(report.unread).toEqual([]);
  });
});

describe("a service that cannot be reached", () => {
  const at = (url: string) =>
    stateOf(
      provider("default", { url }),
      ...Array.from({ length: 300 }, (_, i) => volume(`v${i}`, String(i + 1), `v${i}`, "default")),
    );

  test.each([false, true])("is an error, and not a report without findings (unmanaged: %s)", async (unmanaged) => {
    const check = detectDrift({ states: [at("http://127.0.0.1:1/v4")], token: "x", unmanaged });
    await expect(check).rejects.toMatchObject({
      name: "UnreachableAccountError",
      message: expect.stringMatching(
        /^nothing could be checked: \w+\.(view|list): cannot reach http:\/\/127\.0\.0\.1:1\//,
      ),
    });
  });

  test("is an error if another server responds", async () => {
    await using server = await listening((_, response) => void response.end("<html>log in</html>"));
    const check = detectDrift({ states: [at(`${server.url}/v4`)], token: "x" });
    await expect(check).rejects.toThrow("nothing could be checked: volumes.view: the response (200, ");
  });

  test("is an error at the time limit if it drips", async () => {
    await using server = await listening(drip);
    using limit = new TimeLimit("2s", () => {}, realTime);
    await expect(detectDrift({ states: [at(`${server.url}/v4`)], token: "x", limit, unmanaged: true })).rejects.toThrow(
      /^nothing could be checked: \w+\.(list|view): timed out while waiting for the response within the time limit of 2s\. To allow more time, set --timeout$/,
    );
  });
});

describe("states", () => {
  test("that are given twice count once", async () => {
    const state = stateOf(
      provider("default", { url: shop.url }),
      volume("a", await volumeIn(shop, "a"), "a", "default"),
    );
    const report = await detectDrift({ states: [state, { ...state, name: "again.json" }], token: shop.token });
    expect(report.stacks).toHaveLength(1);
    expect(report.coverage).toMatchObject({ resources: 1, checked: 1 });
  });

  test("that differ although they have the same resource are rejected", async () => {
    const [one, two] = [stateOf(volume("a", "1", "a", "x")), stateOf(volume("a", "2", "a", "x"))];
    await expect(
      detectDrift({ states: [one, { ...two, name: "older.json" }], url: shop.url, token: "x" }),
    ).rejects.toThrow(
      "state.json and older.json are different states with the same resource shop/dev/Volume/a: check only one of them",
    );
  });

  test("without resources of this provider are noted", async () => {
    const random = { urn: "urn:pulumi:dev::shop::random:index/randomId:RandomId::x", type: "random:x", custom: true };
    const report = await detectDrift({
      states: [stateOf(random), { name: "empty.json", state: { version: 3, deployment: {} } }],
    });
    expect(report.notes).toEqual([
      "shop/dev has no resources of this provider, so nothing in it was checked",
      "empty.json has no resources of this provider, so nothing in it was checked",
    ]);
  });
});
