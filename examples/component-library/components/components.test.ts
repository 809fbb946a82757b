import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import * as pulumi from "@pulumi/pulumi";
import { Database, WebService } from ".";

/** The resources that the components have declared. */
let declared: { kind: string; name: string; inputs: Record<string, unknown> }[] = [];

void pulumi.runtime.setMocks({
  newResource({ type, name, inputs, id }) {
    const kind = type.slice(type.lastIndexOf(":") + 1);
    declared.push({ kind, name, inputs });
    return {
      id: id ?? `${declared.length}`,
      state: { ...inputs, ipv4: "203.0.113.7", privateIpv4: `192.168.128.${declared.length}` },
    };
  },
  call: () => ({}),
});

beforeEach(() => {
  declared = [];
});

const resolved = <T>(output: pulumi.Output<T>): Promise<T> => new Promise((resolve) => output.apply(resolve));
const namesOf = (kind: string): string[] => declared.filter((one) => one.kind === kind).map(({ name }) => name);
const inputsOf = (kind: string) => declared.find((one) => one.kind === kind)?.inputs ?? {};

const args = { region: "us-east", rootPass: "Correct-Horse-42" };

test("a web service has a backend of the load balancer for each server", async () => {
  const { address, servers } = new WebService("shop", { ...args, servers: 3 });
  assert.equal(await resolved(address), "203.0.113.7");
  await resolved(pulumi.all(servers));
  await pulumi.runtime.disconnect();
  assert.deepEqual(namesOf("Instance"), ["shop-1", "shop-2", "shop-3"]);
  assert.deepEqual(namesOf("NodeBalancerNode"), ["shop-1", "shop-2", "shop-3"]);
});

test("a web service needs two servers, so that one can fail", async () => {
  assert.throws(() => new WebService("shop", { ...args, servers: 1 }), /at least 2 \(given 1\)/);
});

test("only the clients of a database can connect to it, and its volume has the size that the program sets", async () => {
  const { address } = new Database("orders", { ...args, size: 40, clients: ["192.168.128.5"] });
  await resolved(address);
  await pulumi.runtime.disconnect();
  const { rules } = inputsOf("Firewall") as { rules: { inbound: unknown[] } };
  assert.deepEqual(rules.inbound, [
    { action: "ACCEPT", protocol: "TCP", ports: "5432", addresses: { ipv4: ["192.168.128.5/32"] } },
  ]);
  assert.equal(inputsOf("Volume").size, 40);
});
