import { expect, test } from "vitest";
import { card, visa } from "./account/billing";
import { type Cloud, cloud } from "./cloud";
import { machine } from "./compute/instance";
import { proves } from "./proves";

const path = "/networking/firewalls";
const rules = { inbound_policy: "DROP", outbound_policy: "ACCEPT" };

async function firewall({ send }: Cloud, body: object = {}): Promise<`${typeof path}/${number}`> {
  return `${path}/${(await send(`POST ${path}`, { body: { label: "edge", rules, ...body } })).body.id as number}`;
}

async function assigned(one: Cloud): Promise<`${typeof path}/${number}`> {
  const web = await machine(one);
  return firewall(one, { devices: { computes: [web.id] } });
}

/**
 * The events that the API documentation lists in a table, with the number of the rule in each row. Each function
 * prepares the objects that the request needs, and returns a function that sends the request.
 */
test.each<[rule: number, action: string, act: (one: Cloud) => Promise<() => Promise<unknown>>]>([
  [1, "firewall_create", async (one) => () => firewall(one)],
  [2, "firewall_delete", async (one) => deleting(one, await firewall(one))],
  [3, "firewall_enable", async (one) => switched(one, "disabled", "enabled")],
  [4, "firewall_disable", async (one) => switched(one, "enabled", "disabled")],
  [
    5,
    "firewall_device_add",
    async (one) => {
      const [at, { id }] = [await firewall(one), await machine(one)];
      return () => one.send(`POST ${at}/devices`, { body: { id, type: "compute" } });
    },
  ],
  [
    6,
    "firewall_device_remove",
    async (one) => {
      const at = await assigned(one);
      const [device] = (await one.send(`GET ${at}/devices`)).body.data;
      return deleting(one, `${at}/devices/${device.id}`);
    },
  ],
  [7, "payment_method_add", async (one) => () => one.send("POST /account/payment-methods", { body: { data: visa } })],
  [
    8,
    "payment_submitted",
    async (one) => {
      await card(one);
      return () => one.send("POST /account/payments", { body: { usd: "20.00", cvv: visa.cvv } });
    },
  ],
])("event %i, %s, is written when its request succeeds, and not when it fails", async (nth, action, act) => {
  proves(`part 3 · Events · rule ${nth}`);
  await using one = await cloud();
  const now = await act(one);
  const count = async (): Promise<number> =>
    (await one.send("GET /account/events", { filter: { action } })).body.results;
  const before = await count();
  await now();
  expect(await count()).toBe(before + 1);
});

function deleting({ send }: Cloud, at: `/${string}`) {
  return () => send(`DELETE ${at}`);
}

async function switched(one: Cloud, from: string, to: string) {
  const at = await firewall(one);
  await one.send(`PUT ${at}`, { body: { status: from } });
  return () => one.send(`PUT ${at}`, { body: { status: to } });
}
