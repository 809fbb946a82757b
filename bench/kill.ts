import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const root = join(__dirname, "../..");
const headers = { authorization: "Bearer emulator", "content-type": "application/json" };

/** Number of concurrent requests. */
const WRITERS = 16;
/** The emulator is killed at a random time within these bounds, in milliseconds after the first requests. */
const [SHORTEST, LONGEST] = [50, 600];

/** The last acknowledged label of each volume, undefined once deleted. `asked` is a change whose response was lost. */
type Known = Map<number, { sure: string | undefined; asked?: string | undefined }>;

export interface Killed {
  kills: number;
  /** Number of successful responses. */
  acknowledged: number;
  lost: string[];
}

/** Repeatedly kills an emulator under load, and checks that its file contains every acknowledged change. */
export async function killAgainAndAgain(count: number, log: (line: string) => void = () => undefined): Promise<Killed> {
  const folder = await mkdtemp(join(tmpdir(), "emulator-kill-"));
  const data = join(folder, "account.db");
  const known: Known = new Map();
  const result: Killed = { kills: 0, acknowledged: 0, lost: [] };
  try {
    while (result.kills < count) {
      const { child, url } = await start(data);
      result.lost.push(...(await missing(url, known)));
      const exit = once(child, "exit");
      const writers = Array.from({ length: WRITERS }, (_, at) => write(url, `${result.kills}-${at}`, known));
      await new Promise((resolve) => setTimeout(resolve, SHORTEST + Math.random() * (LONGEST - SHORTEST)));
      child.kill("SIGKILL");
      for (const done of await Promise.all(writers)) result.acknowledged += done;
      await exit;
      result.kills++;
      if (result.kills % 10 === 0) log(`${result.kills} kills, ${result.acknowledged} changes acknowledged`);
    }
    const { child, url } = await start(data);
    result.lost.push(...(await missing(url, known)));
    child.kill();
    await once(child, "exit");
    return result;
  } finally {
    await rm(folder, { recursive: true, maxRetries: 3 });
  }
}

async function start(data: string): Promise<{ child: ChildProcess; url: string }> {
  const args = ["dist/cli/main.js", "emulator", "--port", "0", "--pace", "instant", "--data", data];
  const child = spawn(process.execPath, args, { cwd: root, stdio: ["ignore", "pipe", "pipe"] });
  let told = "";
  child.stderr.on("data", (part) => (told += part));
  const line = await Promise.race([
    once(child.stdout, "data").then(([part]) => String(part)),
    once(child, "exit").then(() => ""),
  ]);
  const [, url] = /^ready (\S+) /.exec(line) ?? [];
  if (!url) throw new Error(`the emulator does not start again: ${told}`);
  return { child, url };
}

/** Creates, renames and deletes volumes until the emulator is killed. Returns the number of acknowledged changes. */
async function write(url: string, name: string, known: Known): Promise<number> {
  const own: number[] = [];
  const send = async (method: string, path: string, body?: object) => {
    const answer = await fetch(`${url}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    const json = (await answer.json()) as { id: number };
    // The command enforces rate limits. A rejected request was not acknowledged.
    if (answer.status === 429) throw new Error("too many requests");
    if (answer.status !== 200) throw new Error(`${method} ${path} returned ${answer.status} ${JSON.stringify(json)}`);
    return json;
  };
  let done = 0;
  try {
    for (let at = 0; ; at++) {
      const id = own.length > 4 ? (own[at % own.length] as number) : undefined;
      const label = `v${name}-${at}`;
      if (id === undefined) {
        const made = await send("POST", "/volumes", { label, region: "us-east" });
        known.set(made.id, { sure: label });
        own.push(made.id);
      } else {
        const deletes = at % 3 === 0;
        if (deletes) own.splice(own.indexOf(id), 1);
        known.set(id, { sure: known.get(id)?.sure, asked: deletes ? "" : label });
        if (deletes) await send("DELETE", `/volumes/${id}`);
        else await send("PUT", `/volumes/${id}`, { label });
        known.set(id, { sure: deletes ? undefined : label });
      }
      done++;
    }
  } catch (error) {
    if (/answered/.test((error as Error).message)) throw error;
    return done;
  }
}

/** Returns the acknowledged changes that were lost. */
async function missing(url: string, known: Known): Promise<string[]> {
  const found = new Map<number, string>();
  for (let page = 1, pages = 1; page <= pages; page++) {
    const answer = await fetch(`${url}/volumes?page=${page}`, { headers });
    const body = (await answer.json()) as { data: { id: number; label: string }[]; pages: number };
    for (const { id, label } of body.data) found.set(id, label);
    pages = body.pages;
  }
  const lost: string[] = [];
  for (const [id, { sure, asked }] of known) {
    const is = found.get(id);
    // A change whose response was lost may have been applied. An empty label stands for a deletion.
    if (is !== sure && (asked === undefined || (is ?? "") !== asked)) lost.push(`volume ${id} is ${is}, was ${sure}`);
    known.set(id, { sure: is });
  }
  return lost;
}

async function main(): Promise<void> {
  const count = Number(process.env.COUNT ?? 100);
  const { kills, acknowledged, lost } = await killAgainAndAgain(count, (line) => console.log(line));
  console.log(`${kills} kills, ${acknowledged} changes acknowledged, ${lost.length} lost, the file opened each time`);
  for (const line of lost) console.error(line);
  if (lost.length > 0) process.exitCode = 1;
}

if (require.main === module)
  main().catch((error: Error) => {
    console.error(`kill: ${error.message}`);
    process.exitCode = 1;
  });
