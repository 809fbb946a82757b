import { z } from "zod";
import { Email, Empty, Id, Paging, page, Updated } from "../schema/common";
import type { Area } from "../schema/operation";

const Name = z
  .string()
  .min(2)
  .max(64)
  .regex(/^[a-zA-Z0-9_ -]*$/, "must hold only letters, digits, blanks, dashes and underscores")
  .describe("Name of the contact.");
const Address = Email.max(254).describe("Where issues are told.");
const Group = z.string().min(2).max(50).nullable().describe("Group of contacts, for people; null for none.");
const Phone = z
  .string()
  .max(32)
  .regex(/^\+?[0-9][0-9 ().-]*[0-9]$/, "must be a phone number such as +1 555 123 4567")
  .nullable();
const Phones = z.strictObject({
  primary: Phone.describe("Number that is called first; null for none."),
  secondary: Phone.describe("Number that is called next; null for none."),
});

export type ManagedContact = z.output<typeof ManagedContact>;
/** Somebody whom support staff turn to. */
export const ManagedContact = z.strictObject({
  id: Id,
  name: z.string().describe("Name of the contact. Empty if not set."),
  email: z.string().describe("Address that is alerted on issues. Empty if not set."),
  phone: Phones,
  group: Group.meta({ filterable: true }),
  updated: Updated,
});

export type ManagedContactFields = z.output<typeof ManagedContactFields>;
export const ManagedContactFields = z
  .strictObject({
    name: Name,
    email: Address,
    phone: Phones.partial().describe("Phone numbers; one that is left out stays as it is."),
    group: Group,
  })
  .partial();

const all = "/managed/contacts";
const one = `${all}/{contactId}` as const;
const source = "part 2 · Endpoints · Managed";

export const managedContacts = {
  list: {
    summary: "List the contacts for managed services.",
    method: "GET",
    path: all,
    scopes: ["account:read_only"],
    grant: "unrestricted",
    query: Paging,
    result: page(ManagedContact),
    source,
  },
  create: {
    summary: "Add a contact for managed services.",
    method: "POST",
    path: all,
    scopes: ["account:read_write"],
    grant: "unrestricted",
    body: ManagedContactFields,
    result: ManagedContact,
    decided: [
      "No field is required; a name or email that was never given is empty in the response.",
      "A phone number holds digits, blanks, dots, dashes and brackets, a plus sign at most in front.",
    ],
    source,
  },
  view: {
    summary: "View a contact.",
    method: "GET",
    path: one,
    scopes: ["account:read_write"],
    grant: "unrestricted",
    result: ManagedContact,
    source,
  },
  update: {
    summary: "Change a contact.",
    method: "PUT",
    path: one,
    scopes: ["account:read_write"],
    grant: "unrestricted",
    body: ManagedContactFields,
    result: ManagedContact,
    source,
  },
  delete: {
    summary: "Delete a contact.",
    method: "DELETE",
    path: one,
    scopes: ["account:read_write"],
    grant: "unrestricted",
    result: Empty,
    source,
  },
} satisfies Area;
