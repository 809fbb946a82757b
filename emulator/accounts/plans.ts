import {
  domainRecords,
  domains,
  entityTransfers,
  firewallDevices,
  firewalls,
  images,
  instanceAddresses,
  instanceBackups,
  instanceConfigs,
  instanceDisks,
  instances,
  lkeClusters,
  lkePools,
  managedContacts,
  managedCredentials,
  managedServices,
  nodeBalancerConfigs,
  nodeBalancerNodes,
  nodeBalancers,
  oauthClients,
  objectStorageBuckets,
  objectStorageClusters,
  objectStorageKeys,
  serviceTransfers,
  tags,
  volumes,
} from "../../api";
import { type Account, type Plan, times } from "./account";

const regions = ["us-east", "eu-central", "us-west", "ap-south"];
const types = ["g6-nanode-1", "g6-standard-1", "g6-standard-2"];
const image = "compute/debian11";
const root_pass = "Correct-Horse-42";

const instancesPlan: Plan = {
  async small({ call, settle }) {
    const region = "us-east";
    const web = {
      region,
      type: "g6-nanode-1",
      label: "web",
      image,
      root_pass,
      backups_enabled: true,
      private_ip: true,
    };
    const { id: computeId } = await call(instances.create, { body: web });
    const spare = await call(instances.create, { body: { region, type: "g6-standard-1", label: "spare" } });
    settle();
    await call(instanceAddresses.allocate, { path: { computeId: spare.id }, body: { type: "ipv4", public: false } });
    await call(instanceBackups.snapshot, { path: { computeId }, body: { label: "before the change" } });
    const path = { computeId: spare.id };
    const disk = await call(instanceDisks.create, { path, body: { label: "data", size: 1024, filesystem: "ext4" } });
    settle();
    await call(instanceConfigs.create, { path, body: { label: "rescue", devices: { sda: { disk_id: disk.id } } } });
  },

  async large({ call }) {
    await times(2_000, (at) => {
      const where = { region: regions[at % regions.length] as string, type: types[at % types.length] as string };
      return call(instances.create, {
        body: { ...where, label: `server-${at}`, tags: [`team-${at % 20}`], image, root_pass },
      });
    });
  },
};

const volumesPlan: Plan = {
  async small({ call }) {
    const [web] = (await call(instances.list, {})).data;
    if (web) await call(volumes.create, { body: { label: "data", size: 20, compute_id: web.id } });
    await call(volumes.create, { body: { label: "archive", size: 100, region: "eu-central", tags: ["archive"] } });
  },

  async large({ call }) {
    await times(3_000, (at) =>
      call(volumes.create, {
        body: {
          label: `volume-${at}`,
          size: 10 + (at % 10) * 10,
          region: at % 3 ? "us-east" : "eu-central",
          tags: [`team-${at % 20}`],
        },
      }),
    );
  },
};

const imagesPlan: Plan = {
  async small({ call, settle }) {
    const web = (await call(instances.list, {})).data.find(({ label }) => label === "web");
    const [disk] = web ? (await call(instanceDisks.list, { path: { computeId: web.id } })).data : [];
    if (disk) await call(images.create, { body: { disk_id: disk.id, label: "golden" } });
    settle();
  },
};

async function zone({ call }: Account, domain: string): Promise<void> {
  const soa_email = `admin@${domain}`;
  const { id: domainId } = await call(domains.create, { body: { domain, type: "master", soa_email } });
  for (const body of [
    { type: "A", name: "www", target: "192.0.2.10" },
    { type: "AAAA", name: "www", target: "2001:db8::10" },
    { type: "MX", target: `mail.${domain}`, priority: 10 },
    { type: "TXT", target: "v=spf1 mx -all" },
  ] as const)
    await call(domainRecords.create, { path: { domainId }, body });
}

const domainsPlan: Plan = {
  async small(account) {
    await zone(account, "example.org");
    const body = { domain: "example.net", type: "slave" as const, master_ips: ["192.0.2.53"] };
    await account.call(domains.create, { body });
  },

  large: (account) => times(800, (at) => zone(account, `site-${at}.example`)),
};

const rules = {
  inbound_policy: "DROP" as const,
  outbound_policy: "ACCEPT" as const,
  inbound: [
    { action: "ACCEPT" as const, protocol: "TCP" as const, ports: "80, 443", addresses: { ipv4: ["0.0.0.0/0"] } },
  ],
};

