import type { Fixture } from "../fixture";

export const accountContact: Fixture<"AccountContact"> = async ({ world }) => ({
  base: { company: "Example Ltd", city: "Boston" },
  changes: {
    address1: { to: "2 Example Street" },
    address2: [{ to: "Floor 3" }, { given: { address2: "Floor 3" }, to: "" }],
    city: { to: "Chicago" },
    company: [{ to: "Example Inc" }, { to: "" }],
    country: { to: "DE" },
    email: { to: "billing@example.org" },
    firstName: { to: "Grace" },
    lastName: { to: "Sample" },
    phone: { to: "555-0199" },
    state: { to: "MA" },
    taxId: [{ to: "DE123456789" }, { given: { taxId: "DE123456789" }, to: null }],
    zip: { to: "02101" },
  },
  table: null,
  creation: "account.update",
  remove: null,
  /** Money comes and goes, and others change what the program does not state. */
  stir() {
    for (const { id, balance } of [...world.account.all()])
      world.account.patch(id, { balance: balance + 5, balance_uninvoiced: 1.25 });
  },
});
