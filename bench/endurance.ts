import { Child } from "./child";
import { killedUnderLoad, type Round } from "./kill-under-load";
import { percentile, report, smallestInThirds, type TrendResult } from "./trend";

const CLIENTS = 64;
const PER_SECOND = 256;
const MINUTE = 60_000;
/**
 * Limit for the growth of response times: the fastest minute in the last third of the run may take at most this many
 * times as long as the fastest minute in the first third, plus one millisecond. If a server that does no work also
 * became slower, the machine became busier, and the limit grows by the same factor.
 */
const MAX_GROWTH = 1.5;
/**
 * Response time in milliseconds of a server that does no work. If it is longer than this even in the fastest minute,
 * the machine is too busy to compare response times.
 */
const TOO_BUSY = 10;

const figures = {
  p50: ({ times }: Round) => percentile(times, 0.5),
  p95: ({ times }: Round) => percentile(times, 0.95),
  p99: ({ times }: Round) => percentile(times, 0.99),
  max: ({ times }: Round) => Math.max(...times),
  "bare p50": ({ bareTimes }: Round) => percentile(bareTimes, 0.5),
  "bare p95": ({ bareTimes }: Round) => percentile(bareTimes, 0.95),
  CPU: ({ times, cpu }: Round) => cpu / times.length,
  restart: ({ restart }: Round) => restart,
};
type FigureName = keyof typeof figures;

/**
 * Puts a steady load on an emulator that is killed every minute. In a run that is shorter than a minute, the emulator
 * is killed once, at the end.
 */
async function main(): Promise<void> {
  const length = Number(process.env.MINUTES ?? 30) * MINUTE;
  const untilKill = () => Math.min(MINUTE, length);
  const kills = Math.round(length / untilKill());
  const { child, line: bare } = await Child.start("dist/bench/bare-server.js");
  await using _child = child;
  const rounds: Round[] = [];
  for await (const round of killedUnderLoad({ clients: CLIENTS, perSecond: PER_SECOND, untilKill, bare })) {
    rounds.push(round);
    console.log(summary(rounds.length, round));
    for (const lost of round.lost) console.error(lost);
    if (rounds.length >= kills) break;
  }
  report([durable(rounds), flat(rounds, "p50", "bare p50"), flat(rounds, "p95", "bare p95"), flat(rounds, "CPU")]);
}

function summary(kill: number, round: Round): string {
  const shown = (Object.keys(figures) as FigureName[]).map((name) => `${name} ${figures[name](round).toFixed(1)}`);
  return `kill ${kill}: ${round.times.length} requests, ${round.acknowledged} writes, ${round.lost.length} lost; ms: ${shown.join(", ")}`;
}

function durable(rounds: readonly Round[]): TrendResult {
  const sum = (of: (round: Round) => number) => rounds.reduce((total, round) => total + of(round), 0);
  const [requests, writes] = [sum(({ times }) => times.length), sum(({ acknowledged }) => acknowledged)];
  const lost = sum((round) => round.lost.length);
  return {
    text: `${requests} requests, kills: ${rounds.length}; of ${writes} acknowledged writes, ${lost} were lost (allowed: 0)`,
    holds: writes > 0 && lost === 0,
  };
}

function flat(rounds: readonly Round[], name: FigureName, baseline?: FigureName): TrendResult {
  const [first, last] = smallestInThirds(rounds.map(figures[name]));
  const [bareFirst, bareLast] = baseline ? smallestInThirds(rounds.map(figures[baseline])) : [1, 1];
  const maxTime = MAX_GROWTH * first * Math.max(1, bareLast / bareFirst) + 1;
  if (Math.max(bareFirst, bareLast) > TOO_BUSY)
    return { text: `${name}: not compared, because the machine was too busy`, holds: true };
  const compared = baseline ? `, bare server ${bareFirst.toFixed(2)} and ${bareLast.toFixed(2)} ms` : "";
  return {
    text: `${name}: ${first.toFixed(2)} ms in the best minute of the first third, ${last.toFixed(2)} ms in the last${compared} (allowed: ${maxTime.toFixed(2)} ms)`,
    holds: last <= maxTime,
  };
}

main().catch((error: Error) => {
  console.error(`load: ${error.message}`);
  process.exitCode = 1;
});
