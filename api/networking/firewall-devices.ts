import { z } from "zod";
import { Created, Empty, Id, Paging, page, Updated } from "../schema/common";
import type { Area } from "../schema/operation";

export type FirewallDevice = z.output<typeof FirewallDevice>;
/** The assignment of a firewall to an instance. */
export const FirewallDevice = z.strictObject({
  id: Id.meta({ filterable: true }),
  entity: z
    .strictObject({
      id: Id.describe("Id of the instance."),
      type: z.enum(["compute"]).describe("Type of the object. Always `compute` (an instance)."),
      label: z.string().describe("Label of the instance."),
      url: z.string().meta({ names: "path" }).describe("API path of the instance."),
    })
    .describe("Instance that the firewall is assigned to."),
  created: Created.meta({ filterable: true }),
  updated: Updated.meta({ filterable: true }),
});

export type FirewallDeviceCreate = z.output<typeof FirewallDeviceCreate>;
export const FirewallDeviceCreate = z.strictObject({
  id: Id.describe("Id of the instance to assign the firewall to."),
  type: z
    .enum(["compute"])
    .describe("Type of the object. Must be `compute`: firewalls can be assigned only to instances."),
});

const all = "/networking/firewalls/{firewallId}/devices";
const one = `${all}/{deviceId}` as const;
const source = "part 3 · Endpoints · Firewalls";

export const firewallDevices = {
  list: {
    summary: "List the devices of a firewall: the instances that it is assigned to.",
    method: "GET",
    path: all,
    scopes: ["firewall:read_only"],
    grant: "read_only",
    query: Paging,
    result: page(FirewallDevice),
    source,
  },
  create: {
    summary: "Assign a firewall to an instance.",
    method: "POST",
    path: all,
    scopes: ["firewall:read_write"],
    grant: "read_write",
    body: FirewallDeviceCreate,
    result: FirewallDevice,
    event: "firewall_device_add",
    source,
  },
  view: {
    summary: "View the assignment of a firewall to an instance.",
    method: "GET",
    path: one,
    scopes: ["firewall:read_only"],
    grant: "read_only",
    result: FirewallDevice,
    source,
  },
  delete: {
    summary: "Remove a firewall from an instance.",
    method: "DELETE",
    path: one,
    scopes: ["firewall:read_write"],
    grant: "read_write",
    result: Empty,
    event: "firewall_device_remove",
    source,
  },
} satisfies Area;
