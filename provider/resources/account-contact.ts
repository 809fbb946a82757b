import { z } from "zod";
import { Account, AccountUpdate } from "../../api";
import { resource } from "../engine/definition";
import { bodyOf } from "./body";

const Contact = AccountUpdate.omit({ active_promotions: true });

export const accountContact = resource({
  name: "AccountContact",
  summary:
    "Manages the contact of the account. Omitted fields are not managed. Deleting the resource does not change the contact.",
  elsewhere: {
    note: {
      terraform: "The contact of the account. `linode_account_settings` covers other settings.",
      pulumi: "The contact of the account. `AccountSettings` covers other settings.",
    },
  },
  inputs: Contact,
  // Balances and promotions change constantly, so they are not in state. Programs can read them with `getAccount`.
  outputs: Account.pick({
    address_1: true,
    address_2: true,
    city: true,
    company: true,
    country: true,
    email: true,
    first_name: true,
    last_name: true,
    phone: true,
    state: true,
    tax_id: true,
    zip: true,
    active_since: true,
    euuid: true,
  }),
  identity: {
    area: "account",
    lookup: {
      // API paths for the account do not contain an id, because the token determines the account. The resource
      // therefore has the fixed id `account`.
      path: z.strictObject({ account: z.literal("account") }),
      get: ({ api }) => api.account.view(),
    },
    lostCreate: "repeat",
  },
  inventory: {
    file: "account",
    list: "byId",
    title: "id",
    omissionReason: "every account has one, whether or not a program manages it",
  },
  fields: {
    address_1: "edit",
    address_2: "edit",
    city: "edit",
    company: "edit",
    country: "edit",
    email: "edit",
    first_name: "edit",
    last_name: "edit",
    phone: "edit",
    state: "edit",
    tax_id: "edit",
    zip: "edit",
  },
  steps: { edit: { run: ({ api, changed }) => api.account.update({ body: bodyOf(Contact, changed) }) } },
  // The account already exists, so nothing is created. Afterwards, `steps.edit` changes the contact data that differs.
  create: async () => ({ account: "account" }),
  delete: { run: "none" },
});
