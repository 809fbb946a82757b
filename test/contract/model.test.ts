import fc from "fast-check";
import { expect, test } from "vitest";
import { operations } from "../../api";
import { areas, tables, tasks } from "../../emulator/areas";
import { openAccount } from "../../emulator/areas/billing";
import { Router } from "../../emulator/router";
import { load, snapshot } from "../../emulator/state";
import { checkState } from "../../emulator/state-check";
import type { Row, TableSpec } from "../../emulator/store";
import { addToken } from "../../emulator/users";
import { createWorld } from "../../emulator/world";
import { invariants } from "./model/invariants";
import { moves, type Stage } from "./model/moves";

/** Short sequences, many of them: `make model` runs ten thousand. */
const RUNS = Number(process.env.SEQUENCES ?? 300);

/** A service in this process, without sockets: a sequence takes a few milliseconds. */
function stage(): Stage {
  const specs = tables as Readonly<Record<string, TableSpec<Row>>>;
  const world = createWorld({ seed: 1, pace: "stepped" }, specs, tasks);
  openAccount(world);
  addToken(world, "emulator");
  const router = new Router(world, operations, areas, { shuffle: false, rateLimits: false });
  return {
    world,
    async send(method, path, body) {
      const out = await router.handle({
        method,
        url: `/v4${path}`,
        headers: { authorization: "Bearer emulator", "content-type": "application/json" },
        body: body && Buffer.from(JSON.stringify(body)),
        address: "127.0.0.1",
      });
      return { status: out.status, body: JSON.parse(String(out.body)) };
    },
  };
}

const fresh = snapshot(stage().world);

/** What every sequence begins with: something to work on. */
async function begun() {
  const one = stage();
  const first = [
    "createInstance",
    "createInstance",
    "createInstance",
    "createInstance",
    "createVolume",
    "createFirewall",
  ];
  for (const [at, move] of [...first, "createCluster", "createBucket", "createDomain"].entries())
    await moves[move]?.(one, [2 * at, at, 2 * at + 1, 0]);
  one.world.schedule.settle();
  for (const move of ["createBalancer", "enableBackups", "snapshot"]) await moves[move]?.(one, [0, 0, 0, 0]);
  one.world.schedule.settle();
  return snapshot(one.world);
}

/** Every sixth step is of time: jobs end in the middle of what follows. */
const step = fc.record({
  move: fc.constantFrom(...Object.keys(moves)),
  picks: fc.array(fc.nat({ max: 5039 }), { minLength: 4, maxLength: 4 }),
  seconds: fc.constantFrom(0, 0, 60, 600, 3600),
});

test("after any sequence of requests the account is whole", async () => {
  const start = await begun();
  const answered = new Map<string, number>();
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 40, size: "max" }), async (steps) => {
      const one = stage();
      load(one.world, start, fresh);
      for (const { move, picks, seconds } of steps) {
        const { status, body } = await (moves[move] as (typeof moves)[string])(one, picks);
        expect(status, `${move}: ${JSON.stringify(body)}`).toBeLessThan(500);
        if (status === 200) answered.set(move, (answered.get(move) ?? 0) + 1);
        one.world.clock.advance(seconds * 1000);
        one.world.schedule.runDue();
        for (const [name, broken] of Object.entries(invariants))
          expect(broken(one.world), `${move}: ${name}`).toEqual([]);
      }
      checkState(one.world, snapshot(one.world), fresh);
      one.world.schedule.settle();
      checkState(one.world, snapshot(one.world), fresh);
    }),
    { numRuns: RUNS, seed: 1 },
  );
  // A move that is always refused would prove nothing.
  expect(Object.keys(moves).filter((move) => !answered.has(move))).toEqual([]);
});
