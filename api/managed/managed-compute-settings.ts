import { z } from "zod";
import { addressKind, canonicalAddress } from "../networking/addresses";
import { Id, ofText, Paging, page } from "../schema/common";
import type { Area } from "../schema/operation";

const Ssh = z.strictObject({
  access: z.boolean().describe("Whether support staff may log in."),
  user: z.string().max(32).describe("User to log in as."),
  ip: z
    .string()
    .refine((text) => text === "any" || addressKind(text) !== undefined, 'must be an IP address or "any"')
    .meta({ canonical: ofText((text) => canonicalAddress(text) ?? text) })
    .describe("Address of the instance to log in by, or `any`."),
  port: z.int().min(1).max(65535).describe("Port of the SSH server."),
});

export type ManagedComputeSettings = z.output<typeof ManagedComputeSettings>;
/** How support staff reach an instance. */
export const ManagedComputeSettings = z.strictObject({
  id: Id.describe("Id of the instance."),
  label: z.string().describe("Label of the instance."),
  group: z.string().describe("Group of the instance, for people."),
  ssh: Ssh,
});

const all = "/managed/compute-settings";
const one = `${all}/{computeId}` as const;
const source = "part 2 · Endpoints · Managed";

export const managedComputeSettings = {
  list: {
    summary: "List how support staff reach each instance of the account.",
    method: "GET",
    path: all,
    scopes: ["account:read_only"],
    grant: "unrestricted",
    query: Paging,
    result: page(ManagedComputeSettings),
    source,
  },
  view: {
    summary: "View how support staff reach an instance.",
    method: "GET",
    path: one,
    scopes: ["account:read_only"],
    grant: "unrestricted",
    result: ManagedComputeSettings,
    decided: ["A new instance may be logged in to as root by port 22 on any of its addresses."],
    source,
  },
  update: {
    summary: "Change how support staff reach an instance.",
    method: "PUT",
    path: one,
    scopes: ["account:read_write"],
    grant: "unrestricted",
    body: z.strictObject({ ssh: Ssh.partial().describe("What to change of the access by SSH.") }).partial(),
    result: ManagedComputeSettings,
    decided: [
      "`ssh.ip` is one of the instance's own addresses or `any`, and `any` again when the instance loses the address.",
    ],
    source,
  },
} satisfies Area;
