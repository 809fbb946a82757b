import { describe, expect, test } from "vitest";
import { detectDrift } from "../../drift";
import { addToken } from "../../emulator/core/users";
import { importAccount } from "../../import";
import { ofOwnAccount } from "../../import/held";
import type { Bag } from "../../provider/engine/values";
import type { ProviderType } from "../../stack/migration";
import { stackStateOf } from "../../stack/state";
import type { Cloud } from "../../testing/cloud";
import { pluginProvider } from "../../testing/native-provider";
import { Managed, type State } from "../../testing/provider";
import { dynamicProvider, type ResourceProvider } from "../../testing/resource-provider";
import { idOf, otherAccount, otherId, withoutProgram, withProgram } from "./accounts";
import { account } from "./behaviour/accounts";
import { exported, type InStack } from "./exported";
import { names, scenario } from "./scenario";

/** Calls the provider for a resource in state as Pulumi's commands do, one after the other. */
const commands: Record<string, (provider: ResourceProvider, state: State) => Promise<unknown>> = {
  diff: (provider, state) => provider.diff(state, state.inputs),
  update: (provider, state) => provider.update(state, state.inputs),
  refresh: (provider, state) => provider.read(state),
  delete: (provider, state) => provider.delete(state),
};

/** Creates another resource of the same kind. */
const another = (provider: ResourceProvider, { inputs }: State) => provider.create(inputs);

const uncertain = "it is not certain that the account is that of this stack, as another error explains";

const rejection = (before: Cloud, now: Cloud): string =>
  `this stack belongs to account ${idOf(before.emulator)} at ${before.host.address}, but the address and token in use are those of account ${otherId} at ${now.host.address}. ` +
  "Nothing was changed. " +
  (now.host.address === before.host.address
    ? 'Only if the address is that of an emulator that was restarted without --data, and not of a tunnel to a service, remove the stack with "pulumi stack rm --force --preserve-config NAME": its account does not exist any more. Otherwise, restore '
    : "Restore ") +
  "the former address and token (cloudinfra:url and cloudinfra:token, or CLOUDINFRA_URL and CLOUDINFRA_TOKEN). " +
  'To move the stack to the other account on purpose, run "npx cloudinfra migrate --account", which first looks up every object there';

describe.each(["same address", "other address"] as const)("an account with the same ids at the %s", (at) => {
  test.each(names)("is not changed by any command of a dynamic resource: %s", async (name) => {
    await using it = await scenario(name);
    const managed = new Managed(name, it.host, "thing", dynamicProvider);
    await managed.up(it.fixture.base as never);
    const state = managed.state as State;
    await using other = await otherAccount(it, at);
    const expected = rejection(it, other);
    const command = other.reconnect();
    const provider = dynamicProvider(name, () => command);
    const checked = await provider.check("thing", state.inputs, it.fixture.base);
    expect(checked.failures).toEqual([{ property: "", reason: expected }]);
    await expect(another(provider, state), "the next resource has a short message").rejects.toMatchObject({
      message: uncertain,
    });
    for (const [command, run] of Object.entries(commands))
      await expect(run(dynamicProvider(name, other.reconnect), state), command).rejects.toMatchObject({
        message: expected,
      });
    expect(other.emulator.requests.list().map(({ operation }) => operation)).toEqual(Array(5).fill("account.view"));
  });

  const ofProviders = names.flatMap((name) => [
    { name, provider: "default", instance: "default_0_1_0" },
    { name, provider: "explicit", instance: "shop" },
  ]);

  test.each(ofProviders)(
    "is not changed by any command of a native resource: $name, $provider provider",
    async ({ name, instance }) => {
      await using it = await scenario(name);
      const configured = await withProgram(it.host, {}, instance);
      const managed = new Managed(name, it.host, "thing", () => pluginProvider(name, async () => configured.plugin));
      await managed.up(it.fixture.base as never);
      const state = managed.state as State;
      await using other = await otherAccount(it, at);
      const expected = rejection(it, other);
      expect((await withProgram(other.reconnect(), configured.inputs, instance)).failures).toEqual([expected]);
      const { diff: _, ...changing } = commands;
      for (const [command, run] of Object.entries({ ...changing, create: another })) {
        const { plugin, error } = await withoutProgram(other.reconnect(), configured.inputs);
        expect(error).toBe(expected);
        const provider = pluginProvider(name, async () => plugin);
        await expect(run(provider, state), command).rejects.toMatchObject({ message: expected });
        await expect(run(provider, state), "the next resource has a short message").rejects.toMatchObject({
          message: uncertain,
        });
      }
      expect(other.emulator.requests.list().filter(({ method }) => method !== "GET")).toEqual([]);
    },
  );

  test.each(names)(
    "is not read by a drift check, an import or an adoption for a stack with a resource: %s",
    async (name) => {
      await using it = await scenario(name);
      await it.managed.up(it.fixture.base);
      const resource = { kind: name, ...(it.managed.state as State) };
      await using other = await otherAccount(it, at);
      const expected = { message: rejection(it, other) };
      for (const provider of ["dynamic", "native"] as const) {
        const state = inStack(resource, provider);
        const account = () => ({ host: other.reconnect() });
        await expect(detectDrift({ states: [state], account: account() })).rejects.toMatchObject(expected);
        await expect(detectDrift({ states: [state], account: account(), unmanaged: true })).rejects.toMatchObject(
          expected,
        );
        const into = { project: "shop", provider, state };
        await expect(importAccount({ ...into, account: account() })).rejects.toMatchObject(expected);
        await expect(ofOwnAccount(stackStateOf(state), other.reconnect())).rejects.toMatchObject(expected);
      }
      expect(new Set(other.emulator.requests.list().map(({ operation }) => operation))).toEqual(
        new Set(["account.view"]),
      );
    },
  );
});

