import fastify from "fastify";
import { instances, volumes } from "../api";
import { listen, startEmulator } from "../emulator";
import { times, within } from "../emulator/accounts/account";
import { DataFile } from "../emulator/data";
import { begin } from "../emulator/data/writing";
import { openService } from "../emulator/service";
import { unchecked } from "./unchecked";

/** A command from the parent process, which waits for the response before it sends the next command. */
export type Command =
  | { emulator: true }
  | { data: string; checked: boolean }
  | { make: keyof typeof created; count: number }
  | { heap: true }
  | { cpu: true }
  | { bare: string };
export type Reply = { url: string } | { cpu: number } | { done: true } | { bytes: number };

/** The emulator in this process. Undefined if the process runs a server that always returns the same bytes instead. */
let emulator: Awaited<ReturnType<typeof startEmulator>> | undefined;
const created = { volumes: 0, instances: 0 };

const handle = async (command: Command): Promise<Reply> => {
  if ("emulator" in command) {
    emulator = await startEmulator();
    return { url: emulator.url };
  }
  if ("data" in command) {
    const file = new DataFile(command.data, command.checked ? begin : unchecked);
    emulator = await listen(await openService({}, file), {});
    return { url: emulator.url };
  }
  if ("bare" in command) {
    const app = fastify();
    app.all("/*", (_request, reply) =>
      reply.header("content-type", "application/json; charset=utf-8").send(command.bare),
    );
    return { url: await app.listen({ port: 0, host: "127.0.0.1" }) };
  }
  if ("make" in command && emulator) {
    await within(emulator.world, ({ call }) =>
      times(command.count, () => {
        const at = created[command.make]++;
        const body = { label: `made-${at}`, region: "us-east", tags: [`team-${at % 20}`] };
        if (command.make === "volumes") return call(volumes.create, { body });
        return call(instances.create, { body: { ...body, type: "g6-nanode-1" } });
      }),
    );
    return { done: true };
  }
  if ("cpu" in command) {
    const { user, system } = process.cpuUsage();
    return { cpu: user + system };
  }
  global.gc?.();
  return { bytes: process.memoryUsage().heapUsed };
};

process.on("message", (command: Command) => void handle(command).then((reply) => process.send?.(reply)));
