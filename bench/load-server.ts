import fastify from "fastify";
import { volumes } from "../api";
import { startEmulator } from "../emulator";
import { times, within } from "../emulator/accounts/account";

/** What the parent asks for, one thing at a time. */
export type Asked = { emulator: true } | { volumes: number } | { heap: true } | { bare: string };
export type Told = { url: string } | { done: true } | { bytes: number };

/** A server in its own process: an emulator, or one that answers everything with the same bytes. */
let emulator: Awaited<ReturnType<typeof startEmulator>> | undefined;
let made = 0;

const answer = async (asked: Asked): Promise<Told> => {
  if ("emulator" in asked) {
    emulator = await startEmulator();
    return { url: emulator.url };
  }
  if ("bare" in asked) {
    const app = fastify();
    app.all("/*", (_request, reply) =>
      reply.header("content-type", "application/json; charset=utf-8").send(asked.bare),
    );
    return { url: await app.listen({ port: 0, host: "127.0.0.1" }) };
  }
  if ("volumes" in asked && emulator) {
    await within(emulator.world, ({ call }) =>
      times(asked.volumes, () => {
        const at = made++;
        return call(volumes.create, { body: { label: `made-${at}`, region: "us-east", tags: [`team-${at % 20}`] } });
      }),
    );
    return { done: true };
  }
  global.gc?.();
  return { bytes: process.memoryUsage().heapUsed };
};

process.on("message", (asked: Asked) => void answer(asked).then((told) => process.send?.(told)));
