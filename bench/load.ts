import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import autocannon from "autocannon";
import { type Figure, inTurns, median } from "./figures";
import type { Command, Reply } from "./load-server";
import { headers, send } from "./requests";

const CONNECTIONS = 64;
const SECONDS = 2;
const RUNS = 3;
/** Number of requests in a short turn. */
const BURST = 500;
const [SMALL, LARGE] = [1_000, 100_000];
const region = "us-east";

/**
 * Figures of the emulator: throughput, its change with the size of the account, and memory per object. Each is measured
 * in a process of its own.
 */
export async function loadFigures(): Promise<Figure[]> {
  return [...(await throughput()), await dataFileChecks(), ...(await growth())];
}

async function throughput(): Promise<Figure[]> {
  await using emulator = await Server.start({ emulator: true });
  await emulator.request({ make: "volumes", count: 100 });
  await emulator.request({ make: "instances", count: 100 });
  const volume = await send(emulator.url, "POST", "/volumes", { label: "one", region });
  const instance = await send(emulator.url, "POST", "/compute/instances", {
    label: "one",
    region,
    type: "g6-nanode-1",
  });
  const reads = [
    ["GET one volume", `/volumes/${volume.id}`, { minShare: 0.6 }],
    ["GET one instance", `/compute/instances/${instance.id}`, { minShare: 0.6 }],
    ["list of 100 volumes", "/volumes?page_size=100", { minShare: 0.6 }],
    ["list of 100 instances", "/compute/instances?page_size=100", { minShare: 0.6 }],
  ] as const;
  const figures: Figure[] = [];
  for (const [name, path, limit] of reads)
    figures.push(await againstBareServer(name, limit, await text(emulator, path), () => load(emulator.url + path)));
  let created = 0;
  const creates = [
    ["create a volume", "/volumes", volume, (label: string) => ({ label, region })],
    ["create an instance", "/compute/instances", instance, (label: string) => ({ label, region, type: "g6-nanode-1" })],
  ] as const;
  for (const [name, path, requestBody, body] of creates)
    figures.push(
      await againstBareServer(name, { minShare: 0.1 }, JSON.stringify(requestBody), () =>
        load(emulator.url + path, () => body(`load-${created++}`)),
      ),
    );
  return figures;
}

/** The cost of the checksums of a data file. The baseline writes the same rows without them. */
export async function dataFileChecks(): Promise<Figure> {
  const folder = await mkdtemp(join(tmpdir(), "data-checks-"));
  try {
    await using own = await Server.start({ data: join(folder, "checked.db"), checked: true });
    await using other = await Server.start({ data: join(folder, "unchecked.db"), checked: false });
    let created = 0;
    // Per second of CPU time and in many short turns, because other work on the machine must not decide which of the
    // two is faster.
    const creates = async (server: Server) => {
      const before = await server.cpu();
      await load(`${server.url}/volumes`, () => ({ label: `load-${created++}`, region }), { amount: BURST });
      return BURST / ((await server.cpu()) - before);
    };
    const { values, ...compared } = await inTurns(
      15 * RUNS,
      () => creates(own),
      () => creates(other),
    );
    return {
      name: "volumes in a data file, per CPU second",
      value: median(values),
      unit: "/s",
      minShare: 0.9,
      baseline: "without checksums",
      ...compared,
    };
  } finally {
    await rm(folder, { recursive: true });
  }
}

/**
 * Measures the emulator and, alternately, a server that uses the same framework and returns constant bytes. This server
 * is the baseline.
 */
async function againstBareServer(
  name: string,
  limit: Pick<Figure, "minShare">,
  bytes: string,
  own: () => Promise<number>,
): Promise<Figure> {
  await using bare = await Server.start({ bare: bytes });
  const { values, ...compared } = await inTurns(RUNS, own, () => load(bare.url));
  return { name, value: median(values), unit: "/s", ...limit, baseline: "bare fastify, same bytes", ...compared };
}

/**
 * Responses per second with concurrent connections, for a number of seconds or requests. Throws if a response is an
 * error.
 */
async function load(
  url: string,
  body?: () => object,
  length: { duration: number } | { amount: number } = { duration: SECONDS },
): Promise<number> {
  const create = {
    method: "POST" as const,
    setupRequest: (one: object) => ({ ...one, body: JSON.stringify(body?.()) }),
  };
  const options = { url, connections: CONNECTIONS, ...length, headers, ...(body && { requests: [create] }) };
  const { requests, non2xx, errors } = await autocannon(options);
  if (non2xx + errors > 0) throw new Error(`${url}: ${non2xx} refusals, ${errors} errors`);
  return requests.average;
}

