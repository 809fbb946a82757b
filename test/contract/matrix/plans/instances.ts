import type { instances } from "../../../../api";
import type { Plans, Stage } from "../plan";

const machine = { region: "us-east", type: "g6-standard-1" };
const debian = { ...machine, image: "compute/debian11", root_pass: "correct horse" };

/** A running instance with two disks and a config. */
export async function running({ api, settle }: Stage, body: object = {}): Promise<number> {
  const { id } = await api.instances.create({ body: { ...debian, ...body } });
  settle();
  return id;
}

/** The same, shut down. */
export async function offline(stage: Stage): Promise<number> {
  const computeId = await running(stage);
  await stage.api.instances.shutdown({ path: { computeId } });
  stage.settle();
  return computeId;
}

/** An instance without disks, with a config. */
export async function empty({ api, settle }: Stage): Promise<number> {
  const { id: computeId } = await api.instances.create({ body: machine });
  settle();
  await api.instanceConfigs.create({ path: { computeId }, body: { label: "main", devices: {} } });
  return computeId;
}

const up = async (stage: Stage) => ({ path: { computeId: await running(stage) } });
const down = async (stage: Stage) => ({ path: { computeId: await offline(stage) } });

/** An instance that is old enough to have statistics. */
async function aged(stage: Stage): Promise<{ path: { computeId: number } }> {
  const { path } = await up(stage);
  stage.advance(3 * 3600 * 1000);
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
  update: async (stage) => ({ ...(await up(stage)), body: { label: "web", tags: ["prod"], alerts: { cpu: 90 } } }),
  delete: up,
  boot: down,
  reboot: up,
  shutdown: up,
  resize: async (stage) => ({ ...(await up(stage)), body: { type: "g6-standard-2" } }),
  rebuild: async (stage) => ({
    ...(await up(stage)),
    body: { image: "compute/debian11", root_pass: "correct horse" },
  }),
  resetPassword: async (stage) => ({ ...(await down(stage)), body: { root_pass: "another horse" } }),
  rescue: async (stage) => {
    const { path } = await up(stage);
    const { data } = await stage.api.instanceDisks.list({ path });
    return { path, body: { devices: { sda: { disk_id: data[0]?.id as number } } } };
  },
  clone: async (stage) => ({ ...(await up(stage)), body: { ...machine, label: "copy" } }),
  mutate: async (stage) => ({ path: { computeId: await running(stage, { type: "g5-standard-1" }) } }),
  migrate: async (stage) => {
    const { path } = await up(stage);
    await stage.send("POST /_emulator/migration", { body: { compute_id: path.computeId } });
    return { path };
  },
  stats: aged,
  monthStats: async (stage) => inMonth(await aged(stage)),
  transfer: up,
  monthTransfer: async (stage) => inMonth(await up(stage)),
  volumes: up,
  firewalls: up,
  nodeBalancers: up,
} satisfies Plans<typeof instances>;
