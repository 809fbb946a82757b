import ipaddr from "ipaddr.js";
import { z } from "zod";
import { isHostName } from "../domains/dns";
import { addressKind } from "../networking/addresses";
import { asSet, Created, Empty, Id, ofText, Paging, page, RegionId, Updated } from "../schema/common";
import type { Area } from "../schema/operation";
import type { Rule } from "../schema/rule";

/** The part of an address that is monitored: what follows # is for browsers only. */
export const monitoredAddress = (address: string): string => address.replace(/#.*$/s, "");

/** The host that an address names, with or without scheme and port; undefined when it is no address. */
export function monitoredHost(address: string): string | undefined {
  const url = /^[a-z][a-z0-9+.-]*:\/\//i.test(address) ? address : `tcp://${address}`;
  if (/\s/.test(address) || !URL.canParse(url)) return undefined;
  const host = new URL(url).hostname.replace(/^\[(.*)\]$/, "$1").toLowerCase();
  return addressKind(host) || isHostName(host) ? host : undefined;
}

/** Whether the address is a private IP, which only machines of its region reach. */
export function needsRegion(address: string): boolean {
  const host = monitoredHost(address);
  return (
    host !== undefined &&
    addressKind(host) !== undefined &&
    /^(private|uniqueLocal)$/.test(ipaddr.process(host).range())
  );
}

const Label = z
  .string()
  .min(3)
  .max(64)
  .regex(/^[a-zA-Z0-9_ .-]*$/, "must hold only letters, digits, blanks, dots, dashes and underscores")
  .describe("Name of the service for people.");
const Address = z
  .string()
  .min(3)
  .refine(
    (text) => text.length < 3 || monitoredAddress(text).length >= 3,
    "must have at least 3 characters before its fragment",
  )
  .refine(
    (text) => monitoredHost(monitoredAddress(text)) !== undefined,
    "must be a URL or a host with or without a port",
  )
  .meta({ canonical: ofText(monitoredAddress) })
  .describe("What is monitored; a fragment is not part of it.");

/** What a caller can say of a service. */
const Stated = z.strictObject({
  label: Label,
  service_type: z.enum(["url", "tcp"]).describe("How the service is tried: as a web page or by a connection."),
  address: Address,
  timeout: z.int().min(1).max(255).describe("Seconds to wait before the service counts as down."),
  body: z.string().max(100).nullable().describe("Text that an answer must hold for the service to count as up."),
  consultation_group: z.string().max(50).describe("Group of contacts to tell of issues."),
  credentials: z.array(Id).meta({ canonical: asSet }).describe("Ids of credentials that help to resolve issues."),
  notes: z.string().nullable().describe("What support staff should know."),
  region: RegionId.nullable().describe("Region of a private address; null for a public one."),
});

export type ManagedService = z.output<typeof ManagedService>;
/** Something that the platform watches, and its staff repair. */
export const ManagedService = Stated.extend({
  id: Id,
  status: z
    .enum(["disabled", "pending", "ok", "problem"])
    .meta({ volatile: true })
    .describe("What the monitoring says; pending until the first try."),
  created: Created,
  updated: Updated,
});

export type ManagedServiceCreate = z.output<typeof ManagedServiceCreate>;
export const ManagedServiceCreate = Stated.partial().required({
  label: true,
  service_type: true,
  address: true,
  timeout: true,
});

const all = "/managed/services";
const one = `${all}/{serviceId}` as const;
const source = "part 2 · Endpoints · Managed";

export const managedServiceRules: Rule<{ address: string; region?: string | null | undefined }>[] = [
  {
    reads: ["address", "region"],
    *check({ address, region }) {
      if (needsRegion(address) && !region)
        yield { field: "region", reason: "is required, since the address is a private one" };
      if (!needsRegion(address) && region)
        yield { field: "region", reason: "must be absent, since the address is not a private IP address" };
    },
    source: "part 2 · Resources · Managed service",
  },
];

export const managedServices = {
  list: {
    summary: "List the services that are monitored.",
    method: "GET",
    path: all,
    scopes: ["account:read_only"],
    grant: "unrestricted",
    query: Paging,
    result: page(ManagedService),
    source,
  },
  create: {
    summary: "Have a service monitored.",
    method: "POST",
    path: all,
    scopes: ["account:read_write"],
    grant: "unrestricted",
    body: ManagedServiceCreate,
    result: ManagedService,
    event: "managed_service_create",
    decided: [
      "The address is a URL or a host with or without a port.",
      "A new service is pending for a minute, then ok.",
      "Credentials that are named must exist.",
    ],
    source,
  },
  view: {
    summary: "View a monitored service.",
    method: "GET",
    path: one,
    scopes: ["account:read_only"],
    grant: "unrestricted",
    result: ManagedService,
    source,
  },
  update: {
    summary: "Change a monitored service.",
    method: "PUT",
    path: one,
    scopes: ["account:read_write"],
    grant: "unrestricted",
    body: Stated.partial(),
    result: ManagedService,
    decided: [
      "A change of type, address, body or timeout makes the service pending again, unless it is disabled.",
      "A new address that is public takes the region away, if the request states none.",
    ],
    source,
  },
  delete: {
    summary: "Stop monitoring a service and forget it.",
    method: "DELETE",
    path: one,
    scopes: ["account:read_write"],
    grant: "unrestricted",
    result: Empty,
    event: "managed_service_delete",
    source,
  },
  disable: {
    summary: "Stop monitoring a service for a while.",
    method: "POST",
    path: `${one}/disable`,
    scopes: ["account:read_write"],
    grant: "unrestricted",
    result: ManagedService,
    event: "managed_disabled",
    decided: ["A service that is disabled can't be disabled again."],
    source,
  },
  enable: {
    summary: "Go on monitoring a service that is disabled.",
    method: "POST",
    path: `${one}/enable`,
    scopes: ["account:read_write"],
    grant: "unrestricted",
    result: ManagedService,
    event: "managed_enabled",
    decided: ["Only a service that is disabled can be enabled; it is pending for a minute."],
    source,
  },
} satisfies Area;
