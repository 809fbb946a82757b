import { AccountContact } from "pulumi-cloudinfra";

// Omitted fields are not managed and keep their values.
const contact = new AccountContact("billing", {
  company: "Example Ltd",
  email: "billing@example.org",
  phone: "555-0100",
});

export const since = contact.activeSince;
