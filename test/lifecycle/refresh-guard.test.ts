import { afterEach, describe, expect, test as vitest } from "vitest";
import { addToken, addUser } from "../../emulator/core/users";
import type { KindName } from "../../provider/resources";
import { nativeProvider, pluginProvider } from "../../testing/native-provider";
import { Managed, type State } from "../../testing/provider";
import { dynamicProvider, type ProviderOf } from "../../testing/resource-provider";
import { fresh } from "../fresh";
import { idOf, withoutProgram, withProgram } from "./accounts";
import { type Account, account } from "./behaviour/accounts";

const test = vitest.extend("it", fresh(account));

const providers: Record<string, ProviderOf> = {
  "dynamic resources": dynamicProvider,
  "the native plugin": nativeProvider,
};

afterEach(() => void delete process.env.CLOUDINFRA_ACCEPT_ALL_DELETED);

interface Volumes {
  count: number;
  /** Number of volumes that are deleted outside Pulumi. */
  deleted: number;
}

/** Creates a stack of volumes, deletes some of them outside Pulumi, and connects the stack again. */
async function partlyDeleted(
  it: Account,
  provider: ProviderOf,
  { count, deleted }: Volumes,
): Promise<Managed<"Volume">[]> {
  const volumes = Array.from({ length: count }, (_, i) => new Managed("Volume", it.host, `data-${i}`, provider));
  for (const [i, volume] of volumes.entries()) await volume.up({ label: `data-${i}`, region: "us-east", size: 20 });
  for (const volume of volumes.slice(0, deleted))
    await it.api.volumes.delete({ path: { volumeId: Number(volume.id) } });
  it.emulator.settle();
  const host = it.reconnect();
  for (const volume of volumes) volume.reconnect(host);
  return volumes;
}

/** The result of refreshing all volumes at once. */
async function refreshed(it: Account, provider: ProviderOf, some: Volumes) {
  const volumes = await partlyDeleted(it, provider, some);
  return Promise.all(volumes.map((volume) => volume.refresh().catch(({ message }: Error) => message)));
}

/** The result of destroying all volumes at once. */
async function destroyed(it: Account, provider: ProviderOf, some: Volumes) {
  const volumes = await partlyDeleted(it, provider, some);
  return Promise.all(
    volumes.map((volume) =>
      volume.destroy().then(
        () => "gone",
        ({ message }: Error) => message,
      ),
    ),
  );
}

const stopped = (it: Account, count: number): string =>
  `none of the ${count} objects that this refresh has looked for exists in account ${idOf(it.emulator)} at ${advice(it)}`;

const advice = (it: Account): string =>
  `${it.host.address}, so they do not count as deleted. ` +
  "Check that the address and token are those of the stack's account. " +
  "If all of these objects were deleted, set CLOUDINFRA_ACCEPT_ALL_DELETED=1 and run the command again";

describe.each(Object.entries(providers))("a refresh with %s", (_, provider) => {
  test("stops if more than three objects are missing and none is found", async ({ it }) => {
    const results = await refreshed(it, provider, { count: 4, deleted: 4 });
    expect(results).toEqual(Array(4).fill(stopped(it, 4)));
    expect(it.warnings).toEqual([]);
  });

  test("removes missing objects once it has found another object of the stack", async ({ it }) => {
    expect(await refreshed(it, provider, { count: 6, deleted: 5 })).toEqual([...Array(5).fill("gone"), "same"]);
  });

  test("removes up to three objects even if it has found none", async ({ it }) => {
    expect(await refreshed(it, provider, { count: 3, deleted: 3 })).toEqual(["gone", "gone", "gone"]);
  });

  test("removes all objects if the user has confirmed that they were deleted", async ({ it }) => {
    process.env.CLOUDINFRA_ACCEPT_ALL_DELETED = "1";
    expect(await refreshed(it, provider, { count: 5, deleted: 5 })).toEqual(Array(5).fill("gone"));
  });

  test("does not take the contact, which every account has, for an object of the stack", async ({ it }) => {
    const contact = new Managed("AccountContact", it.host, "contact", provider);
    await contact.up({ city: "Philadelphia" });
    const volumes = refreshed(it, provider, { count: 4, deleted: 4 });
    expect(await contact.refresh()).toBe("same");
    expect(await volumes).toEqual(Array(4).fill(stopped(it, 4)));
  });
});

