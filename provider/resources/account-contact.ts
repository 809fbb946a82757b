import { z } from "zod";
import { Account, AccountUpdate } from "../../api";
import { resource } from "../engine/resource";
import { bodyOf } from "./body";

const Contact = AccountUpdate.omit({ active_promotions: true });

/** There is one account, the one that the token belongs to. */
const place = z.strictObject({ account: z.literal("account") });

export const accountContact = resource({
  kind: "AccountContact",
  summary: "Whom the account belongs to, as far as the program states it. Deleted, everything stays as it is.",
  source: "part 3 · Endpoints · Account and billing",
  area: "account",
  place,
  inputs: Contact,
  // Balances and promotions move by themselves, and are for the function that reads the account.
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
  changes: {
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
  key: "repeatable",
  outlives: true,
  // The account is there already: what differs from it is the step's to send.
  create: async () => ({ account: "account" }),
  look: ({ api }) => api.account.view(),
});