/**
 * The exported state of a stack with one resource. The account is in the properties of a dynamic resource, and in those
 * of the provider of a native one.
 */
function inStack({ inputs, outs, ...resource }: InStack, provider: ProviderType) {
  const { __account, ...own } = inputs;
  const { __account: _, ...ownOuts } = outs;
  if (provider === "dynamic") return exported([{ ...resource, inputs, outs }]);
  const urn = "urn:pulumi:dev::shop::pulumi:providers:cloudinfra::shop";
  const row = { urn, type: "pulumi:providers:cloudinfra", custom: true, id: "1", inputs: { __account }, outputs: {} };
  const one = exported([{ ...resource, inputs: own, outs: ownOuts, provider: `${urn}::1` }], { provider });
  one.state.deployment.resources.unshift(row);
  return one;
}

const volume = { label: "data", region: "us-east", size: 20 };

describe("dynamic resources", () => {
  test("continue at a new address of the same account, with one line", async () => {
    await using first = await account();
    const resources = ["data", "logs"].map((label) => ({
      managed: new Managed("Volume", first.host, label),
      inputs: { ...volume, label },
    }));
    for (const { managed, inputs } of resources) await managed.up(inputs);
    await using moved = await otherAccount(first, "other address", idOf(first.emulator));
    const host = moved.reconnect();
    for (const { managed, inputs } of resources) {
      managed.reconnect(host);
      expect((await managed.up(inputs)).op).toBe("same");
    }
    expect(moved.warnings).toEqual([
      `the API address has changed from ${first.host.address} to ${moved.host.address}; account ${idOf(first.emulator)} is the same`,
    ]);
    await resources[0]?.managed.refresh();
    expect(resources[0]?.managed.state?.outs.__account).toBe(`${idOf(first.emulator)} ${moved.host.address}`);
    const [next] = resources;
    next?.managed.reconnect(moved.reconnect());
    await next?.managed.up(next.inputs);
    expect(moved.warnings, "the new address is recorded").toHaveLength(1);
  });

  test("of state without an account get it in the next update and refresh, which shows no change", async () => {
    await using it = await account();
    const resource = new Managed("Volume", it.host, "data");
    await resource.up(volume);
    const stripped = ({ inputs, outs, ...state }: State): State => ({ ...state, inputs: old(inputs), outs: old(outs) });
    const old = ({ __account: _, ...bag }: Bag): Bag => bag;
    resource.state = stripped(resource.state as State);
    const text = `${idOf(it.emulator)} ${it.host.address}`;
    expect((await resource.up(volume)).op).toBe("same");
    expect(resource.state?.inputs.__account).toBe(text);
    resource.state = stripped(resource.state as State);
    expect(await resource.refresh()).toBe("same");
    expect(resource.state).toMatchObject({ inputs: { __account: text }, outs: { __account: text } });
  });

  test("with a token without the scope record the address only, and send no request for an unchanged stack", async () => {
    await using it = await account();
    addToken(it.world, "emulator", { scopes: ["volumes:read_write", "events:read_only"] });
    const resource = new Managed("Volume", it.host, "data");
    await resource.up(volume);
    expect(resource.state).toMatchObject({
      inputs: { __account: it.host.address },
      outs: { __account: it.host.address },
    });
    it.emulator.requests.clear();
    resource.reconnect(it.reconnect());
    expect((await resource.preview(volume)).op).toBe("same");
    await resource.up({ ...volume, size: 30 });
    await resource.destroy();
    expect(it.emulator.requests.list().map(({ operation }) => operation)).not.toContain("account.view");
  });

  test("with a token without the scope stop at another address", async () => {
    await using first = await account();
    addToken(first.world, "emulator", { scopes: ["volumes:read_write", "events:read_only"] });
    const resource = new Managed("Volume", first.host, "data");
    await resource.up(volume);
    await using other = await otherAccount(first, "other address");
    resource.reconnect(other.reconnect());
    await expect(resource.destroy()).rejects.toThrow(
      `this stack belongs to an account at ${first.host.address} with an unknown id, but the address and token in use are those of an account at ${other.host.address} with an unknown id. ` +
        "Whether this is the same account is not known: the state does not contain the id of its account. Nothing was changed.",
    );
    expect(other.emulator.requests.list().map(({ operation, status }) => [operation, status])).toEqual([
      ["account.view", 403],
    ]);
  });

  test("compare the account once per command", async () => {
    await using it = await account();
    const resources = ["data", "logs", "more"].map((name) => new Managed("Volume", it.host, name));
    for (const resource of resources) await resource.up({ region: "us-east", size: 20 });
    it.emulator.requests.clear();
    const host = it.reconnect();
    for (const resource of resources) {
      resource.reconnect(host);
      await resource.up({ region: "us-east", size: 20 });
    }
    expect(it.emulator.requests.list().map(({ operation }) => operation)).toEqual(["account.view"]);
  });

  test("are not changed while the account cannot be read, because a token of another account can be valid", async () => {
    await using it = await account();
    const resource = new Managed("Volume", it.host, "data");
    await resource.up(volume);
    it.emulator.faults.add({ path: "account.view", kind: "status", status: 503, times: 100 });
    it.emulator.requests.clear();
    resource.reconnect(it.reconnect());
    const unknown =
      /^this stack belongs to account \S+ at \S+, but whether the token in use is that account's is not known, because the account cannot be read: account.view: 503 .*\. Nothing was changed\. Run the command again once the account can be read$/;
    await expect(resource.up({ ...volume, tags: ["new"] })).rejects.toThrow(unknown);
    await expect(resource.destroy()).rejects.toThrow("it is not certain that the account is that of this stack");
    expect(it.emulator.requests.list().filter(({ method }) => method !== "GET")).toEqual([]);
    it.emulator.faults.clear();
    resource.reconnect(it.reconnect());
    await resource.up({ ...volume, tags: ["new"] });
  });

  test("are created although the account could not be read before, because it is looked up once more", async () => {
    await using it = await account();
    const data = new Managed("Volume", it.host, "data");
    await data.up(volume);
    it.emulator.faults.add({ path: "account.view", kind: "status", status: 429, retryAfter: 10 });
    it.emulator.requests.clear();
    const command = it.reconnect();
    data.reconnect(command);
    expect((await data.preview(volume)).op).toBe("same");
    const logs = new Managed("Volume", command, "logs");
    await logs.up({ ...volume, label: "logs" });
    const lookups = it.emulator.requests.list().filter(({ operation }) => operation === "account.view");
    expect(lookups.map(({ status }) => status)).toEqual([429, 200]);
  });

  test("are previewed while the account cannot be read, but not changed at another address", async () => {
    await using first = await account();
    const resource = new Managed("Volume", first.host, "data");
    await resource.up(volume);
    const { outs } = resource.state as State;
    await using other = await otherAccount(first, "other address");
    other.emulator.faults.add({ path: "account.view", kind: "status", status: 500, times: 100 });
    resource.reconnect(other.reconnect());
    expect((await resource.preview(volume)).op).toBe("same");
    await expect(resource.destroy()).rejects.toThrow("and its account cannot be read: account.view: 500");
    expect(resource.state?.outs).toEqual(outs);
    expect(other.emulator.requests.list().filter(({ method }) => method !== "GET")).toEqual([]);
  });
});
