import fastify from "fastify";
import { instances, volumes } from "../api";
import { listen, startEmulator } from "../emulator";
import { times, within } from "../emulator/accounts/account";
import { DataFile } from "../emulator/data";
import { begin } from "../emulator/data/writing";
import { openService } from "../emulator/service";
import { unchecked } from "./unchecked";

/** A command from the parent process, which waits for the response before it sends the next command. */
export type Asked =
  | { emulator: true }
  | { data: string; checked: boolean }
  | { make: keyof typeof made; count: number }
  | { heap: true }
  | { cpu: true }
  | { bare: string };
export type Told = { url: string } | { cpu: number } | { done: true } | { bytes: number };

/** The emulator in this process. Undefined if the process runs a server that always returns the same bytes instead. */
let emulator: Awaited<ReturnType<typeof startEmulator>> | undefined;
const made = { volumes: 0, instances: 0 };

const answer = async (asked: Asked): Promise<Told> => {
  if ("emulator" in asked) {
    emulator = await startEmulator();
    return { url: emulator.url };
  }
  if ("data" in asked) {
    const file = new DataFile(asked.data, asked.checked ? begin : unchecked);
    emulator = await listen(await openService({}, file), {});
    return { url: emulator.url };
  }
  if ("bare" in asked) {
    const app = fastify();
    app.all("/*", (_request, reply) =>
      reply.header("content-type", "application/json; charset=utf-8").send(asked.bare),
    );
    return { url: await app.listen({ port: 0, host: "127.0.0.1" }) };
  }
  if ("make" in asked && emulator) {
    await within(emulator.world, ({ call }) =>
      times(asked.count, () => {
        const at = made[asked.make]++;
        const body = { label: `made-${at}`, region: "us-east", tags: [`team-${at % 20}`] };
        if (asked.make === "volumes") return call(volumes.create, { body });
        return call(instances.create, { body: { ...body, type: "g6-nanode-1" } });
      }),
    );
    return { done: true };
  }
  if ("cpu" in asked) {
    const { user, system } = process.cpuUsage();
    return { cpu: user + system };
  }
  global.gc?.();
  return { bytes: process.memoryUsage().heapUsed };
};

process.on("message", (asked: Asked) => void answer(asked).then((told) => process.send?.(told)));
