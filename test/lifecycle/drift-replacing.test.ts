import { expect, test } from "vitest";
import { detectDrift, inBucket } from "../../drift";
import { formats } from "../../drift/report";
import { addRange } from "../../emulator/areas/networking/ipv6";
import { cloud } from "../../testing/cloud";
import { Managed, type State } from "../../testing/provider";
import { exported } from "./exported";

const rootPass = "Correct-Horse-42";
const declared = { label: "web", region: "us-east", type: "g6-nanode-1", image: "compute/debian11", rootPass };

test("a drift report warns that undoing a rebuild deletes the instance, also after an entry of the allow-list has expired", async () => {
  await using world = await cloud();
  const web = new Managed("Instance", world.host, "web");
  await web.up({ ...declared, tags: ["prod"] });
  const computeId = Number(web.id);
  await world.api.instances.rebuild({
    path: { computeId },
    body: { image: "compute/ubuntu20.04", root_pass: rootPass },
  });
  await world.api.instances.update({ path: { computeId }, body: { tags: ["test"] } });
  world.emulator.settle();
  const check = (expires?: string) =>
    detectDrift({
      states: [exported([{ kind: "Instance", name: "web", ...(web.state as State) }])],
      account: { host: world.reconnect() },
      allowList: { accept: expires ? [{ address: "*", path: "/image", reason: "a test", expires }] : [] },
    });
  const report = await check();
  expect(report.findings.map(({ path, reason }) => [path, reason])).toEqual([
    ["/image", "undoing this deletes the object and creates another"],
    ["/tags/0", undefined],
  ]);
  const caution = `  Caution: that deletes Instance "web" (${computeId}) with all data. To keep it, first declare the current values in the program\n`;
  expect(formats.text(report)).toContain(caution);
  for (const [format, print] of Object.entries(formats))
    expect(print(report), format).toContain("undoing this deletes the object and creates another");
  const expired = await check("2020-01-01");
  expect(expired.findings[0]?.reason).toBe(
    "undoing this deletes the object and creates another; the allow-list entry for this difference expired on 2020-01-01",
  );
  expect(formats.text(expired)).toContain(caution);
  expect(formats.text(await check("9999-01-01"))).not.toContain("Caution");
});

test("declaring the values of the account before a refresh keeps the instance, as the report advises", async () => {
  await using world = await cloud();
  const web = new Managed("Instance", world.host, "web");
  await web.up(declared);
  const { id } = web;
  const [computeId, image] = [Number(id), "compute/ubuntu20.04"];
  await world.api.instances.rebuild({ path: { computeId }, body: { image, root_pass: rootPass } });
  world.emulator.settle();
  web.reconnect(world.reconnect());
  await web.refresh();
  expect((await web.preview(declared)).op).toBe("replace");
  expect((await web.preview({ ...declared, image })).op).toBe("same");
});

test("undoing another route of an IPv6 range deletes nothing, so the report does not warn of it", async () => {
  await using world = await cloud();
  const body = { region: "us-east", type: "g6-nanode-1" };
  const [first, second] = [await world.api.instances.create({ body }), await world.api.instances.create({ body })];
  const range = addRange(world.world, world.world.instances.get(first.id));
  const route = new Managed("Ipv6Range", world.host, "route");
  await route.up({ range: range.range, computeId: first.id });
  world.world.ipv6Ranges.patch(range.id, {
    compute_id: second.id,
    route_target: String(second.ipv6).replace("/128", ""),
  });
  const report = await detectDrift({
    states: [exported([{ kind: "Ipv6Range", name: "route", ...(route.state as State) }])],
    account: { host: world.reconnect() },
  });
  expect(inBucket(report, "drift").map(({ path, reason }) => [path, reason])).toEqual([["/computeId", undefined]]);
});
