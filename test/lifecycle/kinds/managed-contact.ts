import type { Fixture } from "../fixture";

const phone = { primary: "+1 555 0100", secondary: "+1 555 0101" };

export const managedContact: Fixture<"ManagedContact"> = async ({ world }) => ({
  base: { name: "On call", email: "oncall@example.org" },
  changes: {
    name: { to: "Night shift" },
    email: { to: "night@example.org" },
    phone: [
      { to: { primary: "+1 555 0100" } },
      { given: { phone }, to: { ...phone, primary: "+1 555 0199" } },
      { given: { phone }, to: { secondary: null } },
    ],
    group: [{ to: "on-call" }, { given: { group: "on-call" }, to: null }],
  },
  stir: (id) => world.managedContacts.patch(id, {}),
});
