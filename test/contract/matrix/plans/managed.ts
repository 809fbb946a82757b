import type {
  managedComputeSettings,
  managedContacts,
  managedCredentials,
  managedIssues,
  managedServices,
} from "../../../../api";
import { outside } from "../../billing";
import type { Plans, Stage } from "../plan";
import { running } from "./instances";

const person = {
  name: "Ann",
  email: "ann@example.org",
  phone: { primary: "+1 555 123 4567", secondary: null },
  group: "on-call",
};

async function contact({ api }: Stage): Promise<{ path: { contactId: number } }> {
  const { id } = await api.managedContacts.create({ body: person });
  return { path: { contactId: id } };
}

export const contactPlans = {
  list: () => ({}),
  create: () => ({ body: person }),
  view: contact,
  update: async (stage) => ({ ...(await contact(stage)), body: { ...person, name: "Bob" } }),
  delete: contact,
} satisfies Plans<typeof managedContacts>;

const secret = { password: "correct horse", username: "root" };

async function credential({ api }: Stage): Promise<{ path: { credentialId: number } }> {
  const { id } = await api.managedCredentials.create({ body: { label: "web", ...secret } });
  return { path: { credentialId: id } };
}

export const credentialPlans = {
  list: () => ({}),
  create: () => ({ body: { label: "web", ...secret } }),
  view: credential,
  update: async (stage) => ({ ...(await credential(stage)), body: { label: "database" } }),
  delete: credential,
  revoke: credential,
  updateSecret: async (stage) => ({ ...(await credential(stage)), body: secret }),
  sshKey: () => ({}),
} satisfies Plans<typeof managedCredentials>;

const web = { label: "web", service_type: "url" as const, address: "https://example.org", timeout: 5 };

async function service({ api, settle }: Stage): Promise<{ path: { serviceId: number } }> {
  const { id } = await api.managedServices.create({ body: web });
  settle();
  return { path: { serviceId: id } };
}

async function everyField(stage: Stage) {
  const { path } = await credential(stage);
  const about = { body: "Welcome", consultation_group: "on-call", notes: "Ours", region: null };
  return { ...web, ...about, credentials: [path.credentialId] };
}

export const servicePlans = {
  list: () => ({}),
  create: async (stage) => ({ body: await everyField(stage) }),
  view: service,
  update: async (stage) => ({ ...(await service(stage)), body: await everyField(stage) }),
  delete: service,
  disable: service,
  enable: async (stage) => {
    const { path } = await service(stage);
    await stage.api.managedServices.disable({ path });
    return { path };
  },
} satisfies Plans<typeof managedServices>;

export const issuePlans = {
  list: () => ({}),
  view: async (stage) => {
    const { path } = await service(stage);
    const { id } = await outside(stage, "issues", { services: [path.serviceId] });
    return { path: { issueId: id } };
  },
} satisfies Plans<typeof managedIssues>;

const machine = async (stage: Stage) => ({ path: { computeId: await running(stage) } });

export const settingsPlans = {
  list: () => ({}),
  view: machine,
  update: async (stage) => ({
    ...(await machine(stage)),
    body: { ssh: { access: true, user: "root", ip: "any", port: 22 } },
  }),
} satisfies Plans<typeof managedComputeSettings>;
