import { ManagedCredential, managedCredentials } from "../../api";
import { resource } from "../engine/resource";

const { shape } = managedCredentials.create.body;

export const managedCredential = resource({
  kind: "ManagedCredential",
  summary: "A login that support staff can use; deleted, the services that name it lose it.",
  source: "part 2 · Endpoints · Managed",
  area: "managedCredentials",
  inputs: managedCredentials.create.body.extend({
    username: shape.username.describe("Name to log in with; it is never shown. Left out, it stays as it is."),
  }),
  outputs: ManagedCredential,
  changes: { label: "edit", username: "secret", password: "secret" },
  exceptions: { username: "`managedCredentials.updateSecret`", password: "`managedCredentials.updateSecret`" },
  steps: {
    edit: {
      run: ({ api, path, changed: { label } }) => api.managedCredentials.update({ path, body: { label } }),
    },
    secret: {
      // The service takes no user name without a password, so that one goes along with it.
      run: ({ api, path, want: { password }, changed: { username } }) =>
        api.managedCredentials.updateSecret({ path, body: { password, username } }),
    },
  },
  autoname: "label",
  key: ["label"],
  async create({ api, want }) {
    const { id } = await api.managedCredentials.create({ body: want });
    return { credentialId: id };
  },
});
