import { expect, test } from "vitest";
import { providersNamed, requireSameAccounts, withAccount } from "../../../stack/account";
import type { Deployment } from "../../../stack/deployment";
import { cloud } from "../../../testing/cloud";
import { exported } from "../../lifecycle/exported";

const volume = { label: "data", region: "us-east", size: 20 };
const moved = { id: "E1AF5EEC", address: "https://api.example/v4" };
const access = { url: "https://new.example/v4", token: "new-token", dialect: undefined };
const newToken = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270", plaintext: '"new-token"' };

const urnOf = (type: string, name: string): string => `urn:pulumi:dev::shop::pulumi:providers:${type}::${name}`;

/** A stack with providers of one type, each with a volume of the provider's name. */
function stackOf(type: "cloudinfra" | "pulumi-nodejs", providers: Record<string, object>): Deployment {
  const volumes = Object.keys(providers).map((name) => ({
    ...{ kind: "Volume" as const, name, id: "640144", inputs: volume, outs: volume },
    provider: `${urnOf(type, name)}::1`,
  }));
  const { state } = exported(volumes, { provider: type === "cloudinfra" ? "native" : "dynamic" });
  const rows = Object.entries(providers).map(([name, inputs]) => ({
    ...{ urn: urnOf(type, name), type: `pulumi:providers:${type}`, custom: true, id: "1" },
    ...{ inputs, outputs: inputs },
  }));
  return {
    ...state,
    deployment: { ...state.deployment, resources: [...rows, ...state.deployment.resources] },
  } as never;
}

const bags = (state: Deployment) => (state.deployment.resources ?? []).map(({ inputs, outputs }) => [inputs, outputs]);
const twice = (bag: object) => [bag, bag];

test("finds the default providers, or those with a name, if resources use them", () => {
  const state = stackOf("cloudinfra", { default_0_1_0: {}, staging: {} });
  const found = (name?: string) =>
    providersNamed(state, name).map(({ provider, resources }) => [provider.urn, resources.map(({ urn }) => urn)]);
  const volumeUrn = (name: string) => `urn:pulumi:dev::shop::cloudinfra:index:Volume::${name}`;
  expect(found()).toEqual([[urnOf("cloudinfra", "default_0_1_0"), [volumeUrn("default_0_1_0")]]]);
  expect(found("staging")).toEqual([[urnOf("cloudinfra", "staging"), [volumeUrn("staging")]]]);
  expect(found("stag")).toEqual([]);
});

test("another account is recorded with a native provider, and replaces the access that the state contains", () => {
  const state = stackOf("cloudinfra", {
    default: { url: "https://old", token: "old" },
    staging: { url: "https://old" },
  });
  const __account = "E1AF5EEC https://api.example/v4";
  expect(bags(withAccount(state, providersNamed(state, undefined), moved, access))).toEqual([
    twice({ url: access.url, token: newToken, __account }),
    twice({ url: "https://old" }),
    twice(volume),
    twice(volume),
  ]);
  expect(bags(withAccount(state, providersNamed(state, "staging"), moved, access))[1]).toEqual(
    twice({ url: access.url, __account }),
  );
});

test("another account is recorded with each dynamic resource", () => {
  const state = stackOf("pulumi-nodejs", { default: { "cloudinfra:url": "https://old", "cloudinfra:token": "old" } });
  expect(bags(withAccount(state, providersNamed(state, undefined), moved, access))).toEqual([
    twice({ "cloudinfra:url": access.url, "cloudinfra:token": newToken }),
    twice({ ...volume, __account: "E1AF5EEC https://api.example/v4" }),
  ]);
});

test.each([
  { what: "leaves a public service", from: { url: "https://old", token: "old", dialect: "linode" }, to: undefined },
  { what: "leaves its default address", from: { token: "old", dialect: "linode" }, to: undefined },
  { what: "moves to a public service", from: { url: "https://old", token: "old" }, to: "linode" as const },
  { what: "had only its token in the state", from: { token: "old" }, to: "linode" as const },
])("the service that receives the token is recorded with it: a stack that $what", ({ from, to }) => {
  const expected = { url: access.url, token: newToken, ...(to && { dialect: to }) };
  const configured = (bag: object) =>
    Object.fromEntries(Object.entries(bag).map(([key, value]) => [`cloudinfra:${key}`, value]));
  const settingsAfter = (state: Deployment) =>
    bags(withAccount(state, providersNamed(state, undefined), moved, { ...access, dialect: to }))[0];
  expect(settingsAfter(stackOf("cloudinfra", { default: from }))).toEqual(
    twice({ ...expected, __account: "E1AF5EEC https://api.example/v4" }),
  );
  expect(settingsAfter(stackOf("pulumi-nodejs", { default: configured(from) }))).toEqual(twice(configured(expected)));
});

test("settings that come from the environment are not written to the state", () => {
  const state = stackOf("pulumi-nodejs", { default: { "cloudinfra:defaultTags": "[]" } });
  const after = withAccount(state, providersNamed(state, undefined), moved, { ...access, dialect: "linode" });
  expect(bags(after)[0]).toEqual(twice({ "cloudinfra:defaultTags": "[]" }));
});

test("the state is not changed if the account cannot be read, because the token may be that of another one", async () => {
  await using world = await cloud();
  const { emulator, host } = world;
  emulator.faults.add({ path: "account.view", kind: "status", status: 500, times: 1_000 });
  const recorded = { id: "E1AF5EEC", address: host.address };
  await expect(requireSameAccounts(host, [{ account: undefined }, { account: recorded }])).rejects.toThrow(
    "Nothing was changed.",
  );
});
