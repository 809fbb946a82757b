import { z } from "zod";
import { Empty, Id, Paging, page, Time } from "../schema/common";
import type { Area } from "../schema/operation";

const Label = z
  .string()
  .min(2)
  .max(75)
  .regex(/^[a-zA-Z0-9_ .-]*$/, "must hold only letters, digits, blanks, dots, dashes and underscores")
  .describe("Name of the credential for people, unique in the account.");
const Username = z.string().max(5000).meta({ secret: true }).describe("Name to log in with.");
const Password = z.string().min(1).meta({ secret: true }).describe("Password to log in with; it is never shown.");

export type ManagedCredential = z.output<typeof ManagedCredential>;
/** A login that support staff can use. */
export const ManagedCredential = z.strictObject({
  id: Id,
  label: Label,
  last_decrypted: Time.nullable()
    .meta({ volatile: true })
    .describe("When support staff last decrypted it. Null if they never have."),
});

const all = "/managed/credentials";
const one = `${all}/{credentialId}` as const;
const source = "part 2 · Endpoints · Managed";

const removal = {
  scopes: ["account:read_write"],
  grant: "unrestricted",
  result: Empty,
  decided: ["Both ways of deleting do the same. The services that name the credential lose it."],
  source,
} as const;

export const managedCredentials = {
  list: {
    summary: "List the credentials that support staff can use.",
    method: "GET",
    path: all,
    scopes: ["account:read_only"],
    grant: "unrestricted",
    query: Paging,
    result: page(ManagedCredential),
    source,
  },
  create: {
    summary: "Store a credential for support staff.",
    method: "POST",
    path: all,
    scopes: ["account:read_write"],
    grant: "unrestricted",
    body: z.strictObject({ label: Label, password: Password, username: Username.optional() }),
    result: ManagedCredential,
    decided: ["A password holds at least one character."],
    source,
  },
  view: {
    summary: "View a credential, without user name and password.",
    method: "GET",
    path: one,
    scopes: ["account:read_write"],
    grant: "unrestricted",
    result: ManagedCredential,
    source,
  },
  update: {
    summary: "Change a credential's label.",
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
    summary: "Delete a credential; support staff can't use it any more.",
    method: "DELETE",
    path: one,
  },
  revoke: {
    ...removal,
    summary: "Delete a credential, by its other path; support staff can't use it any more.",
    method: "POST",
    path: `${one}/revoke`,
  },
  updateSecret: {
    summary: "Change a credential's password and user name.",
    method: "POST",
    path: `${one}/update`,
    scopes: ["account:read_write"],
    grant: "unrestricted",
    body: z.strictObject({ password: Password, username: Username.optional() }),
    result: Empty,
    decided: ["A user name that is left out stays as it is."],
    source,
  },
  sshKey: {
    summary: "View the public key that lets support staff log in to instances which know it.",
    method: "GET",
    path: `${all}/sshkey`,
    scopes: ["account:read_only"],
    grant: "unrestricted",
    result: z.strictObject({ ssh_key: z.string().describe("Line for an instance's file of authorized keys.") }),
    source,
  },
} satisfies Area;
