import fc from "fast-check";
import { constants, nothing } from "../equivalent-values";
import type { CreateFixture, Effects, EquivalentValues, ExampleEdit, Found } from "../fixture";
import type { Templates } from "../template";

export const effects: Effects<"AccountContact"> = {
  address1: ["account.update"],
  address2: ["account.update"],
  city: ["account.update"],
  company: ["account.update"],
  country: ["account.update"],
  email: ["account.update"],
  firstName: ["account.update"],
  lastName: ["account.update"],
  phone: ["account.update"],
  state: ["account.update"],
  taxId: ["account.update"],
  zip: ["account.update"],
};

export const found: Found = { by: "byId" };

export const fixture: CreateFixture<"AccountContact"> = async ({ world }) => ({
  base: { company: "Example Ltd", city: "Boston" },
  changes: {
    address1: { to: "2 Example Street" },
    address2: [{ to: "Floor 3" }, { before: { address2: "Floor 3" }, to: "" }],
    city: { to: "Chicago" },
    company: [{ to: "Example Inc" }, { to: "" }],
    country: { to: "DE" },
    email: { to: "billing@example.org" },
    firstName: { to: "Grace" },
    lastName: { to: "Sample" },
    phone: { to: "555-0199" },
    state: { to: "MA" },
    taxId: [{ to: "DE123456789" }, { before: { taxId: "DE123456789" }, to: null }],
    zip: { to: "02101" },
  },
  table: null,
  creation: "account.update",
  remove: null,
  adopted: ["address1", "country", "email", "firstName", "lastName", "phone", "state", "zip"],
  /** Changes fields that the program does not declare, which must not be reported as drift. */
  changeUnmanaged() {
    for (const { id, balance } of [...world.account.all()])
      world.account.patch(id, { balance: balance + 5, balance_uninvoiced: 1.25 });
  },
});

export const equivalentValues: EquivalentValues = (base) => [
  { inputs: {}, equivalent: { ...constants(base), taxId: nothing, address2: fc.constantFrom("", undefined) } },
  { inputs: { country: "DE" }, equivalent: { ...constants(base), country: fc.constantFrom("DE", "de", "De") } },
];

export const exampleEdit: ExampleEdit<"AccountContact"> = { city: "Chicago" };

export const templates: Templates = { AccountContact: { max: 1 } };
