import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import type { Head as HeadName } from "../../provider/heads/migration";
import { kinds } from "../../provider/resources";
import type { Inventory } from "../lifecycle/scenario";
import { Account } from "./account";
import { type Fault, type FaultName, faults, Injection, killsService } from "./faults";
import { adoptLost, declaredIn, deleteLeftovers, deleteReplaced, deleteReplacements } from "./lost";
import { expectEqual, expectHidden, expectNothingLeft, left, OTHER_BUCKET, secretsOf } from "./oracle";
import { Plugin, textsIn } from "./plugin";
import { type fixtures, type Kept, type Resource, resourcesOf, type Spec, versions } from "./program";
import { Stack } from "./stack";
import { expectNone, isLate, Killed, textsOf, Violation, violationsIn } from "./violation";

export interface Schedule {
  head: HeadName;
  versions: Spec[][];
  faults: Fault[];
}

export const schedule: fc.Arbitrary<Schedule> = fc.record({
  head: fc.constantFrom<HeadName>("dynamic", "native"),
  versions,
  faults,
});

/** Maximum number of updates without faults until the account must equal the program. */
const UPDATES = 3;

export interface Tally {
  hit(head: HeadName, fault: FaultName): void;
  /** Called when an object had to be added to the state by `cloudinfra adopt`. */
  adopted(head: HeadName, kind: string): void;
  /** Called when Pulumi has deleted a replaced object that a resource had adopted again in the meantime. */
  revived(head: HeadName): void;
}

/** A folder in memory, if the machine has one. */
const memory = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();

export type Known = Awaited<ReturnType<typeof fixtures>>;

/** Runs a schedule, and throws if the account does not equal the program afterwards. */
export async function run({ head, versions, faults }: Schedule, known: Known, tally: Tally): Promise<void> {
  const folder = mkdtempSync(join(memory, "chaos-"));
  const account = await Account.open(killsService(faults) ? join(folder, "account.0") : undefined);
  try {
    await new Run(
      account,
      head,
      join(folder, "journal"),
      known,
      tally,
      faults.some(({ name }) => name.endsWith(" job")),
    ).play(versions, faults);
  } finally {
    account.close();
    rmSync(folder, { recursive: true });
  }
}

class Run {
  readonly #stack: Stack;
  /** All messages and log lines that users could see. */
  readonly #heard: string[] = [];
  readonly #kept: Kept = { inputs: new Map(), owners: new Map() };
  #empty: Inventory = {};
  #lost: Resource[] = [];
  /** Replacements whose create requests were in progress when a process was killed. */
  #replacements: Resource[] = [];
  #hasLostPools = false;
  #warnings = 0;

  constructor(
    readonly account: Account,
    readonly head: HeadName,
    readonly journal: string,
    readonly known: Known,
    readonly tally: Tally,
    readonly hasFailedJobs: boolean,
  ) {
    this.#stack = new Stack(new Plugin(account, head, journal));
  }

