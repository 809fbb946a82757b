import fc from "fast-check";
import { nothing } from "../equivalent-values";
import type { CreateFixture, Effects, EquivalentValues, ExampleEdit, Found } from "../fixture";
import type { Templates } from "../template";

const phone = { primary: "+1 555 0100", secondary: "+1 555 0101" };

export const effects: Effects<"ManagedContact"> = {
  name: ["managedContacts.update"],
  email: ["managedContacts.update"],
  phone: ["managedContacts.update"],
  group: ["managedContacts.update"],
};

export const found: Found = { by: "operation" };

export const fixture: CreateFixture<"ManagedContact"> = async ({ world }) => ({
  base: { name: "On call", email: "oncall@example.org" },
  changes: {
    name: { to: "Night shift" },
    email: { to: "night@example.org" },
    phone: [
      { to: { primary: "+1 555 0100" } },
      { before: { phone }, to: { ...phone, primary: "+1 555 0199" } },
      { before: { phone }, to: { secondary: null } },
    ],
    group: [{ to: "on-call" }, { before: { group: "on-call" }, to: null }],
  },
  changeUnmanaged: (id) => world.managedContacts.patch(id, {}),
});

const none = { primary: null, secondary: null };

export const equivalentValues: EquivalentValues = () => [
  {
    inputs: { phone: none, group: null },
    equivalent: { phone: fc.constantFrom(none, { primary: null }, { secondary: null }, {}, undefined), group: nothing },
  },
];

export const exampleEdit: ExampleEdit<"ManagedContact"> = { phone: { primary: "555-0199" } };

export const templates: Templates = { ManagedContact: {} };