/**
 * The list requests whose response time is measured. With `changes`, a volume is created before each request, so that
 * the response cannot come from a cache.
 */
const listRequests: readonly (readonly [name: string, filter: object | undefined, changes?: "changes"])[] = [
  ["page of all", undefined, "changes"],
  ["page by label", { label: "made-77" }, "changes"],
  ["page by tag", { tags: "team-7" }, "changes"],
  ["page by tag and label", { "+and": [{ tags: "team-7" }, { label: { "+contains": "7" } }] }],
  ["page in order of label", { "+order_by": "label" }],
];

async function growth(): Promise<Figure[]> {
  await using emulator = await Server.start({ emulator: true });
  const times = async () => {
    const list: number[] = [];
    for (const [, filter, changes] of listRequests) list.push(await pageTime(emulator, filter, changes));
    return list;
  };
  await emulator.request({ make: "volumes", count: SMALL });
  await times();
  const small = await times();
  const before = await emulator.heap();
  await emulator.request({ make: "volumes", count: LARGE - SMALL });
  const bytes = ((await emulator.heap()) - before) / (LARGE - SMALL);
  const large = await times();
  return [
    ...listRequests.map(([name], at): Figure => {
      const [value, other] = [large[at] as number, small[at] as number];
      return {
        name: `${name}, ${LARGE} volumes`,
        value,
        unit: "ms",
        max: 3 * other,
        baseline: `${SMALL} volumes`,
        other,
        runs: 100,
      };
    }),
    await memory(emulator, "a volume", bytes, "/volumes", { label: "size", region }),
    await instanceMemory(),
  ];
}

async function instanceMemory(): Promise<Figure> {
  await using emulator = await Server.start({ emulator: true });
  await emulator.request({ make: "instances", count: SMALL });
  const before = await emulator.heap();
  await emulator.request({ make: "instances", count: 10 * SMALL });
  const bytes = ((await emulator.heap()) - before) / (10 * SMALL);
  const requestBody = { label: "size", region, type: "g6-nanode-1" };
  // Without `await`, the emulator would be stopped when the function returns, before the result is measured.
  return await memory(emulator, "an instance", bytes, "/compute/instances", requestBody);
}

/** Memory per object. The baseline is the size of an object's JSON. */
async function memory(emulator: Server, of: string, bytes: number, path: string, requestBody: object): Promise<Figure> {
  const other = Buffer.byteLength(JSON.stringify(await send(emulator.url, "POST", path, requestBody))) / 1024;
  const name = `memory of ${of} and its events`;
  return { name, value: bytes / 1024, unit: "KB", max: 4, baseline: "its JSON", other, runs: 1 };
}

async function pageTime(emulator: Server, filter: object | undefined, changes?: "changes"): Promise<number> {
  const times: number[] = [];
  const requestHeaders = { ...headers, ...(filter && { "x-filter": JSON.stringify(filter) }) };
  for (let run = 0; run < 100; run++) {
    if (changes) await emulator.request({ make: "volumes", count: 1 });
    const startedAt = performance.now();
    const response = await fetch(`${emulator.url}/volumes`, { headers: requestHeaders });
    await response.arrayBuffer();
    times.push(performance.now() - startedAt);
  }
  return median(times);
}

class Server {
  readonly #child: ChildProcess;
  url = "";

  constructor() {
    this.#child = fork(join(__dirname, "load-server.js"), { execArgv: ["--expose-gc"] });
  }

  static async start(first: Command): Promise<Server> {
    const server = new Server();
    const reply = await server.request(first);
    if ("url" in reply) server.url = reply.url;
    return server;
  }

  async request(command: Command): Promise<Reply> {
    this.#child.send(command);
    const [reply] = (await once(this.#child, "message")) as [Reply];
    return reply;
  }

  /** The CPU time of the process so far, in seconds. */
  async cpu(): Promise<number> {
    const reply = await this.request({ cpu: true });
    return "cpu" in reply ? reply.cpu / 1e6 : Number.NaN;
  }

  async heap(): Promise<number> {
    const reply = await this.request({ heap: true });
    return "bytes" in reply ? reply.bytes : Number.NaN;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const exit = once(this.#child, "exit");
    this.#child.kill("SIGKILL");
    await exit;
  }
}

const text = async ({ url }: Server, path: string): Promise<string> => (await fetch(url + path, { headers })).text();
