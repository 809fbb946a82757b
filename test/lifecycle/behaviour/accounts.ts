import type { EmulatorOptions } from "../../../emulator";
import { type Cloud, cloud } from "../../../testing/cloud";

/**
 * An account, empty by default, with functions that the tests in this folder use. `world.world.volumes.get(id)` returns
 * the emulator's row; `emulator.faults.add({ path: "instances.update", kind: "cut-after" })` loses a response, and the kind
 * `job-fail` fails a job; `emulator.settle()` ends all jobs, and `emulator.advance(milliseconds)` lets time pass.
 */
export async function account(options?: EmulatorOptions) {
  const world = await cloud(options);
  return {
    ...world,
    /** The API calls that have changed something since this list was last read, in order. */
    calls(): string[] {
      const list = world.emulator.requests.list().filter(({ method, status }) => method !== "GET" && status === 200);
      world.emulator.requests.clear();
      return list.map(({ operation }) => String(operation));
    },
    /** The messages to the user since this list was last read. */
    messages: (): string[] => world.warnings.splice(0),
  };
}

export type Account = Awaited<ReturnType<typeof account>>;

/** Creates an instance with a config and without disks, outside the program. */
export async function machine({ api }: Pick<Cloud, "api">, label: string): Promise<number> {
  const { id } = await api.instances.create({ body: { label, region: "us-east", type: "g6-nanode-1" } });
  await api.instanceConfigs.create({ path: { computeId: id }, body: { label: "main", devices: {} } });
  return id;
}
