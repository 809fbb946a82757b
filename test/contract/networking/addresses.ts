import { expect } from "vitest";
import type { Cloud } from "../cloud";
import type { Machine } from "../compute/instance";

/** The full name of a rule in the section "IP addresses and VLANs" of the API documentation. */
export const rule = (number: number): string => `part 3 · Endpoints · IP addresses and VLANs · rule ${number}`;

export const empty = { region: "eu-central", type: "g6-nanode-1" };
export const inner = { ...empty, private_ip: true };

export const ipv4 = async (web: Machine): Promise<string[]> => (await web.view()).ipv4;

/**
 * Adds an address to the instance. On the real service, customer support has to allow additional addresses first, which
 * the emulator's endpoint `support` simulates.
 */
export async function further({ send }: Cloud, { id }: Machine): Promise<string> {
  await send("POST /_emulator/support", { body: { request: "extra_ips", compute_id: id } });
  const created = await send("POST /networking/ips", { body: { type: "ipv4", public: true, compute_id: id } });
  expect(created.body.errors).toBeUndefined();
  return created.body.address;
}

export const assign = (one: Cloud, assignments: [address: string | undefined, id: number][], region = "eu-central") =>
  one.send("POST /networking/ipv4/assign", {
    body: { region, assignments: assignments.map(([address, compute_id]) => ({ address, compute_id })) },
  });
