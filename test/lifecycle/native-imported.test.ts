import type { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import * as pb from "@pulumi/pulumi/proto/provider_pb";
import { expect } from "vitest";
import { toStruct } from "../../provider/plugin/values";
import { responseTo } from "../../testing/native-plugin";
import { create, diff, read, type stage, test, urnOf, volume } from "./native-calls";

type Stage = Awaited<ReturnType<typeof stage>>;

const removed = (client: ResourceProviderClient, kind: string, id: string, name = "former") =>
  responseTo((response) =>
    client.delete(new pb.DeleteRequest().setUrn(urnOf(kind, name)).setId(id).setProperties(toStruct(volume)), response),
  );

/** A volume that was created outside the program, and a plugin. */
async function existing(it: Stage) {
  const { id } = await it.api.volumes.create({ body: volume });
  it.emulator.settle();
  return { id, client: await it.start() };
}

/** Expects that the volume was not deleted, because another resource manages it. */
function expectRetained(it: Stage, id: number): void {
  expect(it.world.volumes.all()).toMatchObject([{ id }]);
  expect(it.warnings).toContainEqual(expect.stringMatching(/another resource of this update manages it now/));
}

test.for(["Volume", "VolumeClone"])(
  "an object that the update has imported is not deleted with its former resource, a %s",
  async (former, { it }) => {
    const { id, client } = await existing(it);
    await diff(client, (await read(client, "Volume", volume.label)).getId());
    await removed(client, former, String(id));
    expectRetained(it, id);
  },
);

test("an object that an earlier command has brought under another name is not deleted with its former resource", async ({
  it,
}) => {
  const { id, client } = await existing(it);
  await diff(client, String(id));
  await removed(client, "Volume", String(id));
  expectRetained(it, id);
});

test("the former object of a replaced resource is deleted, also if the resource has another name now", async ({
  it,
}) => {
  const { id, client } = await existing(it);
  await diff(client, String(id));
  await create(client, "Volume", { ...volume, label: "new-data" });
  await removed(client, "Volume", String(id));
  it.emulator.settle();
  expect(it.world.volumes.all()).toMatchObject([{ label: "new-data" }]);
});

test("an object that Pulumi replaces without a change of the program is deleted first", async ({ it }) => {
  const { id, client } = await existing(it);
  await diff(client, String(id));
  await removed(client, "Volume", String(id), "data");
  it.emulator.settle();
  expect(it.world.volumes.all()).toEqual([]);
});

test("an object that the program only reads is deleted with the resource that was removed", async ({ it }) => {
  const { id, client } = await existing(it);
  await read(client, "Volume", String(id));
  await removed(client, "Volume", String(id));
  it.emulator.settle();
  expect(it.world.volumes.all()).toEqual([]);
});

test("a renamed resource that an option replaces does not lose its former object", async ({ it }) => {
  const { id, client } = await existing(it);
  const found = await diff(client, String(id), { news: { ...volume, size: 40 } });
  expect(found.getDeletebeforereplace()).toBe(true);
  // Pulumi deletes the object under the name that an alias had before.
  await expect(removed(client, "Volume", String(id))).rejects.toThrow(
    `Volume "data" (${id}) was not deleted, because another resource of the program manages it, whose change has not been applied. ` +
      "If you have renamed the resource and an option such as replaceOnChanges replaces it, rename it in one update and change it in the next",
  );
  expect(it.world.volumes.all()).toMatchObject([{ id }]);
});

test("a domain that was imported has the defaults of a domain that is not a copy", async ({ it }) => {
  const body = { domain: "example.org", type: "master", soa_email: "me@example.org" } as const;
  const { id } = await it.api.domains.create({ body });
  const client = await it.start();
  const imported = (await read(client, "Domain", String(id))).getInputs();
  const request = new pb.CheckRequest().setUrn(urnOf("Domain", "data")).setOlds(imported);
  request.setNews(toStruct({ domain: "example.org", type: "master", soaEmail: "me@example.org" }));
  const checked = await responseTo<pb.CheckResponse>((response) => client.check(request, response));
  expect(checked.getInputs()?.toJavaScript()).toMatchObject({ status: "active", ttlSec: 0 });
});
