import ipaddr from "ipaddr.js";
import { z } from "zod";
import { isHostName } from "../domains/dns";
import { addressKind } from "../networking/addresses";
import { asSet, Created, Empty, Id, ofText, Paging, page, RegionId, Updated } from "../schema/common";
import type { Area } from "../schema/operation";
import type { Rule } from "../schema/rule";

/** Removes the fragment from a URL. Only browsers use fragments, so monitoring ignores them. */
export const monitoredAddress = (address: string): string => address.replace(/#.*$/s, "");

/** The host of an address with or without scheme and port. Undefined if the text is not an address. */
export function monitoredHost(address: string): string | undefined {
  const url = /^[a-z][a-z0-9+.-]*:\/\//i.test(address) ? address : `tcp://${address}`;
  if (/\s/.test(address) || !URL.canParse(url)) return undefined;
  const host = new URL(url).hostname.replace(/^\[(.*)\]$/, "$1").toLowerCase();
  return addressKind(host) || isHostName(host) ? host : undefined;
}

/** Whether the address is a private IP address, which can be monitored only from its region. */
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
  .regex(/^[a-zA-Z0-9_ .-]*$/, "must contain only letters, digits, spaces, periods, dashes and underscores")
  .describe("Label of the service.");
const Address = z
  .string()
  .min(3)
  .refine(
    (text) => text.length < 3 || monitoredAddress(text).length >= 3,
    "must have at least 3 characters before the fragment (#…)",
  )
  .refine(
    (text) => monitoredHost(monitoredAddress(text)) !== undefined,
    "must be a URL or a host with or without a port",
  )
  .meta({ canonical: ofText(monitoredAddress) })
  .describe(
    "Address to monitor: an http or https URL, or for `tcp` any URL or a host with or without a port. The fragment of a URL (`#…`) is ignored.",
  );

const Settings = z.strictObject({
  label: Label,
  service_type: z.enum(["url", "tcp"]).describe("Type of the check: `url` (HTTP request) or `tcp` (connection)."),
  address: Address,
  timeout: z.int().min(1).max(255).describe("Timeout of the check in seconds."),
  body: z.string().max(100).nullable().describe("Text that the response must contain."),
  consultation_group: z.string().max(50).describe("Group of the contacts to notify about issues."),
  credentials: z
    .array(Id)
    .meta({ canonical: asSet })
    .describe("Ids of credentials that support staff can use to resolve issues."),
  notes: z.string().nullable().describe("Notes for support staff."),
  region: RegionId.nullable().describe(
    "Region of the monitored address if it is a private IP address, otherwise null.",
  ),
});

export type ManagedService = z.output<typeof ManagedService>;
/** A service that the platform monitors and its support staff repair. */
export const ManagedService = Settings.extend({
  id: Id,
  status: z
    .enum(["disabled", "pending", "ok", "problem"])
    .meta({ volatile: true })
    .describe("Status of the service. `pending` until the first check."),
  created: Created,
  updated: Updated,
});

export type ManagedServiceCreate = z.output<typeof ManagedServiceCreate>;
export const ManagedServiceCreate = Settings.partial().required({
  label: true,
  service_type: true,
  address: true,
  timeout: true,
});

const all = "/managed/services";
const one = `${all}/{serviceId}` as const;
const source = "part 2 · Endpoints · Managed";

type Monitored = Pick<ManagedService, "address" | "service_type"> & { region?: string | null | undefined };

export const managedServiceRules: Rule<Monitored>[] = [
  {
    reads: ["service_type", "address"],
    *check({ service_type, address }) {
      if (service_type === "url" && !/^https?:\/\//i.test(address))
        yield { field: "address", reason: "must be an http or https URL, because service_type is url" };
    },
    source: "part 2 · Resources · Managed service",
  },
  {
    reads: ["address", "region"],
    *check({ address, region }) {
      if (needsRegion(address) && !region)
        yield { field: "region", reason: "is required, because the address to monitor is a private IP address" };
      if (!needsRegion(address) && region)
        yield {
          field: "region",
          reason: "must be omitted, because the address to monitor is not a private IP address",
        };
    },
    source: "part 2 · Resources · Managed service",
  },
];

export const managedServices = {
  list: {
    summary: "List the services that the platform monitors.",
    method: "GET",
    path: all,
    scopes: ["account:read_only"],
    grant: "unrestricted",
    query: Paging,
    result: page(ManagedService),
    source,
  },
  create: {
    summary: "Create a managed service: an address that the platform monitors.",
    method: "POST",
    path: all,
    scopes: ["account:read_write"],
    grant: "unrestricted",
    body: ManagedServiceCreate,
    result: ManagedService,
    event: "managed_service_create",
    decided: [
      "The address of a `url` service must be an http or https URL. The address of a `tcp` service can be any URL, or a host with or without a port.",
      "A new service has the status `pending` for one minute, then `ok`.",
      "The credentials must exist.",
    ],
    source,
  },
  view: {
    summary: "View a service that the platform monitors.",
    method: "GET",
    path: one,
    scopes: ["account:read_only"],
    grant: "unrestricted",
    result: ManagedService,
    source,
  },
  update: {
    summary: "Update a service that the platform monitors.",
    method: "PUT",
    path: one,
    scopes: ["account:read_write"],
    grant: "unrestricted",
    body: Settings.partial(),
    result: ManagedService,
    decided: [
      "Changing the type, address, body or timeout makes the service pending again, unless it is disabled.",
      "A change to a public address removes the region, unless the request sets one.",
    ],
    source,
  },
  delete: {
    summary: "Delete a managed service. The platform stops monitoring it.",
    method: "DELETE",
    path: one,
    scopes: ["account:read_write"],
    grant: "unrestricted",
    result: Empty,
    event: "managed_service_delete",
    source,
  },
  disable: {
    summary: "Disable the monitoring of a managed service.",
    method: "POST",
    path: `${one}/disable`,
    scopes: ["account:read_write"],
    grant: "unrestricted",
    result: ManagedService,
    event: "managed_disabled",
    decided: ["A disabled service cannot be disabled again."],
    source,
  },
  enable: {
    summary: "Enable the monitoring of a managed service that is disabled.",
    method: "POST",
    path: `${one}/enable`,
    scopes: ["account:read_write"],
    grant: "unrestricted",
    result: ManagedService,
    event: "managed_enabled",
    decided: ["Only a disabled service can be enabled. Its status is then `pending` for one minute."],
    source,
  },
} satisfies Area;
