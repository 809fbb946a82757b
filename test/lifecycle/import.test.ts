import { describe, expect, test } from "vitest";
import { idFormat } from "../../provider/engine/identity";
import type { KindName } from "../../provider/resources";
import { nativeProvider } from "../../testing/native-provider";
import { Managed } from "../../testing/provider";
import { type AnyManaged, inputsAround, inputsOf, objects, onEachEdit, type Scenario, scenario } from "./scenario";

describe.each(objects)("%s", (name) => {
  test("an import changes nothing, and a program with its inputs shows no changes", async () => {
    await using it = await scenario(name, { shuffle: true });
    await it.managed.up(it.fixture.base);
    it.anew();
    const { managed, program } = await imported(it, it.managed.id);
    expect(await managed.preview(program)).toMatchObject({ op: "same" });
    expect(await managed.refresh()).toBe("same");
    expect(await managed.preview(program)).toMatchObject({ op: "same" });
    expect(it.calls()).toEqual([]);
  });

  test.each(inputsOf(name))("an object with %s declared is imported without a change", async (input) => {
    await onEachEdit(name, input, async (it, edit) => {
      await it.managed.up(inputsAround(it.fixture, input, edit).after);
      it.anew();
      const { managed, program } = await imported(it, it.managed.id);
      expect((await managed.preview(program)).op).toBe("same");
    });
  });
});

/**
 * Resource classes that can be imported by label instead of by id, because the API's lists contain a label or a domain
 * name.
 */
const labelled = [
  "Domain",
  "Firewall",
  "Image",
  "Instance",
  "InstanceConfig",
  "InstanceDisk",
  "LkeCluster",
  "ManagedCredential",
  "ManagedService",
  "NodeBalancer",
  "NodeBalancerNode",
  "OAuthClient",
  "ObjectStorageKey",
  "Volume",
] as const satisfies KindName[];

test.each(labelled)("%s can be imported by its label", async (name) => {
  await using it = await scenario(name);
  await it.managed.up(it.fixture.base);
  it.anew();
  const { id, outs } = it.managed;
  const parents = Object.keys(it.kind.identity.parents ?? {}).map((_, i) => id.split("/")[i]);
  const label = [...parents, outs.label ?? outs.domain].join("/");
  expect((await imported(it, label)).managed.id).toBe(id);
});

test.each(objects)("%s: a wrong id is rejected with the form of a correct one", async (name) => {
  await using it = await scenario(name);
  const wrong = "a b/c//d/e/f/g";
  // For resource classes whose ids can be any text, the API and not the provider rejects the id, so the messages
  // differ.
  const problem = `"${wrong}".*; (it must look|an id looks) like ${idFormat(it.kind).replaceAll(/[{}]/g, "")}`;
  await expect(imported(it, wrong)).rejects.toThrow(new RegExp(problem));
});

test("an import by domain name ignores upper and lower case", async () => {
  await using it = await scenario("Domain");
  await it.managed.up({ ...it.fixture.base, domain: "Shop.Example.org" });
  expect((await imported(it, "SHOP.example.ORG")).managed.id).toBe(it.managed.id);
});

test("an import by label finds the only object, and explains the format of ids if there is none", async () => {
  await using it = await scenario("Volume");
  await it.managed.up({ ...it.fixture.base, label: "data" });
  expect((await imported(it, "data")).managed.id).toBe(it.managed.id);
  await expect(imported(it, "none")).rejects.toThrow(
    'Volume: "none" is not a valid id; it must look like volumeId, such as 12, and no object has the label "none"',
  );
  await using zone = await scenario("DomainRecord");
  await expect(imported(zone, "7")).rejects.toThrow(
    'DomainRecord: "7" is not a valid id; it must look like domainId/recordId, such as 12/345',
  );
  await using image = await scenario("Image");
  await expect(imported(image, "none")).rejects.toThrow(
    'Image: no object has the id or label "none"; an id looks like imageId, such as private/12',
  );
});

async function imported(it: Scenario, id: string) {
  const managed = new Managed(it.kind.name as KindName, it.reconnect(), "imported", nativeProvider) as AnyManaged;
  return { managed, ...(await managed.adopt(id)) };
}
