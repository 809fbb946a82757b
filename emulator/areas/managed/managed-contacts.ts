import type { ManagedContact } from "../../../api";
import { table } from "../../core/store";
import type { AreaModule } from "../../http/handlers";

export const managedContacts: AreaModule<"managedContacts", { managedContacts: ManagedContact }> = {
  tables: {
    managedContacts: table<ManagedContact>([], { upgrade: (row) => ({ name: "", email: "", ...row }) }),
  },
  handlers: {
    list: ({ world }) => world.managedContacts,

    create({ world, body: { name = "", email = "", phone, group = null } }) {
      return world.managedContacts.insert({
        name,
        email,
        phone: { primary: phone?.primary ?? null, secondary: phone?.secondary ?? null },
        group,
      });
    },

    view: ({ world, path }) => world.managedContacts.get(path.contactId),

    update({ world, path, body: { phone, ...body } }) {
      const contact = world.managedContacts.get(path.contactId);
      const { primary = contact.phone.primary, secondary = contact.phone.secondary } = phone ?? {};
      return world.managedContacts.patch(contact.id, { ...body, phone: { primary, secondary } });
    },

    delete({ world, path }) {
      world.managedContacts.remove(path.contactId);
      return {};
    },
  },
};
