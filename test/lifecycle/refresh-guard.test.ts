import { afterEach, describe, expect, test as vitest } from "vitest";
import { nativeProvider } from "../../testing/native-provider";
import { Managed } from "../../testing/provider";
import { dynamicProvider, type ProviderOf } from "../../testing/resource-provider";
import { fresh } from "../fresh";
import { idOf } from "./accounts";
import { type Account, account } from "./behaviour/accounts";

const test = vitest.extend("it", fresh(account));

const providers: Record<string, ProviderOf> = {
  "dynamic resources": dynamicProvider,
  "the native plugin": nativeProvider,
};

afterEach(() => void delete process.env.CLOUDINFRA_ACCEPT_ALL_DELETED);

/** Creates a stack of volumes, deletes some of them outside Pulumi, and returns the result of refreshing all at once. */
async function refreshed(it: Account, provider: ProviderOf, { count, deleted }: { count: number; deleted: number }) {
  const volumes = Array.from({ length: count }, (_, i) => new Managed("Volume", it.host, `data-${i}`, provider));
  for (const [i, volume] of volumes.entries()) await volume.up({ label: `data-${i}`, region: "us-east", size: 20 });
  for (const volume of volumes.slice(0, deleted))
    await it.api.volumes.delete({ path: { volumeId: Number(volume.id) } });
  it.emulator.settle();
  const host = it.reconnect();
  for (const volume of volumes) volume.reconnect(host);
  return Promise.all(volumes.map((volume) => volume.refresh().catch(({ message }: Error) => message)));
}

const stopped = (it: Account, count: number): string =>
  `none of the ${count} objects that this refresh has read exists in account ${idOf(it.emulator)} at ${it.host.address}, so they do not count as deleted. ` +
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
