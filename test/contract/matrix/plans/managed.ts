import type {
  managedComputeSettings,
  managedContacts,
  managedCredentials,
  managedIssues,
  managedServices,
} from "../../../../api";
import { outside } from "../../account/billing";
import type { Account, Plans } from "../plan";
import { running } from "./instances";

const person = {
  name: "Ann",
  email: "ann@example.org",
  phone: { primary: "+1 555 123 4567", secondary: null },
  group: "on-call",
};

async function contact({ api }: Account): Promise<{ path: { contactId: number } }> {
  const { id } = await api.managedContacts.create({ body: person });
  return { path: { contactId: id } };
}

export const contactPlans = {
  list: () => ({}),
  create: () => ({ body: person }),
  view: contact,
  update: async (account) => ({ ...(await contact(account)), body: { ...person, name: "Bob" } }),
  delete: contact,
} satisfies Plans<typeof managedContacts>;

const secret = { password: "correct horse", username: "root" };

async function credential({ api }: Account): Promise<{ path: { credentialId: number } }> {
  const { id } = await api.managedCredentials.create({ body: { label: "web", ...secret } });
  return { path: { credentialId: id } };
}

export const credentialPlans = {
  list: () => ({}),
  create: () => ({ body: { label: "web", ...secret } }),
  view: credential,
  update: async (account) => ({ ...(await credential(account)), body: { label: "database" } }),
  delete: credential,
  revoke: credential,
  updateSecret: async (account) => ({ ...(await credential(account)), body: secret }),
  sshKey: () => ({}),
} satisfies Plans<typeof managedCredentials>;

const web = { label: "web", service_type: "url" as const, address: "https://example.org", timeout: 5 };

async function service({ api, settle }: Account): Promise<{ path: { serviceId: number } }> {
  const { id } = await api.managedServices.create({ body: web });
  settle();
  return { path: { serviceId: id } };
}

async function everyField(account: Account) {
  const { path } = await credential(account);
  const about = { body: "Welcome", consultation_group: "on-call", notes: "Ours", region: null };
  return { ...web, ...about, credentials: [path.credentialId] };
}

export const servicePlans = {
  list: () => ({}),
  create: async (account) => ({ body: await everyField(account) }),
  view: service,
  update: async (account) => ({ ...(await service(account)), body: await everyField(account) }),
  delete: service,
  disable: service,
  enable: async (account) => {
    const { path } = await service(account);
    await account.api.managedServices.disable({ path });
    return { path };
  },
} satisfies Plans<typeof managedServices>;

export const issuePlans = {
  list: () => ({}),
  view: async (account) => {
    const { path } = await service(account);
    const { id } = await outside(account, "issues", { services: [path.serviceId] });
    return { path: { issueId: id } };
  },
} satisfies Plans<typeof managedIssues>;

const machine = async (account: Account) => ({ path: { computeId: await running(account) } });

export const settingsPlans = {
  list: () => ({}),
  view: machine,
  update: async (account) => ({
    ...(await machine(account)),
    body: { ssh: { access: true, user: "root", ip: "any", port: 22 } },
  }),
} satisfies Plans<typeof managedComputeSettings>;
