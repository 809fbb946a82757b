import { expect, test } from "vitest";
import { detectDrift, inBucket } from "../../drift";
import type { KindName } from "../../provider/resources";
import { cloud } from "../../testing/cloud";
import { Managed, type State } from "../../testing/provider";
import { exported } from "./exported";

const rule = (ports: string) => ({ action: "ACCEPT", protocol: "TCP", ports, addresses: { ipv4: ["192.0.2.0/24"] } });
const firewall = (...ports: string[]) => ({
  label: "web-fw",
  tags: ["prod"],
  rules: { inboundPolicy: "DROP", outboundPolicy: "ACCEPT", inbound: ports.map(rule) },
});

const changed = firewall("22", "8080");

/**
 * Creates the object with the inputs, changes it outside, and returns the paths that count as drift, and those that are
 * ignored, for a program with `ignoreChanges`.
 */
async function checked(kind: KindName, before: object, after: object, ignoreChanges: string[]) {
  await using world = await cloud();
  const managed = new Managed(kind, world.host);
  await managed.up(before as never);
  const state = managed.state as State;
  await managed.up(after as never);
  const states = [exported([{ kind, ...state, ignoreChanges }])];
  const report = await detectDrift({ states, account: { host: world.reconnect() } });
  return {
    drift: inBucket(report, "drift").map(({ path }) => path),
    ignored: inBucket(report, "ignored").map(({ path, reason }) => `${path}: ${reason}`),
  };
}

const ignored = (path: string) => `${path}: listed in ignoreChanges`;

test.each<[string[], string[], string[]]>([
  [[], ["/rules/inbound/0/ports", "/rules/inbound/1/ports", "/tags/0"], []],
  [["rules.inbound[0]"], ["/rules/inbound/1/ports", "/tags/0"], ["/rules/inbound/0/ports"]],
  [["rules.inbound[*].ports"], ["/tags/0"], ["/rules/inbound/0/ports", "/rules/inbound/1/ports"]],
  [["rules.inbound[1].protocol"], ["/rules/inbound/0/ports", "/rules/inbound/1/ports", "/tags/0"], []],
  [['["rules"]["inbound"]', "tags"], [], ["/rules/inbound/0/ports", "/rules/inbound/1/ports", "/tags/0"]],
  [["*"], [], ["/rules/inbound/0/ports", "/rules/inbound/1/ports", "/tags/0"]],
  [["rules.inbound[", "rule"], ["/rules/inbound/0/ports", "/rules/inbound/1/ports", "/tags/0"], []],
])("a firewall with ignoreChanges %j", async (ignoreChanges, drift, hidden) => {
  const after = { ...changed, tags: ["test"], rules: { ...changed.rules, inbound: [rule("23"), rule("8080")] } };
  expect(await checked("Firewall", firewall("22", "80"), after, ignoreChanges)).toEqual({
    drift,
    ignored: hidden.map(ignored),
  });
});

test("an added or removed rule is drift although every rule is ignored", async () => {
  const longer = await checked("Firewall", firewall("22"), firewall("23", "80"), ["rules.inbound[*]"]);
  expect(longer).toEqual({ drift: ["/rules/inbound/1"], ignored: [ignored("/rules/inbound/0/ports")] });
  const shorter = await checked("Firewall", firewall("22", "80"), firewall("22"), ["rules.inbound[1]"]);
  expect(shorter).toEqual({ drift: ["/rules/inbound/1"], ignored: [] });
});

test("a threshold of an instance is drift although another one is ignored", async () => {
  const web = (cpu: number, io: number) => ({
    label: "web",
    region: "us-east",
    type: "g6-nanode-1",
    alerts: { cpu, io },
  });
  expect(await checked("Instance", web(80, 1000), web(90, 2000), ["alerts.cpu"])).toEqual({
    drift: ["/alerts/io"],
    ignored: [ignored("/alerts/cpu")],
  });
});