describe.each(Object.entries(providers))("a destroy with %s", (_, provider) => {
  /** The token may not read the account, so the stack knows only the address. */
  const hideAccount = (it: Account) => addToken(it.emulator.world, "emulator", { scopes: ["volumes:read_write"] });

  test("stops if the account is not known, more than three objects are missing and none is found", async ({ it }) => {
    hideAccount(it);
    const message = `none of the 4 objects that this destroy has looked for exists in an account at ${it.host.address} with an unknown id, so they do not count as deleted. `;
    const results = await destroyed(it, provider, { count: 4, deleted: 4 });
    expect(results).toEqual(Array(4).fill(expect.stringContaining(message)));
  });

  test("counts missing objects as deleted once it has deleted another object of the stack", async ({ it }) => {
    hideAccount(it);
    expect(await destroyed(it, provider, { count: 6, deleted: 5 })).toEqual(Array(6).fill("gone"));
  });

  test("does not take a resource without an object for an object of the stack", async ({ it }) => {
    const scopes = ["volumes:read_write", "computes:read_write", "ips:read_write", "events:read_only"] as const;
    addToken(it.emulator.world, "emulator", { scopes });
    const { id: computeId } = await it.api.instances.create({
      body: {
        label: "web",
        region: "us-east",
        type: "g6-nanode-1",
        image: "compute/debian11",
        root_pass: "Correct-Horse-42",
      },
    });
    it.emulator.settle();
    const manage = <K extends KindName>(kind: K) => new Managed<K>(kind, it.host, kind, provider);
    const [volume, other, attachment, name, action] = [
      manage("Volume"),
      new Managed("Volume", it.host, "other", provider),
      manage("VolumeAttachment"),
      manage("ReverseDns"),
      manage("InstanceAction"),
    ] as const;
    await other.up({ label: "other", region: "us-east", size: 20 });
    await volume.up({ label: "data", region: "us-east", size: 20 });
    await attachment.up({ volumeId: Number(volume.id), computeId });
    await action.up({ computeId, reboot: {}, triggers: ["a"] });
    const [address] = it.world.instances.get(computeId).ipv4;
    await name.up({ address: String(address), rdns: "web.example.org" });
    for (const { id } of [volume, other]) await it.api.volumes.delete({ path: { volumeId: Number(id) } });
    await it.api.instances.delete({ path: { computeId } });
    it.emulator.settle();
    const host = it.reconnect();
    for (const one of [volume, other, attachment, name, action]) one.reconnect(host);
    await action.destroy();
    const results = await Promise.all(
      [volume, other, attachment, name].map((one) => one.destroy().catch(({ message }: Error) => message)),
    );
    expect(results).toEqual(
      Array(4).fill(expect.stringContaining("none of the 4 objects that this destroy has looked for")),
    );
  });

  test("counts up to three missing objects as deleted", async ({ it }) => {
    hideAccount(it);
    expect(await destroyed(it, provider, { count: 3, deleted: 3 })).toEqual(Array(3).fill("gone"));
  });
});

describe("a destroy with a token that shows that the account is the stack's", () => {
  test("counts all missing objects as deleted with dynamic resources", async ({ it }) => {
    expect(await destroyed(it, dynamicProvider, { count: 5, deleted: 5 })).toEqual(Array(5).fill("gone"));
  });

  test("counts all missing objects as deleted with the native plugin", async ({ it }) => {
    const volumes = await partlyDeleted(it, nativeProvider, { count: 5, deleted: 5 });
    const { inputs } = await withProgram(it.host, {});
    const { plugin } = await withoutProgram(it.reconnect(), inputs);
    const provider = pluginProvider("Volume", async () => plugin);
    await Promise.all(volumes.map(({ state }) => provider.delete(state as State)));
    expect(
      it.emulator.requests.list().filter(({ method, status }) => method === "DELETE" && status === 404),
    ).toHaveLength(5);
  });
});

