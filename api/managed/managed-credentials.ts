import { z } from "zod";
import { Empty, Id, Paging, page, Time } from "../schema/common";
import type { Area } from "../schema/operation";

const Label = z
  .string()
  .min(2)
  .max(75)
  .regex(/^[a-zA-Z0-9_ .-]*$/, "must contain only letters, digits, spaces, periods, dashes and underscores")
  .describe("Label of the credential. Must be unique in the account.");
const Username = z.string().max(5000).meta({ secret: true }).describe("Username.");
const Password = z.string().min(1).meta({ secret: true }).describe("Password. Never returned.");

export type ManagedCredential = z.output<typeof ManagedCredential>;
/** A credential that support staff can use to resolve issues. */
export const ManagedCredential = z.strictObject({
  id: Id,
  label: Label,
  last_decrypted: Time.nullable()
    .meta({ volatile: true })
    .describe("Time at which support staff last decrypted the credential, in UTC. Null if never."),
});

const all = "/managed/credentials";
const one = `${all}/{credentialId}` as const;
const source = "part 2 · Endpoints · Managed";

const removal = {
  scopes: ["account:read_write"],
  grant: "unrestricted",
  result: Empty,
  decided: ["Both delete operations are equivalent. The credential is removed from the services that use it."],
  source,
} as const;

export const managedCredentials = {
  list: {
    summary: "List the credentials that are stored for support staff.",
    method: "GET",
    path: all,
    scopes: ["account:read_only"],
    grant: "unrestricted",
    query: Paging,
    result: page(ManagedCredential),
    source,
  },
  create: {
    summary: "Create a credential that support staff can use to resolve issues.",
    method: "POST",
    path: all,
    scopes: ["account:read_write"],
    grant: "unrestricted",
    body: z.strictObject({ label: Label, password: Password, username: Username.optional() }),
    result: ManagedCredential,
    decided: ["A password must have at least one character."],
    source,
  },
  view: {
    summary: "View a credential without username and password.",
    method: "GET",
    path: one,
    scopes: ["account:read_write"],
    grant: "unrestricted",
    result: ManagedCredential,
    source,
  },
  update: {
    summary: "Update a credential's label.",
    method: "PUT",
    path: one,
    scopes: ["account:read_write"],
    grant: "unrestricted",
    body: z.strictObject({ label: Label }).partial(),
    result: ManagedCredential,
    source,
  },
  delete: {
    ...removal,
    summary: "Delete a credential.",
    method: "DELETE",
    path: one,
  },
  revoke: {
    ...removal,
    summary: "Delete a credential. Has the same effect as `managedCredentials.delete`.",
    method: "POST",
    path: `${one}/revoke`,
  },
  updateSecret: {
    summary: "Update the password and username of a credential.",
    method: "POST",
    path: `${one}/update`,
    scopes: ["account:read_write"],
    grant: "unrestricted",
    body: z.strictObject({ password: Password, username: Username.optional() }),
    result: Empty,
    decided: ["If `username` is omitted, it is unchanged."],
    source,
  },
  sshKey: {
    summary: "View the public SSH key that support staff use to log in to instances.",
    method: "GET",
    path: `${all}/sshkey`,
    scopes: ["account:read_only"],
    grant: "unrestricted",
    result: z.strictObject({ ssh_key: z.string().describe("Line for the `authorized_keys` file of an instance.") }),
    source,
  },
} satisfies Area;