  async play(versions: readonly Spec[][], faults: readonly Fault[]): Promise<void> {
    await this.#prepare();
    const declared: Resource[] = [];
    let program: Resource[] = [];
    for (const [command, specs] of versions.entries()) {
      program = resourcesOf(specs, this.known, this.#kept);
      declared.push(...program);
      const own = faults.filter((fault) => fault.command % versions.length === command);
      // State does not contain an interrupted change. If the program now takes the change back, only a refresh shows
      // Pulumi that the object differs.
      if (this.#stack.isInterrupted()) await this.#command(() => this.#stack.refresh());
      await this.#adoptLost(program);
      await this.#deleteLeftovers();
      await deleteReplaced(this.#stack, this.#newPlugin().host, program);
      await this.#command(() => this.#stack.up(program), own).catch((error) => {
        if (!this.#isLate(error)) throw error;
      });
      this.#lost.push(...this.#stack.lost());
    }
    await this.#adoptLost(program);
    await deleteReplaced(this.#stack, this.#newPlugin().host, program);
    await this.#converge(program);
    await this.#createRevived(program);
    await this.#deleteReplacements();
    await this.#deleteLeftovers();
    await expectEqual(this.account, this.#stack);
    await this.#command(async () => {
      expectNone("a preview changes", await this.#stack.preview(program));
      expectNone("a refresh finds", await this.#stack.refresh());
      await this.#stack.destroy();
    });
    this.account.service.settle();
    expectNothingLeft(this.#empty, left(this.account.world));
    expectHidden(secretsOf(declared), [...this.#heard, ...textsIn(this.journal)]);
  }

  async #prepare(): Promise<void> {
    const { api } = this.#newPlugin().host;
    // The default payment method, which cannot be deleted.
    const card = { card_number: "5555555555554444", expiry_month: 12, expiry_year: 2032, cvv: "321" };
    await api.paymentMethods.add({ body: { data: card } });
    await api.objectStorageBuckets.create({ body: { label: OTHER_BUCKET, cluster: "us-east-1" } });
    this.#empty = left(this.account.world);
  }

  /**
   * Runs a command with a new provider process. Records the error that users see, and throws it if the faults do not
   * explain it.
   */
  async #command(work: () => Promise<unknown>, faults: readonly Fault[] = []): Promise<void> {
    const { account } = this;
    const plugin = this.#newPlugin();
    const processes = {
      killProvider: () => plugin.kill(),
      killEngine: (provider: "with" | "without") => {
        this.#stack.kill();
        if (provider === "with") plugin.kill();
      },
      killService: () => account.kill(),
    };
    account.passing = new Injection(faults, processes, (name) => this.tally.hit(this.head, name));
    let error: unknown;
    try {
      await work();
    } catch (thrown) {
      error = thrown;
      for (const message of violationsIn(thrown)) throw message;
      this.#heard.push(...textsOf(thrown));
    }
    await plugin.end(!(error instanceof Killed));
    this.#heard.push(...plugin.said);
    account.passing = undefined;
    account.service.faults.clear();
    this.#warnings += plugin.said.filter((line) => line.includes("was created by an interrupted run")).length;
    if (error && !faults.length) throw error;
  }

  /** Whether a fault of an earlier command explains the error of a command without faults. */
  #isLate(error: unknown): boolean {
    return isLate(error, { job: this.hasFailedJobs, create: this.#warnings > 0 });
  }

  /**
   * Adopts lost objects. The native plugin finds lost objects itself by its journal, unless the program does not
   * declare them any more.
   */
  async #adoptLost(program: readonly Resource[]): Promise<void> {
    const [lost = [], replaced = []] = [false, true].map((has) =>
      this.#lost.filter((one) => this.#stack.has(one) === has),
    );
    this.#replacements.push(...replaced);
    if (this.#lost.some(({ kind }) => kind === "LkeCluster")) this.#hasLostPools = true;
    const isDeclared = (resource: Resource) => declaredIn(program, resource) !== undefined;
    // The journal cannot recognize objects of kinds that do not define inputs by which objects are recognized.
    const isAdoptable = (resource: Resource) =>
      this.head === "dynamic" || !isDeclared(resource) || kinds[resource.kind].identity.lostCreate === "repeat";
    const host = this.#newPlugin().host;
    // The native plugin continues with the object of an interrupted replacement if a later update replaces the resource
    // again.
    if (this.head === "dynamic") await this.#deleteReplacements();
    for (const kind of await adoptLost(this.#stack, host, lost, program, isAdoptable))
      this.tally.adopted(this.head, kind);
    // The next update repeats these creates, and they can be interrupted again.
    this.#lost = lost.filter((resource) => isDeclared(resource) && !this.#stack.has(resource));
  }

  async #deleteReplacements(): Promise<void> {
    for (const kind of await deleteReplacements(this.#stack, this.#newPlugin().host, this.#replacements))
      this.tally.adopted(this.head, `replacement of ${kind}`);
    this.#replacements = [];
  }

  /**
   * Deletes objects that only users can delete: pools that an interrupted update of a cluster has created, and objects
   * of interrupted creates whose inputs have changed since, about which the plugin prints a warning.
   */
  async #deleteLeftovers(): Promise<void> {
    if (!this.#hasLostPools && !this.#warnings) return;
    const leftovers = { pools: this.#hasLostPools, warnings: this.#warnings };
    for (const what of await deleteLeftovers(this.#stack, this.#newPlugin().host, leftovers))
      this.tally.adopted(this.head, what);
    this.#warnings = 0;
  }

  /** Starts a provider process for the next command. */
  #newPlugin(): Plugin {
    const plugin = new Plugin(this.account, this.head, this.journal);
    this.#stack.restart(plugin);
    return plugin;
  }

  /**
   * Creates objects again that Pulumi has deleted as replaced objects after their resources had adopted them again. A
   * refresh shows that the objects are missing.
   */
  async #createRevived(program: readonly Resource[]): Promise<void> {
    if (!this.#stack.revived.size) return;
    let drifted: string[] = [];
    await this.#command(async () => {
      drifted = await this.#stack.refresh();
    });
    for (const line of drifted)
      if (!this.#stack.revived.has(line.replace(/:.*/, ""))) throw new Violation(`a refresh finds ${line}`);
    this.tally.revived(this.head);
    await this.#converge(program);
  }

  async #converge(program: readonly Resource[]): Promise<void> {
    for (let updates = 1; ; updates++) {
      try {
        await this.#command(() => this.#stack.up(program));
        return;
      } catch (error) {
        if (error instanceof Violation || updates === UPDATES) throw error;
        await this.#deleteLeftovers();
      }
    }
  }
}
