import type { EmulatorOptions } from "../../../emulator";
import { type Cloud, cloud } from "../../../testing/cloud";

/** An account, empty by default, with what a test of behaviour asks of it. */
export async function account(options?: EmulatorOptions) {
  const world = await cloud(options);
  return {
    ...world,
    /** The calls that changed something since the last look, in order. */
    calls(): string[] {
      const list = world.emulator.requests.list().filter(({ method, status }) => method !== "GET" && status === 200);
      world.emulator.requests.clear();
      return list.map(({ operation }) => String(operation));
    },
    /** The messages to the user since the last call. */
    told: (): string[] => world.said.splice(0),
  };
}

export type Account = Awaited<ReturnType<typeof account>>;

/** An instance with a config and no disk, created outside the program. */
export async function machine({ api }: Pick<Cloud, "api">, label: string): Promise<number> {
  const { id } = await api.instances.create({ body: { label, region: "us-east", type: "g6-nanode-1" } });
  await api.instanceConfigs.create({ path: { computeId: id }, body: { label: "main", devices: {} } });
  return id;
}
