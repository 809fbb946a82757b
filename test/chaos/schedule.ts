import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { kinds } from "../../provider/resources";
import { otherType, type ProviderType } from "../../stack/migration";
import type { Inventory } from "../lifecycle/scenario";
import { Account } from "./account";
import { adoptAgain, chain, type Step } from "./chain";
import { anyFaults, type Fault, type FaultName, Injection, interruptions, killsService, LATE_MS } from "./faults";
import {
  adoptLost,
  declaredIn,
  deleteLeftovers,
  deleteLostPools,
  deleteReplaced,
  deleteReplacements,
  isMoved,
  isRepeated,
  isUnchanged,
  type Leftover,
  leftoverIn,
} from "./lost";
import { expectEqual, expectHidden, expectNoDrift, expectNothingLeft, left, OTHER_BUCKET, secretsOf } from "./oracle";
import { Plugin, textsIn } from "./plugin";
import { fewResources, type Known, manyResources, type Resource, resourcesOf, type Spec, type Stored } from "./program";
import { Stack } from "./stack";
import { expectNone, isLate, Killed, requiresRefresh, textsOf, Violation, violationsIn } from "./violation";

export interface Schedule {
  provider: ProviderType;
  /** Whether the stack is moved to the other provider before it is destroyed. */
  isMigrated: boolean;
  versions: Spec[][];
  faults: Fault[];
  /** Commands that the user runs after the last update. */
  chain: Step[];
}

const scheduleOf = (versions: fc.Arbitrary<Spec[][]>, faults: fc.Arbitrary<Fault[]>): fc.Arbitrary<Schedule> =>
  fc.record({
    provider: fc.constantFrom<ProviderType>("dynamic", "native"),
    isMigrated: fc.boolean(),
    versions,
    faults,
    chain,
  });

export const schedule: fc.Arbitrary<Schedule> = fc.oneof(
  scheduleOf(manyResources, anyFaults),
  scheduleOf(fewResources, interruptions),
);

/** The account must equal the program after at most this number of updates without injected faults. */
const UPDATES = 3;

export interface Tally {
  hit(provider: ProviderType, fault: FaultName): void;
  /** Called for each object that the test has added to state, as users do with `cloudinfra adopt`. */
  adopted(provider: ProviderType, kind: string): void;
  /** Called when Pulumi has deleted an adopted object, because an earlier replacement had marked it for deletion. */
  revived(provider: ProviderType): void;
}

/** A folder for temporary files, in memory if possible, because thousands of accounts are written to it. */
const memory = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();

/**
 * Deploys the versions of a random program to an emulated account while faults occur. Throws if the account does not
 * equal the last version afterwards.
 */
export async function run(
  { provider, isMigrated, versions, faults, chain }: Schedule,
  known: Known,
  tally: Tally,
): Promise<void> {
  const folder = mkdtempSync(join(memory, "chaos-"));
  const account = await Account.open(killsService(faults) ? join(folder, "account.0") : undefined);
  try {
    await new Run(
      account,
      provider,
      join(folder, "journal"),
      known,
      tally,
      faults.some(({ name }) => name.endsWith(" job")),
    ).play(versions, faults, [...chain, ...(isMigrated ? [{ command: "migrate", nth: 0 } as const] : [])]);
  } finally {
    account.close();
    rmSync(folder, { recursive: true });
  }
}

class Run {
  #provider: ProviderType;
  readonly #stack: Stack;
  readonly #heard: string[] = [];
  readonly #stored: Stored = { inputs: new Map(), owners: new Map() };
  #empty: Inventory = {};
  #lost: Resource[] = [];
  /** Resources whose replacement was interrupted by a kill during the create request of the new object. */
  #replacements: Resource[] = [];
  /** Names of the resources whose interrupted replacements were deleted by hand. */
  readonly #undone = new Set<string>();
  #hasLostPools = false;
  #leftovers: Leftover[] = [];

  constructor(
    readonly account: Account,
    provider: ProviderType,
    readonly journal: string,
    readonly known: Known,
    readonly tally: Tally,
    readonly hasFailedJobs: boolean,
  ) {
    this.#provider = provider;
    this.#stack = new Stack(new Plugin(account, provider, journal));
  }

