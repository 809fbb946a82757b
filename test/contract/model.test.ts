import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Snapshot, snapshot, validateSnapshot } from "../../emulator/core/snapshot";
import { isNightly } from "../nightly";
import { controlMoves } from "./model/control";
import { invariants } from "./model/invariants";
import { apiMoves } from "./model/moves";
import { inProcess, onFile, started, type TestService } from "./model/service";

/**
 * Number of random request sequences to test. With 200, every kind of request succeeds at least
 * once. `make nightly` tests more, and `make model` 10,000. Every twentieth stores the account in a file.
 */
const RUNS = Number(process.env.SEQUENCES ?? (isNightly ? 300 : 200));
const ON_FILE = Math.ceil(RUNS / 20);
const timeout = 180_000 + 300 * RUNS;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "model-"));
});
afterAll(() => rm(folder, { recursive: true }));

const { fresh } = inProcess();

/** The account with which every random request sequence starts: one or more objects of each kind. */
async function peopled(): Promise<Snapshot> {
  const one = inProcess();
  const first = [
    "createInstance",
    "createInstance",
    "createInstance",
    "createInstance",
    "createVolume",
    "createFirewall",
  ];
  // The fourth instance is created without disks, so that random requests for new disks find free storage on it.
  for (const [at, move] of [...first, "createCluster", "createBucket", "createDomain"].entries())
    await moves[move]?.(one, [2 * at, at, at === 3 ? 4 : 2 * at + 1, 0]);
  one.world.schedule.settle();
  // A public address can be removed only if it was added later, and adding one requires that customer support allows it
  // first.
  for (const move of ["createBalancer", "enableBackups", "snapshot", "askSupport", "addAddress"])
    await moves[move]?.(one, [0, 0, 0, 0]);
  one.world.schedule.settle();
  return snapshot(one.world);
}

const moves = { ...apiMoves, ...controlMoves };

/**
 * A random request: to the API or, half as often, to the emulator's own endpoints, which change for example the clock.
 */
const step = fc.record({
  move: fc.constantFrom(...Object.keys(apiMoves), ...Object.keys(moves)),
  picks: fc.array(fc.nat({ max: 5039 }), { minLength: 4, maxLength: 4 }),
  seconds: fc.constantFrom(0, 0, 60, 600, 3600),
  reopens: fc.constantFrom(false, false, false, true),
});
type Steps = typeof step extends fc.Arbitrary<infer S> ? S[] : never;

const response = new Map<string, number>();

async function play(one: TestService, steps: Steps): Promise<void> {
  for (const { move, picks, seconds, reopens } of steps) {
    const { status, body } = await (moves[move] as (typeof moves)[string])(one, picks);
    expect(status, `${move}: ${JSON.stringify(body)}`).toBeLessThan(500);
    if (status === 200) response.set(move, (response.get(move) ?? 0) + 1);
    await one.control("POST", "clock", { seconds });
    for (const [name, broken] of Object.entries(invariants)) expect(broken(one.world), `${move}: ${name}`).toEqual([]);
    if (!reopens) continue;
    const before = snapshot(one.world);
    await one.reopen();
    expect(snapshot(one.world)).toEqual(before);
  }
  validateSnapshot(one.world, snapshot(one.world), fresh);
  await one.control("DELETE", "faults");
  await one.control("POST", "clock", { settle: true });
  validateSnapshot(one.world, snapshot(one.world), fresh);
}

const sequence = fc.array(step, { minLength: 8, maxLength: 40, size: "max" });

test("after any sequence of requests, including control requests, the account is consistent", { timeout }, async () => {
  const start = await peopled();
  const property = fc.asyncProperty(sequence, (steps) => play(started(start), steps));
  await fc.assert(property, { numRuns: RUNS, seed: 1 });
});

test("after any sequence of requests the data file opens again with the same account", { timeout }, async () => {
  const start = await peopled();
  let files = 0;
  const property = fc.asyncProperty(sequence, async (steps) => {
    const one = await onFile(join(folder, `${++files}.db`), start);
    try {
      await play(one, steps);
    } finally {
      await one.close();
    }
  });
  await fc.assert(property, { numRuns: ON_FILE, seed: 2 });
});

test("every kind of request succeeded at least once", () => {
  expect(Object.keys(moves).filter((move) => !response.has(move))).toEqual([]);
});
