import { statSync } from "node:fs";
import { expect, test } from "vitest";
import { snapshot } from "../../../emulator/core/snapshot";
import { cloud } from "../../contract/cloud";
import { killed, newFile, volume } from "./data-files";

test("continues an account with its clock, random state, ids, scheduled tasks, events and tokens", async () => {
  const data = newFile();
  const one = await cloud({ data, token: "mine" });
  await one.send("POST /volumes", volume("first"));
  one.advance(4_000);
  const stored = await cloud({ data: killed(data), token: "mine" });
  await one.close();
  const again = await cloud({ data, token: "mine" });
  const duplicate = await cloud({ token: "mine" });
  await duplicate.send("POST /volumes", volume("first"));
  duplicate.advance(4_000);
  for (const { world } of [stored, again])
    expect(world.volumes.all()).toMatchObject([{ label: "first", status: "creating" }]);
  const responses = [];
  for (const account of [stored, again, duplicate]) {
    const created = await account.send("POST /volumes", volume("second"));
    account.advance(6_000);
    responses.push([
      created.body,
      (await account.send("GET /volumes")).body,
      (await account.send("GET /account/events")).body,
    ]);
    expect(account.world.clock.time()).toBe("2022-01-01T00:00:10");
    expect(account.world.random.state).toBe(duplicate.world.random.state);
    await account.close();
  }
  expect(responses[0]).toEqual(responses[2]);
  expect(responses[1]).toEqual(responses[2]);
  expect(responses[0]?.[1].data.map(({ status }: { status: string }) => status)).toEqual(["active", "creating"]);
});

test("the file equals the state in memory after every kind of change", async () => {
  const data = newFile();
  await using one = await cloud({ data });
  const { send } = one;
  const same = async () => {
    await using other = await cloud({ data: killed(data) });
    const [stored, known] = [snapshot(other.world), snapshot(one.world)];
    for (const [name, table] of Object.entries(known.tables))
      if (name !== "tokens") expect(stored.tables[name]).toEqual(table);
    expect([stored.clock, stored.random, stored.seed]).toEqual([known.clock, known.random, known.seed]);
  };
  const { body } = await send("POST /compute/instances", { body: { region: "us-east", type: "g6-nanode-1" } });
  await same();
  await send(`POST /compute/instances/${body.id}/disks`, { body: { size: 500, label: "disk" } });
  one.advance(5_000);
  await same();
  one.settle();
  await same();
  await send(`PUT /compute/instances/${body.id}`, { body: { label: "renamed" } });
  await send("POST /_emulator/users", { body: { username: "guest", restricted: true } });
  await same();
  await send(`DELETE /compute/instances/${body.id}`);
  await same();
  await send("PUT /_emulator/state", { body: (await send("GET /_emulator/state")).body });
  await same();
  await send("POST /_emulator/reset");
  await same();
});

test("keeps a change whose response was cut off, and not one whose request was cut off", async () => {
  const data = newFile();
  await using one = await cloud({ data });
  for (const kind of ["cut-before", "cut-after", "cut-mid"] as const) {
    one.faults.add({ path: "volumes.create", kind });
    await expect(one.send("POST /volumes", volume(kind))).rejects.toThrow();
  }
  await using other = await cloud({ data: killed(data) });
  expect(other.world.volumes.all().map(({ label }) => label)).toEqual(["cut-after", "cut-mid"]);
});

test("time passes while the emulator is stopped if the clock follows the machine's, otherwise not", async () => {
  const data = newFile();
  const one = await cloud({ data, pace: "fast" });
  await one.send("POST /volumes", volume("data"));
  one.advance(3_600_000);
  const now = one.world.clock.now();
  await one.close();
  const two = await cloud({ data, pace: "fast" });
  expect(two.world.clock.now() - now).toBeGreaterThanOrEqual(0);
  expect(two.world.clock.now() - now).toBeLessThan(60_000);
  await two.close();
  // With the option `pace: "stepped"`, the clock moves only by `advance()`. It starts at the time that is stored in the
  // data file.
  const three = await cloud({ data, pace: "stepped" });
  const stood = three.world.clock.now();
  three.advance(1_000);
  expect(three.world.clock.now()).toBe(stood + 1_000);
  await three.close();
  await using four = await cloud({ data, pace: "real" });
  expect(four.world.clock.now() - stood - 1_000).toBeLessThan(60_000);
});

test("only the user can read the file, because it contains keys and passwords", async () => {
  const data = newFile();
  await using one = await cloud({ data });
  await one.send("POST /volumes", volume("data"));
  for (const file of [data, `${data}-wal`]) expect(statSync(file).mode & 0o777).toBe(0o600);
});

test("the seed in the file takes precedence", async () => {
  const data = newFile();
  await (await cloud({ data, seed: 7 })).close();
  await using again = await cloud({ data });
  expect(again.world.seed).toBe(7);
});

test("another token is added to those in the file", async () => {
  const data = newFile();
  await (await cloud({ data, token: "first" })).close();
  await using again = await cloud({ data, token: "second" });
  for (const token of ["first", "second"]) expect((await again.send("GET /volumes", { token })).status).toBe(200);
});
