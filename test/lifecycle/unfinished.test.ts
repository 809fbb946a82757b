import { describe, expect, test } from "vitest";
import type { KindName } from "../../provider/resources";
import { nativeProvider } from "../../testing/native-provider";
import { Managed } from "../../testing/provider";
import { dynamicProvider, type ProviderOf } from "../../testing/resource-provider";
import { attempt, requestsAfterChanges } from "./fault-cases";
import { type AnyManaged, objects, type Scenario, scenario } from "./scenario";

const providers = { "dynamic resources": dynamicProvider, "the native plugin": nativeProvider };

/** Kinds whose first write request does not return the id, so that state has no unfinished object. */
const withoutId: readonly KindName[] = ["ObjectStorageObject", "PaymentMethod"];

const managedIn = (it: Scenario, name: KindName, provider: ProviderOf) =>
  new Managed(name, it.host, "thing", provider) as unknown as AnyManaged;

/** The position of the request after the one that creates the object. Undefined if a create sends no other request. */
async function requestAfterCreation(name: KindName, provider: ProviderOf): Promise<number | undefined> {
  await using it = await scenario(name);
  await managedIn(it, name, provider).up(it.fixture.base);
  return requestsAfterChanges(it)[0];
}

describe.each(Object.entries(providers))("%s", (_, provider) => {
  test.each(objects)("%s: a refresh of an unfinished object does not make it count as finished", async (name) => {
    const nth = await requestAfterCreation(name, provider);
    if (nth === undefined) return;
    await using it = await scenario(name);
    const managed = managedIn(it, name, provider);
    const anew = (): void => {
      it.anew();
      managed.reconnect(it.reconnect());
    };
    it.emulator.faults.add({ kind: "status", status: 401, nth, times: 1000 });
    expect(String(await attempt(() => managed.up(it.fixture.base)))).toContain("401");
    it.emulator.faults.clear();
    anew();
    if (!managed.state) return expect(withoutId).toContain(name);
    expect(managed.state.initErrors).not.toEqual([]);
    // Inputs that the create request does not accept are not applied yet, so a refresh can also find that they differ.
    expect(await managed.refresh()).not.toBe("gone");
    anew();
    expect(await managed.preview(it.fixture.base)).toMatchObject({ op: "update", replaces: [] });
    await managed.up(it.fixture.base);
    anew();
    expect((await managed.preview(it.fixture.base)).op).toBe("same");
    expect(await managed.refresh()).toBe("same");
    anew();
    expect((await managed.preview(it.fixture.base)).op).toBe("same");
  });
});