const firewall = ({ call }: Account, label: string) => call(firewalls.create, { body: { label, rules } });

const firewallsPlan: Plan = {
  async small(account) {
    const { id: firewallId } = await firewall(account, "web");
    const [web] = (await account.call(instances.list, {})).data;
    if (web)
      await account.call(firewallDevices.create, { path: { firewallId }, body: { type: "compute", id: web.id } });
  },

  async large(account) {
    const computes: number[] = [];
    for (let page = 1; page <= 6; page++)
      computes.push(...(await account.call(instances.list, { query: { page } as never })).data.map(({ id }) => id));
    await times(400, async (at) => {
      const { id: firewallId } = await firewall(account, `firewall-${at}`);
      for (const id of [computes[at], at < 180 ? computes[400 + at] : undefined])
        if (id !== undefined)
          await account.call(firewallDevices.create, { path: { firewallId }, body: { type: "compute", id } });
    });
  },
};

const cluster = ({ call }: Account, label: string) =>
  call(lkeClusters.create, {
    body: { label, region: "us-east", k8s_version: "1.22", node_pools: [{ type: "g6-standard-1", count: 3 }] },
  });

const lkeClustersPlan: Plan = {
  async small(account) {
    const { id: clusterId } = await cluster(account, "apps");
    await account.call(lkePools.create, { path: { clusterId }, body: { type: "g6-standard-2", count: 1 } });
  },

  large: (account) => times(20, (at) => cluster(account, `cluster-${at}`)),
};

const managedPlan: Plan = {
  async small({ call }) {
    await call(managedContacts.create, { body: { name: "On call", email: "oncall@example.org", group: "on-call" } });
    const login = { label: "deployment", username: "deploy", password: "Correct-Horse-42" };
    const { id } = await call(managedCredentials.create, { body: login });
    const address = "https://www.example.org";
    await call(managedServices.create, {
      body: {
        label: "website",
        service_type: "url",
        address,
        timeout: 30,
        consultation_group: "on-call",
        credentials: [id],
      },
    });
  },
};

const nodeBalancersPlan: Plan = {
  async small({ call }) {
    const { id: nodeBalancerId } = await call(nodeBalancers.create, { body: { region: "us-east", label: "front" } });
    const { id: configId } = await call(nodeBalancerConfigs.create, { path: { nodeBalancerId }, body: { port: 80 } });
    const web = (await call(instances.list, {})).data.find(({ label }) => label === "web");
    const [backend] = web ? (await call(instanceAddresses.list, { path: { computeId: web.id } })).ipv4.private : [];
    const body = { label: "web", address: `${backend?.address}:80` };
    if (backend) await call(nodeBalancerNodes.create, { path: { nodeBalancerId, configId }, body });
  },
};

const oauthClientsPlan: Plan = {
  async small({ call }) {
    await call(oauthClients.create, {
      body: { label: "dashboard", redirect_uri: "https://dashboard.example.org/oauth" },
    });
  },
};

const objectStoragePlan: Plan = {
  async small({ call }) {
    const [cluster] = (await call(objectStorageClusters.list, {})).data;
    if (cluster) await call(objectStorageBuckets.create, { body: { label: "assets", cluster: cluster.id } });
    await call(objectStorageKeys.create, { body: { label: "deployment" } });
  },
};

const tagsPlan: Plan = {
  async small({ call }) {
    const ids = (await call(volumes.list, {})).data.map(({ id }) => id);
    await call(tags.create, { body: { label: "production", volumes: ids } });
  },
};

const transfersPlan: Plan = {
  async small({ call, settle }) {
    // Each transfer offers an instance of its own, because an instance can only be part of one pending transfer.
    for (const operation of [entityTransfers.create, serviceTransfers.create]) {
      const { id } = await call(instances.create, { body: { region: "us-west", type: "g6-nanode-1" } });
      settle();
      await call(operation, { body: { entities: { computes: [id] } } });
    }
  },
};

/**
 * The plans in dependency order: instances, for example, are created before the firewalls that are assigned to them.
 */
export const plans: readonly Plan[] = [
  instancesPlan,
  volumesPlan,
  imagesPlan,
  domainsPlan,
  firewallsPlan,
  lkeClustersPlan,
  managedPlan,
  nodeBalancersPlan,
  oauthClientsPlan,
  objectStoragePlan,
  tagsPlan,
  transfersPlan,
];
