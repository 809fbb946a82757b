import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, vi } from "vitest";
import { urnParts } from "../../../provider/pulumi/urn";
import { type Deployment, type EngineStack, engine, type Run } from "../../../testing/engine";
import { countsOf, more } from "../../rows";
import { filesOf } from "../sandbox";
import { Account, type Row } from "./account";
import { Program } from "./edits";
import { cancel, killUpdate, orphansEnded } from "./kills";
import { forms, type Kind, kinds, textOf } from "./program";
import { adopt, type Named, type Surplus, suggested, unmanaged } from "./recovery";
import type { Failures, Kill, Schedule } from "./schedule";

/**
 * Counts of the kills and faults that occurred during a series of updates. A planned kill is not counted if the update
 * had already ended.
 */
export interface Figures {
  kills: Record<Kill["victim"], number>;
  faults: Record<string, number>;
  /** Number of objects that no resource managed after the updates. */
  surplus: number;
  adopted: number;
}

/**
 * The test fails if a command fails this often although no faults are injected. A failure after which lost objects can
 * be adopted is not counted.
 */
const TRIES = 3;

/**
 * Runs a series of updates with edits of the program, faults and kills. Expects that the account then contains exactly
 * the declared objects, and that it is empty after `pulumi destroy`.
 */
export async function play(schedule: Schedule): Promise<Figures> {
  await using account = await Account.open();
  await using stack = await engine({
    program: filesOf("", schedule.provider === "native"),
    env: { CLOUDINFRA_URL: account.url, CLOUDINFRA_TOKEN: account.token },
  });
  return await new Play(schedule, account, stack).run();
}

class Play {
  readonly #figures: Figures = {
    kills: { engine: 0, provider: 0, both: 0, emulator: 0 },
    faults: {},
    surplus: 0,
    adopted: 0,
  };
  readonly #program: Program;
  /** The objects of killed updates that the plugin has warned about, because their secrets are lost. */
  readonly #unmanaged = new Set<string>();

  constructor(
    readonly schedule: Schedule,
    readonly account: Account,
    readonly stack: EngineStack,
  ) {
    this.#program = new Program(schedule.resources, schedule.first);
  }

  async run(): Promise<Figures> {
    const { schedule, account, stack } = this;
    const fresh = countsOf(await account.tables());
    let isDone = false;
    for (const { edits, ...failures } of schedule.updates) {
      this.#program.edit(edits, new Set((await this.#state()).map(({ name }) => name)));
      await this.#write();
      isDone = await this.#interrupted("up", failures);
    }
    if (!isDone) await this.#finished("up");
    await orphansEnded(stack);
    await this.#expectProgram();
    if (!(await this.#interrupted("destroy", schedule.destroy))) await this.#finished("destroy");
    await orphansEnded(stack);
    expect(more(countsOf(await account.tables()), fresh)).toEqual({});
    return this.#figures;
  }

  async #write(more = ""): Promise<void> {
    const files = filesOf(`${textOf(this.#program.resources)}\n${more}`, this.schedule.provider === "native");
    for (const [file, text] of Object.entries(files)) await this.stack.write(file, text);
  }

  /** Runs a command during which faults occur and processes are killed. Returns whether it succeeded nevertheless. */
  async #interrupted(command: "up" | "destroy", { faults, kills }: Failures): Promise<boolean> {
    const { account, stack } = this;
    await account.clearRequests();
    await account.addFaults(faults);
    // Without the preview, so that the faults occur in the update.
    const update = stack.start([command, "--yes", "--skip-preview"]);
    let [hasEnded, earlier] = [false, 0];
    void update.done.then(() => {
      hasEnded = true;
    });
    const changes = async () => (await account.requests()).filter(({ method }) => method !== "GET").length;
    let isKilled = false;
    for (const { victim, after, delay } of kills) {
      await vi.waitUntil(async () => hasEnded || earlier + (await changes()) >= after, {
        timeout: 120_000,
        interval: 15,
      });
      await sleep(delay);
      if (hasEnded) break;
      this.#figures.kills[victim]++;
      if (victim === "emulator") {
        earlier += await changes();
        await this.#takeFaults();
        await account.kill();
        continue;
      }
      await killUpdate(stack, update, victim);
      isKilled = victim !== "provider";
      break;
    }
    const { code, ...run } = await update.done;
    this.#noteUnmanaged(run);
    await this.#takeFaults();
    if (isKilled) await cancel(stack);
    return code === 0;
  }

  async #takeFaults(): Promise<void> {
    const { faults } = this.#figures;
    for (const { kind, status, hits } of await this.account.takeFaults()) {
      const name = kind === "status" ? String(status) : kind;
      if (hits) faults[name] = (faults[name] ?? 0) + hits;
    }
  }

  /**
   * Repeats a command until it succeeds. If the errors of dynamic resources suggest `cloudinfra adopt`, adopts these
   * objects before the next attempt. Several attempts can be necessary, because an update stops at its first errors.
   */
  async #finished(command: "up" | "destroy"): Promise<void> {
    const failed: string[] = [];
    while (failed.length < TRIES) {
      const run = await this.stack[command]([], { mayFail: true });
      this.#noteUnmanaged(run);
      if (run.code === 0) return;
      const objects = this.schedule.provider === "dynamic" ? suggested(run) : [];
      if (objects.length) await this.#adopt(objects);
      else failed.push(`${run.stdout}\n${run.stderr}`);
    }
    throw new Error(`pulumi ${command} still fails:\n${failed.join("\n")}`);
  }

  #noteUnmanaged({ stdout, stderr }: Pick<Run, "stdout" | "stderr">): void {
    const warnings = `${stdout}${stderr}`.matchAll(/(\w+) (\S+) may be that of an interrupted run/g);
    for (const [, kind = "", id = ""] of warnings) this.#unmanaged.add(keyOf({ kind, id }));
  }

  /** The resources in the stack's state file. Reading the file is faster than exporting the state with Pulumi. */
  async #state(): Promise<Managed[]> {
    const text = await readFile(join(this.stack.home, "state/.pulumi/stacks/test/test.json"), "utf8");
    return managed(JSON.parse(text).checkpoint.latest ?? {});
  }

  /**
   * Expects that state contains each resource of the program once, and that the account contains exactly the objects of
   * these resources. Adopts objects first that dynamic resources have lost because their create was interrupted by a
   * kill, and deletes keys of the native plugin whose secrets are lost, as its warnings say.
   */
  async #expectProgram(): Promise<void> {
    const { stack, account, schedule } = this;
    const state = await this.#state();
    expect(state.map(({ name }) => name).sort()).toEqual(this.#program.resources.map(({ name }) => name).sort());
    const tables = await account.tables();
    const existing = objectsIn(tables).map(keyOf);
    const held = [...state, ...poolsIn(state)].map(keyOf);
    expect(held.filter((key, i) => held.indexOf(key) !== i)).toEqual([]);
    expect(held.filter((key) => !existing.includes(key))).toEqual([]);
    const all = objectsIn(tables).filter((object) => !held.includes(keyOf(object)));
    const surplus = all.filter((part) => !all.some((whole) => isPartOf(whole, part)));
    this.#figures.surplus += surplus.length;
    const { engine, provider, both } = this.#figures.kills;
    const kills = engine + provider + both;
    // A second kill can end an update before it shows its warnings.
    const isKnown = (object: Surplus): boolean =>
      this.#unmanaged.has(keyOf(object)) || (object.kind === "ObjectStorageKey" && kills > 1);
    if (kills === 0) expect(surplus).toEqual([]);
    if (schedule.provider === "native") {
      expect(surplus.filter((object) => !isKnown(object))).toEqual([]);
      for (const { id } of surplus) await account.deleteKey(id);
    }
    const isAdopted = schedule.provider === "dynamic" && surplus.length > 0;
    if (isAdopted) {
      await this.#adoptAll(surplus);
      // As the drift check advises for interrupted creates of resources that the program no longer declares.
      await stack.run(["refresh", "--clear-pending-creates", "--yes"]);
    }
    await stack.preview(["--refresh", "--expect-no-changes"]);
    if (isAdopted) await stack.run(["state", "unprotect", "--all", "--yes"]);
  }

  /**
   * Adopts the objects that are missing in state. Expects that `cloudinfra drift --unmanaged` lists exactly these
   * objects, and after the adoption of clusters, the node pools of these clusters.
   */
  async #adoptAll(surplus: readonly Surplus[]): Promise<void> {
    const modules: string[] = [];
    let listed = await unmanaged(this.stack);
    expect(listed.map(keyOf).sort()).toEqual(surplus.map(keyOf).sort());
    while (listed.length) {
      const named = listed.map((it) => ({ ...it, name: `surplus-${it.id.replace("/", "-")}` }));
      modules.push(`./adopted-${modules.length}.mjs`);
      await this.stack.write(modules.at(-1) as string, await this.#adopt(named));
      listed = listed.some(({ kind }) => kind === "LkeCluster") ? await unmanaged(this.stack) : [];
    }
    await this.#write(modules.map((file) => `require("${file}");`).join("\n"));
  }

  async #adopt(objects: readonly Named[]): Promise<string> {
    this.#figures.adopted += objects.length;
    return await adopt(this.stack, objects);
  }
}

