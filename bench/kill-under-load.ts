import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Child } from "./child";
import { regularly } from "./regularly";
import { advance } from "./requests";
import { lostWrites, Writer } from "./writers";

export interface Load {
  clients: number;
  /**
   * Requests per second of all clients together. If omitted, each client sends its next request immediately after a
   * response.
   */
  perSecond?: number;
  /** URL of a server that does no work. Its response times are measured as well, to detect a busy machine. */
  bare?: string;
  untilKill(): number;
}

/** Measurements between two kills. `lost` and `restart` are measured when the emulator starts again after the kill. */
export interface Round {
  times: number[];
  /** Response times of the server that does no work, in milliseconds. */
  bareTimes: number[];
  /** Number of writes that the emulator has acknowledged with a successful response. */
  acknowledged: number;
  lost: string[];
  /** The emulator's CPU time in milliseconds. */
  cpu: number;
  /** Milliseconds that the emulator takes to start again after the kill, until it is ready. */
  restart: number;
}

/** Milliseconds between two requests to the server that does no work. */
const BARE_EVERY = 40;
/**
 * Days by which the emulator's clock advances per round. The emulator deletes events after 90 days, so its data
 * contains the events of at most two rounds and does not grow.
 */
const DAYS_PER_ROUND = 45;

/** Repeatedly kills an emulator under load, and checks that its data file contains every acknowledged write. */
export async function* killedUnderLoad(load: Load): AsyncGenerator<Round> {
  const folder = await mkdtemp(join(tmpdir(), "emulator-kill-"));
  const start = () => Child.emulator("--data", join(folder, "account.db"));
  const writers = Array.from({ length: load.clients }, (_, nth) => new Writer(`c${nth}`));
  let emulator = await start();
  try {
    for (;;) {
      const round = await untilKilled(emulator, writers, load);
      const startedAt = performance.now();
      emulator = await start();
      const restart = performance.now() - startedAt;
      yield { ...round, restart, lost: await lostWrites(emulator.url, writers) };
      await advance(emulator.url, DAYS_PER_ROUND);
    }
  } finally {
    await emulator.child[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, maxRetries: 3 });
  }
}

async function untilKilled(
  { child, url }: { child: Child; url: string },
  writers: readonly Writer[],
  { perSecond = Number.POSITIVE_INFINITY, untilKill, bare }: Load,
): Promise<Omit<Round, "restart" | "lost">> {
  const acknowledgedBy = () => writers.reduce((sum, { acknowledged }) => sum + acknowledged, 0);
  const [acknowledgedBefore, cpuBefore] = [acknowledgedBy(), child.cpu];
  const [times, bareTimes]: [number[], number[]] = [[], []];
  const every = (writers.length / perSecond) * 1000;
  const killed = new AbortController();
  const failed = new AbortController();
  const clients = writers.map((writer) =>
    regularly(
      every,
      killed.signal,
      timed(times, () => writer.act(url)),
    ).catch((error) => {
      // fetch throws a TypeError if the kill interrupts its connection.
      if (!killed.signal.aborted || !(error instanceof TypeError)) failed.abort(error);
    }),
  );
  const requestBare = timed(bareTimes, async () => (await fetch(bare ?? "")).text());
  if (bare) clients.push(regularly(BARE_EVERY, killed.signal, requestBare));
  await sleep(untilKill(), undefined, { signal: failed.signal }).catch(() => {});
  const cpu = child.isRunning ? child.cpu - cpuBefore : 0;
  killed.abort();
  await child.end("SIGKILL");
  await Promise.all(clients);
  if (child.errors) throw new Error(`the emulator wrote: ${child.errors}`);
  failed.signal.throwIfAborted();
  return { times, bareTimes, acknowledged: acknowledgedBy() - acknowledgedBefore, cpu };
}

/** Does the work, and adds its duration in milliseconds to a list. */
const timed = (times: number[], work: () => Promise<unknown>) => async (): Promise<void> => {
  const startedAt = performance.now();
  await work();
  times.push(performance.now() - startedAt);
};
