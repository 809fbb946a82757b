import type { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import * as pb from "@pulumi/pulumi/proto/provider_pb";
import { expect } from "vitest";
import { toStruct } from "../../provider/plugin/values";
import { responseTo } from "../../testing/native-plugin";
import { diff, read, test, urnOf, volume } from "./native-calls";

const removed = (client: ResourceProviderClient, kind: string, id: string) =>
  responseTo((response) =>
    client.delete(
      new pb.DeleteRequest().setUrn(urnOf(kind, "former")).setId(id).setProperties(toStruct(volume)),
      response,
    ),
  );

test.for(["Volume", "VolumeClone"])(
  "an object that the update has imported is not deleted with its former resource, a %s",
  async (former, { it }) => {
    const { id } = await it.api.volumes.create({ body: volume });
    it.emulator.settle();
    const client = await it.start();
    await diff(client, (await read(client, "Volume", volume.label)).getId());
    await removed(client, former, String(id));
    expect(it.world.volumes.all()).toMatchObject([{ id }]);
    expect(it.warnings).toContainEqual(expect.stringMatching(/another resource of this update manages it now/));
  },
);

test("an object that the program only reads is deleted with the resource that was removed", async ({ it }) => {
  const { id } = await it.api.volumes.create({ body: volume });
  it.emulator.settle();
  const client = await it.start();
  await read(client, "Volume", String(id));
  await removed(client, "Volume", String(id));
  it.emulator.settle();
  expect(it.world.volumes.all()).toEqual([]);
});
