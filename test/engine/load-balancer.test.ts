import { expect, test } from "vitest";
import { certificates } from "../lifecycle/kinds/certificates";
import { idsOf, mutations, sandbox } from "./sandbox";

/** A program with a load balancer for https, and two instances as its backends. */
const program = (pair: object, weight: number): string => `
const pair = ${JSON.stringify(pair)};
const front = new cloudinfra.NodeBalancer("front", { region: "us-east", tags: ["web"] });
const https = new cloudinfra.NodeBalancerConfig("https", {
  nodebalancerId: front.id,
  port: "443",
  protocol: "HTTPS",
  check: "connection",
  ...pair,
});
const machines = ["web1", "web2"].map((name) => {
  const machine = new cloudinfra.Instance(name, { region: "us-east", type: "g6-nanode-1", privateIp: true });
  new cloudinfra.NodeBalancerNode(name, {
    nodebalancerId: front.id,
    configId: https.id,
    label: name,
    address: machine.ipv4.apply((all) => all.find((ip) => ip.startsWith("192.168.")) + ":8080"),
    weight: ${weight},
  });
  return machine;
});
new cloudinfra.Tag("shop", { label: "shop", computes: machines.map(({ id }) => id), nodebalancers: [] });`;

test("a load balancer with ports and backends: up, no changes, a replaced certificate, edit in place, destroy", async () => {
  const [pair, other] = await certificates;
  await using box = await sandbox(program(pair, 100));
  const { stack, emulator } = box;
  const up = await stack.up();
  // The count includes the stack itself.
  expect(up.changes).toEqual({ create: 8 });
  const exported = JSON.stringify(await stack.export());
  const line = pair.sslKey.split("\n")[1] as string;
  expect(exported.includes(line), "the key is in no state").toBe(false);

  await stack.preview(["--expect-no-changes"]);
  await stack.refresh(["--preview-only", "--expect-no-changes"]);

  const [row] = emulator.world.nodeBalancerConfigs.all();
  const path = `/nodebalancers/${row?.nodebalancer_id}/configs/${row?.id}`;
  const swapped = await fetch(`${emulator.url}${path}`, {
    method: "PUT",
    headers: { authorization: `Bearer ${emulator.token}`, "content-type": "application/json" },
    body: JSON.stringify({ ssl_cert: other.sslCert, ssl_key: other.sslKey }),
  });
  expect(swapped.status).toBe(200);
  const drift = await stack.refresh();
  expect(drift.stdout).toContain("NodeBalancerConfig");
  emulator.requests.clear();
  const told = await stack.up();
  expect(told.ops).toEqual({ "NodeBalancerConfig https": "update" });
  expect(mutations(emulator)).toEqual(["nodeBalancerConfigs.update"]);
  expect(emulator.world.nodeBalancerConfigs.all()).toMatchObject([{ ssl_cert: pair.sslCert }]);

  await box.rewrite(program(pair, 50));
  emulator.requests.clear();
  const edited = await stack.up();
  expect(mutations(emulator)).toEqual(["nodeBalancerNodes.update", "nodeBalancerNodes.update"]);
  expect(idsOf(up)).toMatchObject(idsOf(edited));
  await stack.preview(["--expect-no-changes"]);

  await stack.destroy();
  expect(box.holds()).toEqual({});
});
