import { ManagedContact, ManagedContactFields } from "../../api";
import { resource } from "../engine/definition";

export const managedContact = resource({
  name: "ManagedContact",
  summary: "Manages a contact that is notified about issues with monitored services.",
  inputs: ManagedContactFields,
  outputs: ManagedContact,
  identity: { area: "managedContacts", lostCreate: { match: ["name", "email", "phone", "group"] } },
  inventory: { file: "managed", list: "operation", title: "name" },
  fields: { name: "edit", email: "edit", phone: "edit", group: "edit" },
  steps: { edit: { run: ({ api, path, changed }) => api.managedContacts.update({ path, body: changed }) } },
  async create({ api, want }) {
    const { id } = await api.managedContacts.create({ body: want });
    return { contactId: id };
  },
});