interface Managed extends Named {
  outputs: Record<string, unknown>;
}

const managed = ({ resources = [] }: Deployment["deployment"]): Managed[] =>
  resources.flatMap(({ urn, type, id, outputs }) => {
    const [, kind] = /cloudinfra:(?:index:)?(\w+)$/.exec(type) ?? [];
    return kind && id && !type.startsWith("pulumi:")
      ? [{ kind, id, name: urnParts(urn).name, outputs: outputs as Managed["outputs"] }]
      : [];
  });

const poolsIn = (state: readonly Managed[]): Surplus[] =>
  state.flatMap(({ id, outputs }) =>
    Object.values((outputs.poolIds ?? {}) as Record<string, number>).map((pool) => ({
      kind: "LkeNodePool",
      id: `${id}/${pool}`,
    })),
  );

const keyOf = ({ kind, id }: Surplus): string => `${kind} ${id}`;

const isPartOf = (whole: Surplus, { kind, id }: Surplus): boolean =>
  forms[kind as Kind].parents?.[0] === whole.kind && id.startsWith(`${whole.id}/`);

/** The objects in an account, without the instances of cluster nodes. */
function objectsIn(tables: ReadonlyMap<string, Row[]>): Surplus[] {
  const rows = (table: string): Row[] => tables.get(table) ?? [];
  const nodes = new Set(rows("lkeNodes").map(({ instance_id }) => instance_id));
  return kinds.flatMap((kind: Kind) => {
    const { table, within } = forms[kind];
    return rows(table)
      .filter(({ id }) => table !== "instances" || !nodes.has(id))
      .map((row) => ({ kind, id: within ? `${row[within]}/${row.id}` : String(row.id) }));
  });
}
