import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { type DialectName, operations, translationOf } from "../api";
import { startEmulator } from "../emulator";
import { connect } from "../provider/client";
import { type Figure, inTurns, median } from "./figures";

const root = join(__dirname, "../..");
const RUNS = 15;
const CALLS = 500;

/**
 * The cost of a dialect: the time of a call that reads an instance, with and without the conversion of names, from a
 * server that returns prepared bytes; and the time to prepare the conversion in a new process.
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
  const call = await inTurns(RUNS, timed(linode.client), timed(own.client));
  const start = await inTurns(
    RUNS,
    () => compiled("linode"),
    () => compiled(""),
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
      name: "names of a dialect prepared",
      value: median(starts),
      unit: "ms",
      max: perStart.other + 5,
      baseline: "operations loaded",
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
  const client = connect({ url: `http://127.0.0.1:${port}/v4`, token: "bench", dialect });
  return {
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
 * Milliseconds in a new process to load the operations of the API, and with a dialect to prepare the conversion of the
 * responses of all of them.
 */
async function compiled(dialect: DialectName | ""): Promise<number> {
  const program = `
    const startedAt = performance.now();
    const { namedOperations, operations, translationOf } = require("./dist/api");
    if ("${dialect}") {
      const names = translationOf("${dialect}");
      for (const { operation } of namedOperations(operations)) names.of(operation.result, "from");
    }
    console.log(performance.now() - startedAt);`;
  return Number(execFileSync(process.execPath, ["-e", program], { cwd: root }));
}
