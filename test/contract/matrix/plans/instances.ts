import type { instances } from "../../../../api";
import type { Account, Plans } from "../plan";

const machine = { region: "us-east", type: "g6-standard-1" };
const debian = { ...machine, image: "compute/debian11", root_pass: "correct horse" };

/** Creates a running instance with two disks and a config. */
export async function running({ api, settle }: Account, body: object = {}): Promise<number> {
  const { id } = await api.instances.create({ body: { ...debian, ...body } });
  settle();
  return id;
}

/** Creates an instance that is powered off, with two disks and a config. */
export async function offline(account: Account): Promise<number> {
  const computeId = await running(account);
  await account.api.instances.shutdown({ path: { computeId } });
  account.settle();
  return computeId;
}

/** Creates an instance without disks, with a config. */
export async function empty({ api, settle }: Account): Promise<number> {
  const { id: computeId } = await api.instances.create({ body: machine });
  settle();
  await api.instanceConfigs.create({ path: { computeId }, body: { label: "main", devices: {} } });
  return computeId;
}

const up = async (account: Account) => ({ path: { computeId: await running(account) } });
const down = async (account: Account) => ({ path: { computeId: await offline(account) } });

/** Creates an instance that is old enough to have statistics. */
async function aged(account: Account): Promise<{ path: { computeId: number } }> {
  const { path } = await up(account);
  account.advance(3 * 3600 * 1000);
  return { path };
}
const inMonth = ({ path }: { path: { computeId: number } }) => ({ path: { ...path, year: 2022, month: 1 } });

export const plans = {
  list: () => ({}),
  create: () => ({
    body: {
      ...debian,
      label: "web",
      tags: ["prod"],
      interfaces: [{ purpose: "public" }],
      authorized_keys: ["ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJx1 me"],
    },
  }),
  view: up,
  update: async (account) => ({ ...(await up(account)), body: { label: "web", tags: ["prod"], alerts: { cpu: 90 } } }),
  delete: up,
  boot: down,
  reboot: up,
  shutdown: up,
  resize: async (account) => ({ ...(await up(account)), body: { type: "g6-standard-2" } }),
  rebuild: async (account) => ({
    ...(await up(account)),
    body: { image: "compute/debian11", root_pass: "correct horse" },
  }),
  resetPassword: async (account) => ({ ...(await down(account)), body: { root_pass: "another horse" } }),
  rescue: async (account) => {
    const { path } = await up(account);
    const { data } = await account.api.instanceDisks.list({ path });
    return { path, body: { devices: { sda: { disk_id: data[0]?.id as number } } } };
  },
  clone: async (account) => ({ ...(await up(account)), body: { ...machine, label: "copy" } }),
  mutate: async (account) => ({ path: { computeId: await running(account, { type: "g5-standard-1" }) } }),
  migrate: async (account) => {
    const { path } = await up(account);
    await account.send("POST /_emulator/migration", { body: { compute_id: path.computeId } });
    return { path };
  },
  stats: aged,
  monthStats: async (account) => inMonth(await aged(account)),
  transfer: up,
  monthTransfer: async (account) => inMonth(await up(account)),
  volumes: up,
  firewalls: up,
  nodeBalancers: up,
} satisfies Plans<typeof instances>;
