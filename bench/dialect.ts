import { execFile } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { type DialectName, operations, translationOf } from "../api";
import { startEmulator } from "../emulator";
import { connect } from "../provider/client";
import { type Figure, inTurns, median } from "./figures";

const root = join(__dirname, "../..");
const RUNS = 15;
/** More turns for calls, because a conversion takes less than a hundredth of a call. */
const CALL_RUNS = 75;
const CALLS = 500;

/**
 * The cost of a dialect: the time of a call that reads an instance, with and without the conversion of names, from a
 * server that returns prepared bytes; and the time of the first call in a new process, which prepares the conversion.
 */
export async function dialectFigures(): Promise<Figure[]> {
  await using own = await prepared(undefined);
  await using linode = await prepared("linode");
  const timed = (client: Prepared["client"]) => async (): Promise<number> => {
    const startedAt = performance.now();
    for (let i = 0; i < CALLS; i++) await client.api.instances.view({ path: { computeId: 1 } });
    return performance.now() - startedAt;
  };
  await timed(own.client)();
  await timed(linode.client)();
  const call = await inTurns(CALL_RUNS, timed(linode.client), timed(own.client));
  const start = await inTurns(
    RUNS,
    () => firstCall(linode),
    () => firstCall(own),
  );
  const { values: calls, ...perCall } = call;
  const { values: starts, ...perStart } = start;
  return [
    {
      name: `${CALLS} calls with a dialect`,
      value: median(calls),
      unit: "ms",
      max: perCall.other * 1.03,
      baseline: "without one",
      ...perCall,
    },
    {
      name: "first call of a new client with a dialect",
      value: median(starts),
      unit: "ms",
      max: perStart.other + 5,
      baseline: "without one",
      ...perStart,
    },
  ];
}

/** A client, and a server that returns the bytes of an instance to each request, with the names of the dialect. */
async function prepared(dialect: DialectName | undefined) {
  const bytes = await instanceBytes(dialect);
  const server = createServer((_, response) => {
    response.writeHead(200, { "content-type": "application/json" }).end(bytes);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}/v4`;
  const client = connect({ url, token: "bench", dialect });
  return {
    url,
    dialect,
    client,
    async [Symbol.asyncDispose]() {
      await client.close();
      server.closeAllConnections();
      server.close();
    },
  };
}
type Prepared = Awaited<ReturnType<typeof prepared>>;

/** An instance as a response has it. Both responses have the same fields, so that they differ only in names. */
async function instanceBytes(dialect: DialectName | undefined): Promise<string> {
  await using emulator = await startEmulator({ pace: "instant", seed: 1 });
  const { api, close } = connect(emulator);
  const instance = await api.instances.create({ body: { region: "us-east", type: "g6-nanode-1", label: "web" } });
  await close();
  const translate = dialect && translationOf(dialect).of(operations.instances.view.result, "to");
  return JSON.stringify(translate ? translate(instance) : instance);
}

/**
 * Milliseconds in a new process from connecting to the result of the first call, which converts the names that it needs
 * for the first time.
 */
async function firstCall({ url, dialect }: Prepared): Promise<number> {
  const program = `
    const { connect } = require("./dist/provider/client");
    const startedAt = performance.now();
    const client = connect(${JSON.stringify({ url, token: "bench", dialect })});
    client.api.instances.view({ path: { computeId: 1 } }).then(() => {
      console.log(performance.now() - startedAt);
      return client.close();
    });`;
  const { stdout } = await promisify(execFile)(process.execPath, ["-e", program], { cwd: root });
  return Number(stdout);
}
