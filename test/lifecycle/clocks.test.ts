import { expect, test } from "vitest";
import { startEmulator } from "../../emulator";
import { connect } from "../../provider/client";
import { realTime } from "../../provider/client/time";
import { hostOf } from "../../provider/pulumi/connection";
import { Managed } from "../../testing/provider";

test("a lost create is found although the service's clock has fallen behind", async () => {
  await using emulator = await startEmulator({ pace: "instant", seed: 1 });
  let passed = 0;
  const time = { ...realTime, now: () => Date.now() + passed };
  const client = connect({ url: emulator.url, token: emulator.token, ...time });
  const host = hostOf(client, time, { warn: () => {}, progress: () => {} });
  await host.api.regions.list();
  passed = 60_000;
  emulator.faults.add({ path: "volumes.create", kind: "cut-after" });
  const it = new Managed("Volume", host);
  await it.up({ label: "data", region: "us-east" });
  expect(emulator.world.volumes.all()).toMatchObject([{ id: Number(it.id), label: "data" }]);
  await client.close();
});