describe.each(Object.entries(providers))("a token of a restricted user with %s", (_, provider) => {
  const size = { region: "us-east", size: 20 };

  /** Creates two volumes. Then the user keeps only the given grants for them, and the stack is connected again. */
  async function twoVolumes(it: Account, granted: readonly number[], scopes: "*" | ["volumes:read_write"] = "*") {
    const volumes = [0, 1].map((i) => new Managed("Volume", it.host, `data-${i}`, provider));
    for (const [i, volume] of volumes.entries()) await volume.up({ label: `data-${i}`, ...size });
    const ids = volumes.map(({ id }) => Number(id));
    const entities = { volume: Object.fromEntries(granted.map((i) => [String(ids[i]), "read_write" as const])) };
    const grants = { global: { account_access: "read_only" as const }, entities };
    addUser(it.emulator.world, "emulator", { restricted: true, grants });
    addToken(it.emulator.world, "emulator", { scopes });
    const host = it.reconnect();
    for (const volume of volumes) volume.reconnect(host);
    it.emulator.requests.clear();
    return { volumes: volumes as [Managed<"Volume">, Managed<"Volume">], ids };
  }

  const lookups = (it: Account) => it.emulator.requests.list().filter(({ operation }) => operation === "logins.list");

  const hidden = (id: number | undefined) =>
    `Volume "data-1" (${id}) was not found, but it may exist: the token's user is restricted, and does not see objects without a grant. ` +
    "It stays in the state. Add the grant, or use a token of an unrestricted user. " +
    "If it and all other objects that this command does not find were deleted, set CLOUDINFRA_ACCEPT_ALL_DELETED=1 and run the command again";

  test("does not let a refresh forget an object without a grant", async ({ it }) => {
    const { volumes, ids } = await twoVolumes(it, [0]);
    expect(await volumes[0].refresh()).toBe("same");
    await expect(volumes[1].refresh()).rejects.toThrow(hidden(ids[1]));
    expect(it.warnings).toEqual([]);
  });

  test("does not let a destroy forget an object without a grant", async ({ it }) => {
    const { volumes, ids } = await twoVolumes(it, [0]);
    await volumes[0].destroy();
    await expect(volumes[1].destroy()).rejects.toThrow(hidden(ids[1]));
  });

  test("does not let an update replace an object without a grant", async ({ it }) => {
    const { volumes, ids } = await twoVolumes(it, [0]);
    await expect(volumes[1].up({ label: "data-2", ...size })).rejects.toThrow(hidden(ids[1]));
    expect(it.emulator.requests.list().filter(({ method }) => method !== "GET")).toEqual([]);
  });

  test("lets a refresh forget a deleted object that the user has confirmed", async ({ it }) => {
    process.env.CLOUDINFRA_ACCEPT_ALL_DELETED = "1";
    const { volumes } = await twoVolumes(it, [0]);
    expect(await volumes[1].refresh()).toBe("gone");
  });

  test("is only known with the scope of the list of logins", async ({ it }) => {
    const { volumes } = await twoVolumes(it, [0], ["volumes:read_write"]);
    expect(await volumes[1].refresh()).toBe("gone");
    expect(lookups(it)).toEqual([]);
  });

  test("is looked up once, and only if an object is not found", async ({ it }) => {
    const { volumes } = await twoVolumes(it, []);
    await Promise.all(volumes.map((volume) => volume.refresh().catch(() => "hidden")));
    expect(lookups(it)).toHaveLength(1);
  });

  test("is not looked up if all objects are found", async ({ it }) => {
    const { volumes } = await twoVolumes(it, [0, 1]);
    for (const volume of volumes) await volume.refresh();
    expect(lookups(it)).toEqual([]);
  });
});