  async play(versions: readonly Spec[][], faults: readonly Fault[], chain: readonly Step[]): Promise<void> {
    await this.#prepare();
    const declared: Resource[] = [];
    let program: Resource[] = [];
    for (const [command, specs] of versions.entries()) {
      program = resourcesOf(specs, this.known, this.#stored);
      declared.push(...program);
      const own = faults.filter((fault) => fault.command % versions.length === command);
      // State lacks the changes of an interrupted update. If the program reverts one, only a refresh finds it, and if the
      // service is still carrying it out, such as a migration, only a refresh after it.
      const interrupted = this.#stack.interrupted();
      if (interrupted === "running") this.account.service.settle();
      if (interrupted) await this.#command(() => this.#stack.refresh());
      await this.#adoptLost(program);
      await this.#deleteLeftovers();
      await this.#deleteReplaced(program);
      await this.#command(() => this.#stack.up(program), own).catch(async (error) => {
        if (!this.#isLate(error)) throw error;
        await this.#refreshIfAdvised(error);
      });
      this.#lost.push(...this.#stack.lost());
    }
    // The next upload sets the ACL only if it is in the preview (docs/reliability.md).
    if (this.#stack.hasInterruptedUpload) await this.#command(() => this.#stack.refresh());
    await this.#adoptLost(program);
    await this.#deleteReplaced(program);
    await this.#converge(program);
    await this.#deleteReplacements(program);
    await this.#createMissing(program);
    await this.#deleteLeftovers();
    await expectEqual(this.account, this.#stack, this.known);
    await expectNoDrift(this.#stack, this.#newPlugin().host, this.#provider);
    for (const step of chain) await this.#step(step, program);
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

  /** Runs a command of a chain. Afterwards, the program shows no change, and the account equals the stack. */
  async #step(step: Step, program: readonly Resource[]): Promise<void> {
    if (step.command === "migrate") {
      this.#provider = otherType(this.#provider);
      this.#stack.migrate(this.#provider);
    } else if (step.command !== "drift") {
      const adopted = await adoptAgain(this.#stack, this.#newPlugin().host, this.#provider, step);
      if (adopted) this.tally.adopted(this.#provider, `${adopted.resource.kind} by ${step.command}`);
      await this.#converge(program);
      const { id } = adopted ?? {};
      const now = this.#stack.entries.find(({ resource }) => resource.name === adopted?.resource.name)?.state?.id;
      if (now !== id) throw new Violation(`the update after an adoption replaces ${adopted?.resource.name} (${id})`);
    }
    await this.#command(async () => expectNone("a preview changes", await this.#stack.preview(program)));
    await expectEqual(this.account, this.#stack, this.known);
    await expectNoDrift(this.#stack, this.#newPlugin().host, this.#provider);
  }

  /**
   * Runs a command with a new provider process, and records the errors that users would see. Throws the error only if
   * no fault was injected into the command.
   */
  async #command(work: () => Promise<unknown>, faults: readonly Fault[] = []): Promise<void> {
    const { account } = this;
    const plugin = this.#newPlugin();
    // A response can arrive after the command has ended, and must not kill the processes of the next one.
    let hasEnded = false;
    const processes = {
      killProvider: () => plugin.kill(),
      killEngine: (provider: "with" | "without") => {
        if (!hasEnded) this.#stack.kill();
        if (provider === "with") plugin.kill();
      },
      killService: async () => void (hasEnded || (await account.kill())),
    };
    account.passing = new Injection(faults, processes, (name) => this.tally.hit(this.#provider, name));
    let error: unknown;
    try {
      await work();
    } catch (thrown) {
      error = thrown;
      for (const message of violationsIn(thrown)) throw message;
      this.#heard.push(...textsOf(thrown));
    }
    hasEnded = true;
    await plugin.end(!(error instanceof Killed));
    this.#heard.push(...plugin.messages);
    account.passing = undefined;
    account.service.faults.clear();
    // Users read the error before they run the next command.
    if (faults.some(({ name }) => name === "carried out late")) account.service.advance(LATE_MS);
    this.#leftovers.push(...[...plugin.messages, ...textsOf(error)].flatMap((message) => leftoverIn(message) ?? []));
    if (error && !faults.length) throw error;
  }

  /** Whether a fault in an earlier command can cause this error in a command without faults. */
  #isLate(error: unknown): boolean {
    return isLate(error, { job: this.hasFailedJobs, create: this.#leftovers.length > 0 });
  }

  /**
   * Adopts objects whose create requests were interrupted by a kill. The native plugin records its create requests in a
   * journal on disk and finds most of these objects itself, so for it only the others are adopted.
   */
  async #adoptLost(program: readonly Resource[]): Promise<void> {
    // An object whose job fails can disappear after it was adopted, such as a snapshot.
    if (this.hasFailedJobs && this.#lost.length) this.account.service.settle();
    const [lost = [], replaced = []] = [false, true].map((has) =>
      this.#lost.filter((one) => this.#stack.has(one) === has),
    );
    this.#replacements.push(...replaced);
    if (this.#lost.some(({ kind }) => kind === "LkeCluster")) this.#hasLostPools = true;
    const isDeclared = (resource: Resource) => declaredIn(program, resource) !== undefined;
    const isRepeating = (resource: Resource) => kinds[resource.kind].identity.lostCreate === "repeat";
    // An object in a bucket has to be adopted before its content or its bucket changes, and a node pool before its
    // cluster is deleted (docs/reliability.md).
    const isChangedPart = (resource: Resource) =>
      (resource.kind === "ObjectStorageObject" && !isUnchanged(this.#stack, resource, program)) ||
      (resource.kind === "LkeNodePool" &&
        !this.#clustersOf(resource).every((one) => isUnchanged(this.#stack, one, program)));
    // The native plugin recognizes the object of an interrupted create by the inputs in `lostCreate.match`. Kinds with
    // `lostCreate: "repeat"` do not define such inputs, so their objects are adopted here.
    const isAdoptable = (resource: Resource) =>
      this.#provider === "dynamic" ||
      !isDeclared(resource) ||
      isMoved(this.#stack, resource, program) ||
      isChangedPart(resource) ||
      isRepeating(resource);
    const host = this.#newPlugin().host;
    // If a later update replaces the resource again, the native plugin uses the object that the interrupted replacement
    // has created, but not if it would repeat the request with other inputs.
    await this.#deleteReplacements(
      program,
      (resource) =>
        this.#provider === "dynamic" || !isDeclared(resource) || isChangedPart(resource) || isRepeating(resource),
    );
    const interrupted = { creates: lost, replacements: this.#replacements };
    for (const kind of await adoptLost(this.#stack, host, interrupted, program, isAdoptable))
      this.tally.adopted(this.#provider, kind);
    // These resources are still not in state. The next update creates them again and may be interrupted too, so they
    // stay in the list.
    this.#lost = lost.filter((resource) => isDeclared(resource) && !this.#stack.has(resource));
  }

  /** The clusters whose pools the resource manages. */
  #clustersOf({ dependsOn }: Resource): Resource[] {
    const resources = this.#stack.entries.map(({ resource }) => resource);
    return resources.filter(({ kind, name }) => kind === "LkeCluster" && dependsOn.includes(name));
  }

  /** Deletes replaced objects whose names the program declares again. */
  async #deleteReplaced(program: readonly Resource[]): Promise<void> {
    const hasDeleted = await deleteReplaced(this.#stack, this.#newPlugin().host, program);
    if (hasDeleted) await this.#command(() => this.#stack.refresh());
  }

  /** Deletes the new objects of interrupted replacements, unless the next update repeats their create requests. */
  async #deleteReplacements(
    program: readonly Resource[],
    isUnused: (resource: Resource) => boolean = () => true,
  ): Promise<void> {
    const surplus = this.#replacements.filter((one) => isUnused(one) && !isRepeated(this.#stack, one, program));
    const creates = this.#lost.filter((resource) => !this.#stack.has(resource));
    const interrupted = { creates, replacements: this.#replacements };
    for (const kind of await deleteReplacements(this.#stack, this.#newPlugin().host, surplus, interrupted))
      this.tally.adopted(this.#provider, `replacement of ${kind}`);
    this.#replacements = this.#replacements.filter((resource) => !surplus.includes(resource));
    for (const { name } of surplus) this.#undone.add(name);
  }

  /** Deletes objects that users have to delete by hand, according to messages. */
  async #deleteLeftovers(): Promise<void> {
    const { host } = this.#newPlugin();
    const deleted = await deleteLeftovers(this.#stack, host, this.#leftovers);
    if (this.#hasLostPools) deleted.push(...(await deleteLostPools(this.#stack, host)));
    for (const what of deleted) this.tally.adopted(this.#provider, what);
    this.#leftovers = [];
  }

  #newPlugin(): Plugin {
    const plugin = new Plugin(this.account, this.#provider, this.journal);
    this.#stack.restart(plugin);
    return plugin;
  }

  /**
   * After an interrupted replacement, a resource can adopt an object that Pulumi then deletes, and the service can have
   * deleted the old object of a replacement that the program has undone, such as a snapshot. For such resources, a
   * refresh finds that the object is missing, and an update creates it again.
   */
  async #createMissing(program: readonly Resource[]): Promise<void> {
    const { revived } = this.#stack;
    const missing = new Set([...revived, ...this.#undone]);
    if (!missing.size) return;
    // The job of an interrupted replacement, such as a snapshot, deletes the old object only at its end.
    this.account.service.settle();
    let drifted: string[] = [];
    await this.#command(async () => {
      drifted = await this.#stack.refresh();
    });
    for (const line of drifted)
      if (!missing.has(line.replace(/:.*/, ""))) throw new Violation(`a refresh finds ${line}`);
    if (revived.size) this.tally.revived(this.#provider);
    await this.#converge(program);
  }

  async #refreshIfAdvised(error: unknown): Promise<void> {
    if (requiresRefresh(error)) await this.#command(() => this.#stack.refresh());
  }

  async #converge(program: readonly Resource[]): Promise<void> {
    for (let updates = 1; ; updates++) {
      try {
        await this.#command(() => this.#stack.up(program));
        return;
      } catch (error) {
        if (error instanceof Violation || updates === UPDATES) throw error;
        await this.#refreshIfAdvised(error);
        await this.#deleteLeftovers();
      }
    }
  }
}
