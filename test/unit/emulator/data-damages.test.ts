import { existsSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { type Snapshot, snapshot } from "../../../emulator/core/snapshot";
import { recoverData } from "../../../emulator/recovery";
import { openService } from "../../../emulator/service";
import { type Cloud, cloud } from "../../contract/cloud";
import { newFolder } from "../../folder";
import { isNightly } from "../../nightly";

/** `make nightly` and `make damages` damage more files. */
const DAMAGES = Number(process.env.DAMAGES ?? (isNightly ? 200 : 60));
const SEED = Number(process.env.SEED ?? 1);

const ENDS = ["", "-wal", "-commits"] as const;
type End = (typeof ENDS)[number];
type Copy = Partial<Record<End, Buffer>>;

/** The files of an account at some moment, as `kill -9` would leave them, and the acknowledged state. */
interface Moment {
  copy: Copy;
  state: Snapshot;
  isClosed: boolean;
}
/** The moments of a data file, oldest first. */
type History = readonly Moment[];

const random = generator(SEED);
const whole = (below: number): number => Math.floor(random() * below);
const anyOf = <T>(list: readonly T[]): T => list[whole(list.length)] as T;

/** Every version of every row that was ever stored. */
const stored = new Set<string>();
const folder = newFolder();
let histories: History[];
beforeAll(async () => {
  histories = [];
  // Few and many commits, small and large rows, and logs that SQLite has copied into the data file several times.
  for (const [name, writes] of Object.entries({ few: 6, some: 40, many: 900 }))
    histories.push(await written(join(folder, name), writes));
});

/** Writes to a data file, with a restart after each third of the writes. */
async function written(data: string, writes: number): Promise<History> {
  const moments: Moment[] = [];
  const keep = (state: Snapshot, isClosed = false): void => {
    moments.push({ copy: copyOf(data), state, isClosed });
  };
  for (let third = 0; third < 3; third++) {
    const emulator = await cloud({ data });
    const labels: number[] = [];
    for (let at = 0; at < writes / 3; at++) {
      await write(emulator, `${third}-${at}`, labels);
      for (const row of rowsOf(snapshot(emulator.world))) stored.add(row);
      if (at % Math.ceil(writes / 15) === 0) keep(snapshot(emulator.world));
    }
    keep(snapshot(emulator.world));
    await emulator.close();
    keep(snapshot(emulator.world), true);
  }
  return moments;
}

async function write({ send, advance }: Cloud, name: string, ids: number[]): Promise<void> {
  const kind = whole(10);
  const id = anyOf(ids);
  if (kind < 4 || id === undefined) {
    const { body } = await send("POST /volumes", { body: { label: `v-${name}`, region: "us-east" } });
    ids.push(body.id);
  } else if (kind < 6) await send(`PUT /volumes/${id}`, { body: { label: `w-${name}`, tags: ["a-tag", name] } });
  else if (kind < 7) {
    await send(`DELETE /volumes/${id}`);
    ids.splice(ids.indexOf(id), 1);
  } else if (kind < 8) {
    const script = {
      label: `s-${name}`,
      images: ["any/all"],
      script: `#!/bin/sh\n${"echo hello\n".repeat(whole(1500))}`,
    };
    await send("POST /compute/stackscripts", { body: script });
  } else if (kind < 9) advance(whole(60_000));
  else await send("POST /compute/instances", { body: { region: "us-east", type: "g6-nanode-1" } });
}

function copyOf(data: string): Copy {
  return Object.fromEntries(ENDS.filter((end) => existsSync(data + end)).map((end) => [end, readFileSync(data + end)]));
}

function place(data: string, copy: Copy): void {
  for (const end of ENDS) {
    rmSync(data + end, { force: true });
    const content = copy[end];
    if (content) writeFileSync(data + end, content);
  }
}

/** Ways to damage the files of a moment. Each returns a description, or undefined if nothing can be damaged that way. */
type Damage = (data: string, history: History, at: number) => string | undefined;

const present = (data: string): End[] =>
  ENDS.filter((end) => existsSync(data + end) && readFileSync(data + end).length);

const flip: Damage = (data) => {
  const end = anyOf(present(data));
  const content = readFileSync(data + end);
  const places = Array.from({ length: 1 + whole(4) }, () => whole(content.length));
  for (const place of places) content[place] = (content[place] as number) ^ (1 << whole(8));
  writeFileSync(data + end, content);
  return `bits of bytes ${places.join(", ")} of ${end || "the data file"}`;
};

const truncate: Damage = (data) => {
  const end = anyOf(present(data));
  const { length } = readFileSync(data + end);
  // Lengths at which pages end are the harder ones to notice.
  const to = anyOf([whole(length), 4096 * whole(length / 4096), 32 + 4120 * whole(length / 4120)]);
  if (to >= length) return undefined;
  truncateSync(data + end, to);
  return `${end || "the data file"} truncated from ${length} to ${to}`;
};

const remove: Damage = (data) => {
  const chosen = ENDS.filter(() => random() < 0.4);
  for (const end of chosen) rmSync(data + end, { force: true });
  return `deleted: ${chosen.map((end) => end || "the data file").join(", ")}`;
};

/** Replaces some of the files, but not all, by those of another moment or of another data file. */
const replace: Damage = (data, history, at) => {
  const isOther = random() < 0.4;
  const from = isOther
    ? anyOf(anyOf(histories.filter((one) => one !== history)))
    : (history[whole(at)] as Moment | undefined);
  if (!from) return undefined;
  const chosen = ENDS.filter(() => random() < 0.5);
  for (const end of chosen) {
    rmSync(data + end, { force: true });
    const content = from.copy[end];
    if (content) writeFileSync(data + end, content);
  }
  const whose = isOther ? "another data file" : `moment ${history.indexOf(from)} at moment ${at}`;
  return `${chosen.map((end) => end || "the data file").join(", ")} of ${whose}`;
};

/** A block that the disk wrote to a wrong place, lost, or filled with other bytes. */
const block: Damage = (data, history) => {
  const end = anyOf(present(data));
  const content = readFileSync(data + end);
  const size = anyOf([64, 512, 4096]);
  const to = size * whole(content.length / size);
  const older = anyOf(history).copy[end] ?? content;
  const [from, what] = anyOf<[Buffer, string]>([
    [Buffer.alloc(size), "zeros"],
    [Buffer.from(Array.from({ length: size }, () => whole(256))), "random bytes"],
    [content.subarray(size * whole(content.length / size)), "another block"],
    [older.subarray(to), "the same block of another moment"],
  ]);
  from.copy(content, to, 0, size);
  writeFileSync(data + end, content);
  return `${size} bytes at ${to} of ${end || "the data file"} replaced by ${what}`;
};

const append: Damage = (data) => {
  const end = anyOf(present(data));
  const more = Buffer.from(Array.from({ length: 1 + whole(9000) }, () => whole(256)));
  writeFileSync(data + end, Buffer.concat([readFileSync(data + end), more]));
  return `${more.length} bytes appended to ${end || "the data file"}`;
};

/**
 * Whether these are the complete files of an earlier moment, which nothing distinguishes from a restored backup: all
 * files, or the data file alone of an emulator that was stopped.
 */
const isBackup = (data: string, history: History): boolean => {
  const now = copyOf(data);
  const same = (a: Buffer | undefined, b: Buffer | undefined) => (a && b ? a.equals(b) : a === b);
  return [...histories.flat(), ...history].some(
    ({ copy, isClosed }) =>
      ENDS.every((end) => same(copy[end], now[end])) ||
      (isClosed && same(copy[""], now[""]) && !now["-wal"] && !now["-commits"]) ||
      ENDS.every((end) => now[end] === undefined),
  );
};

const damages = { flip, truncate, remove, replace, block, append };

test(
  `of ${DAMAGES} damaged data files, each is complete or rejected, and what is intact can be saved`,
  async () => {
    const outcomes = { complete: 0, rejected: 0, saved: 0, nothing: 0 };
    for (let nth = 0; nth < DAMAGES; ) {
      const history = anyOf(histories);
      const at = whole(history.length);
      const moment = history[at] as Moment;
      const data = join(folder, `damaged-${nth}`);
      place(data, moment.copy);
      const [name, damage] = anyOf(Object.entries(damages));
      const how = damage(data, history, at);
      if (how === undefined || isBackup(data, history)) continue;
      nth++;
      const messages = `seed ${SEED}, damage ${nth} (${name}): ${how}`;
      const before = copyOf(data);
      const opened = await openService({ data, pace: "stepped", token: "other" }).catch((error: Error) => error);
      if (opened instanceof Error) {
        expect(opened.message, messages).toMatch(/^the data file \S+ cannot be used: .+$/);
        expect(opened.name, messages).toBe("DataFileError");
        expect(copyOf(data), messages).toEqual(before);
        outcomes.rejected++;
        outcomes[await saved(data, moment, messages)]++;
        expect([copyOf(data), existsSync(`${data}-shm`)], messages).toEqual([before, false]);
      } else {
        expect(comparable(snapshot(opened.world)), messages).toEqual(comparable(moment.state));
        opened.close();
        outcomes.complete++;
      }
      for (const end of [...ENDS, "-shm"]) rmSync(data + end, { force: true });
    }
    console.log(`${DAMAGES} damages: ${JSON.stringify(outcomes)}`);
    expect(outcomes.rejected).toBeGreaterThan(DAMAGES / 3);
  },
  60_000 + 2_000 * DAMAGES,
);

/** Recovers a file. The result must contain only rows that were stored, and a loss must be reported. */
async function saved(data: string, { state }: Moment, messages: string): Promise<"saved" | "nothing"> {
  const to = `${data}-recovered`;
  const lines = attempt(() => recoverData(data, to));
  if (lines instanceof Error) {
    expect(lines.message, messages).toMatch(
      /^the data file \S+ cannot be used: (none of its rows is intact|it does not exist)/,
    );
    expect(existsSync(to)).toBe(false);
    return "nothing";
  }
  const service = await openService({ data: to, pace: "stepped", token: "other" });
  const known = new Set(rowsOf(snapshot(service.world)));
  const report = `${messages}\n${lines.join("\n")}`;
  // A lost account is added with an id of its own.
  const isAdded = (row: string) => row.startsWith("account ") && lines.some((line) => line.startsWith("added"));
  for (const row of known)
    if (!isOfToken(row) && !isAdded(row)) expect(stored.has(row), `${report}\n${row}`).toBe(true);
  const isLost = rowsOf(state).some((row) => !known.has(row));
  if (isLost) expect(lines, report).toContainEqual(expect.stringMatching(/^lost: ./));
  service.close();
  for (const end of [...ENDS, "-shm"]) rmSync(to + end, { force: true });
  return "saved";
}

/** Objects that were read from a file have their fields in another order. */
const sorted = (_: string, value: unknown): unknown =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value;

const texts = new WeakMap<object, string>();
const rowsOf = ({ tables }: Snapshot): string[] =>
  Object.entries(tables).flatMap(([name, { rows }]) =>
    rows.map((row) => {
      const text = texts.get(row) ?? `${name} ${JSON.stringify(row, sorted)}`;
      texts.set(row, text);
      return text;
    }),
  );

/** The service adds its token and the token's user when it opens an account without them. */
const isOfToken = (row: string): boolean => row.startsWith("tokens ") || /^users .*"id":"emulator"/.test(row);

/** A state without the tokens: the service adds another one when it opens the file. */
const comparable = ({ tables: { tokens: _, ...tables }, ...rest }: Snapshot) => ({ ...rest, tables });

function attempt<T>(work: () => T): T | Error {
  try {
    return work();
  } catch (error) {
    return error as Error;
  }
}

/** Mulberry32. */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
