import { expect, test } from "vitest";
import { detectDrift } from "../../drift";
import { formats } from "../../drift/report";
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
  const caution = `  Caution: that deletes Instance "web" (${computeId}) with all data. To keep it, declare the current values in the program\n`;
  expect(formats.text(report)).toContain(caution);
  const expired = await check("2020-01-01");
  expect(expired.findings[0]?.reason).toBe(
    "undoing this deletes the object and creates another; the allow-list entry for this difference expired on 2020-01-01",
  );
  expect(formats.text(expired)).toContain(caution);
  expect(formats.text(await check("9999-01-01"))).not.toContain("Caution");
});
