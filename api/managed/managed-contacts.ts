import { z } from "zod";
import { Email, Empty, Id, Paging, page, Updated } from "../schema/common";
import type { Area } from "../schema/operation";

const Name = z
  .string()
  .min(2)
  .max(64)
  .regex(/^[a-zA-Z0-9_ -]*$/, "must contain only letters, digits, spaces, dashes and underscores")
  .describe("Name of the contact.");
const Address = Email.max(254).describe("Email address for alerts about issues.");
const Group = z
  .string()
  .min(2)
  .max(50)
  .nullable()
  .describe("Group of the contact. Null if it does not belong to a group.");
const Phone = z
  .string()
  .max(32)
  .regex(/^\+?[0-9][0-9 ().-]*[0-9]$/, "must be a phone number such as +1 555 123 4567")
  .nullable();
const Phones = z.strictObject({
  primary: Phone.describe("Primary phone number. Null for none."),
  secondary: Phone.describe("Secondary phone number. Null for none."),
});

export type ManagedContact = z.output<typeof ManagedContact>;
/** A person whom support staff contact about issues. */
export const ManagedContact = z.strictObject({
  id: Id,
  name: z.string().describe("Name of the contact. Empty if not set."),
  email: z.string().describe("Email address for alerts about issues. Empty if not set."),
  phone: Phones.describe("Phone numbers."),
  group: Group.meta({ filterable: true }),
  updated: Updated,
});

export type ManagedContactFields = z.output<typeof ManagedContactFields>;
export const ManagedContactFields = z
  .strictObject({
    name: Name,
    email: Address,
    phone: Phones.partial().describe("Phone numbers. Omitted numbers are unchanged."),
    group: Group,
  })
  .partial();

const all = "/managed/contacts";
const one = `${all}/{contactId}` as const;
const source = "part 2 · Endpoints · Managed";

export const managedContacts = {
  list: {
    summary: "List the contacts that are notified about issues with monitored services.",
    method: "GET",
    path: all,
    scopes: ["account:read_only"],
    grant: "unrestricted",
    query: Paging,
    result: page(ManagedContact),
    source,
  },
  create: {
    summary: "Add a contact that is notified about issues with monitored services.",
    method: "POST",
    path: all,
    scopes: ["account:read_write"],
    grant: "unrestricted",
    body: ManagedContactFields,
    result: ManagedContact,
    decided: [
      "All fields are optional. A name or email that was never set is returned as an empty string.",
      "A phone number can contain digits, spaces, dots, dashes and brackets, and a plus sign at the start.",
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
    summary: "Update a contact.",
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
