import { ManagedContact, ManagedContactFields } from "../../api";
import { resource } from "../engine/resource";

export const managedContact = resource({
  kind: "ManagedContact",
  summary: "Somebody whom support staff turn to when a monitored service has an issue.",
  source: "part 2 · Endpoints · Managed",
  area: "managedContacts",
  inputs: ManagedContactFields,
  outputs: ManagedContact,
  changes: { name: "edit", email: "edit", phone: "edit", group: "edit" },
  steps: { edit: { run: ({ api, path, changed }) => api.managedContacts.update({ path, body: changed }) } },
  key: ["name", "email", "phone", "group"],
  async create({ api, want }) {
    const { id } = await api.managedContacts.create({ body: want });
    return { contactId: id };
  },
});
