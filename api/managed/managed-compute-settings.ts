import { z } from "zod";
import { addressKind, canonicalAddress } from "../networking/addresses";
import { Id, ofText, Paging, page } from "../schema/common";
import type { Area } from "../schema/operation";

const Ssh = z.strictObject({
  access: z.boolean().describe("Whether support staff can log in to the instance by SSH."),
  user: z.string().max(32).describe("Username with which support staff log in to the instance."),
  ip: z
    .string()
    .refine((text) => text === "any" || addressKind(text) !== undefined, 'must be an IP address or "any"')
    .meta({ canonical: ofText((text) => canonicalAddress(text) ?? text) })
    .describe(
      "IP address at which support staff connect to the instance. With `any`, they can use every address of the instance.",
    ),
  port: z.int().min(1).max(65535).describe("Port of the SSH server on the instance."),
});

export type ManagedComputeSettings = z.output<typeof ManagedComputeSettings>;
/** SSH access settings of an instance for support staff. */
export const ManagedComputeSettings = z.strictObject({
  id: Id.describe("Id of the instance."),
  label: z.string().describe("Label of the instance."),
  group: z.string().describe("Name of the group under which user interfaces list the instance. No other effect."),
  ssh: Ssh.describe("SSH access of support staff to the instance."),
});

const all = "/managed/compute-settings";
const one = `${all}/{computeId}` as const;
const source = "part 2 · Endpoints · Managed";

export const managedComputeSettings = {
  list: {
    summary: "List the settings for SSH access of support staff, with one entry for each instance.",
    method: "GET",
    path: all,
    scopes: ["account:read_only"],
    grant: "unrestricted",
    query: Paging,
    result: page(ManagedComputeSettings),
    source,
  },
  view: {
    summary: "View the settings for SSH access of support staff to an instance.",
    method: "GET",
    path: one,
    scopes: ["account:read_only"],
    grant: "unrestricted",
    result: ManagedComputeSettings,
    decided: ["Default settings: user root, port 22, any address of the instance."],
    source,
  },
  update: {
    summary: "Update the settings for SSH access of support staff to an instance.",
    method: "PUT",
    path: one,
    scopes: ["account:read_write"],
    grant: "unrestricted",
    body: z
      .strictObject({
        ssh: Ssh.partial().describe("SSH access of support staff to the instance. Omitted fields are unchanged."),
      })
      .partial(),
    result: ManagedComputeSettings,
    decided: [
      "`ssh.ip` must be an address of the instance or `any`. It becomes `any` if the instance loses the address.",
    ],
    source,
  },
} satisfies Area;
