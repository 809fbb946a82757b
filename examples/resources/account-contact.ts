import { AccountContact } from "pulumi-cloudinfra";

// What is not stated here stays as somebody has put it.
const contact = new AccountContact("billing", {
  company: "Example Ltd",
  email: "billing@example.org",
  phone: "555-0100",
});

export const since = contact.activeSince;
