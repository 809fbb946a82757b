import { ManagedCredential, managedCredentials } from "../../api";
import { resource } from "../engine/definition";

const { shape } = managedCredentials.create.body;

export const managedCredential = resource({
  name: "ManagedCredential",
  summary: "Manages a credential for support staff. Deleting it removes it from the managed services that use it.",
  inputs: managedCredentials.create.body.extend({
    username: shape.username.describe("Username. Never returned. If omitted, it is unchanged."),
  }),
  outputs: ManagedCredential,
  identity: { area: "managedCredentials", autoname: "label", lostCreate: { match: ["label"] } },
  inventory: { file: "managed", list: "operation", title: "label" },
  fields: {
    label: "edit",
    username: { change: "secret", by: ["managedCredentials.updateSecret"] },
    password: { change: "secret", by: ["managedCredentials.updateSecret"] },
  },
  steps: {
    edit: {
      run: ({ api, path, changed: { label } }) => api.managedCredentials.update({ path, body: { label } }),
    },
    secret: {
      // The service requires that a password is sent together with the user name.
      run: ({ api, path, want: { password }, changed: { username } }) =>
        api.managedCredentials.updateSecret({ path, body: { password, username } }),
    },
  },
  async create({ api, want }) {
    const { id } = await api.managedCredentials.create({ body: want });
    return { credentialId: id };
  },
});
