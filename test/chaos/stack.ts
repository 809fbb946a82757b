import { isDeepStrictEqual } from "node:util";
import { startCommand } from "../../provider/engine/planned";
import { type Bag, containsUnknown } from "../../provider/engine/values";
import { urnParts } from "../../provider/pulumi/urn";
import { migrated, otherType, type ProviderType, resourcesOf } from "../../stack/migration";
import { Managed, type Saved } from "../../testing/provider";
import { exported, withoutSecrets } from "../lifecycle/exported";
import type { AnyManaged } from "../lifecycle/scenario";
import type { Outputs } from "../lifecycle/template";
import { inOrder, isDeath, isInDoubt, newRun, type Run, throwFailures } from "./command";
import type { Plugin } from "./plugin";
import { type Resource, unknown } from "./program";
import { expectCalledFor, Killed, Violation } from "./violation";

interface Entry extends Saved {
  /** The resource as declared by the program that was applied last. */
  resource: Resource;
  /** Names of the resources to which the current object and the replaced, not yet deleted objects refer. */
  dependsOn: string[];
}

/**
 * Simulates the Pulumi engine with the state of one stack. It calls the provider in the order of the dependencies, as
 * Pulumi does, and its state survives kills.
 */
export class Stack {
  readonly #saved = new Map<string, Entry>();
  /** Resources whose create request was in progress when the engine or the provider was killed. */
  readonly #creating = new Map<string, Resource>();
  /** Resources whose update or deletion was interrupted by a kill. State still contains their old values. */
  readonly #changing = new Set<string>();
  /** Resources whose update in place was interrupted by a kill. The service may still be carrying it out. */
  readonly #updating = new Set<string>();
  /** Resources whose deletion has failed, although the service may have carried it out. */
  readonly #undeleted = new Set<string>();
  /** The last operation on each resource in the current command. */
  #operations = new Map<string, Promise<void>>();
  #plugin: Plugin;
  #run = newRun(() => {});

  constructor(plugin: Plugin) {
    this.#plugin = plugin;
  }

  /** Resources that have adopted an object that Pulumi then deletes, because a replacement marked it for deletion. */
  readonly revived = new Set<string>();

  get entries(): readonly Entry[] {
    return [...this.#saved.values()];
  }

  has({ name }: Resource): boolean {
    return this.#saved.get(name)?.state !== undefined;
  }

  restart(plugin: Plugin): void {
    this.#plugin = plugin;
  }

  kill(): void {
    this.#run.isAlive = false;
    this.#run.kill(new Killed("the engine was killed"));
  }

  up(program: readonly Resource[]): Promise<void> {
    return this.#command(async (run) => {
      await inOrder(
        program,
        ({ dependsOn }) => program.filter(({ name }) => dependsOn.includes(name)),
        (resource) => this.#attempt(run, resource.name, () => this.#apply(run, resource)),
      );
      throwFailures(run);
      const removed = new Set(this.#saved.keys());
      for (const { name } of program) removed.delete(name);
      await this.#delete(run, removed);
    });
  }

  /** `pulumi preview`: the resources that an update would change. */
  preview(program: readonly Resource[]): Promise<string[]> {
    return this.#command(async () => {
      const changes: string[] = [...this.#saved.keys()].filter((name) => !program.some((one) => one.name === name));
      for (const resource of program) {
        const { op, diffs, replaces } = await this.#managed(resource).preview(this.inputsOf(resource));
        if (op !== "same") changes.push(`${resource.name}: ${op} ${diffs} ${replaces}`);
      }
      return changes;
    });
  }

  /** `pulumi refresh`: the resources that have drifted. */
  refresh(): Promise<string[]> {
    return this.#command(async (run) => {
      const drifted = await Promise.all(
        this.entries.map(async ({ resource, state }) => {
          const managed = this.#managed(resource);
          await managed.refreshReplaced();
          const found = state ? await managed.refresh() : "same";
          this.#save(run, resource, managed.saved);
          return found === "same" ? [] : [`${resource.name}: ${found}`];
        }),
      );
      return drifted.flat();
    });
  }

  destroy(): Promise<void> {
    startCommand(this.#plugin.host);
    return this.#command((run) => this.#delete(run, new Set(this.#saved.keys())));
  }

  /** The resources whose create requests were in progress when a process was killed. */
  lost(): Resource[] {
    const lost = [...this.#creating.values()];
    this.#creating.clear();
    return lost;
  }

  /**
   * The kind of operation during which a process was killed: one that the service may still be carrying out, which is an
   * update in place or a deletion, or another one. Deletions that have failed count too. Undefined if there is none.
   */
  interrupted(): "running" | "other" | undefined {
    const [running, all] = [this.#updating.size + this.#undeleted.size, this.#changing.size];
    for (const names of [this.#updating, this.#changing, this.#undeleted]) names.clear();
    return running ? "running" : all ? "other" : undefined;
  }

  /** Whether a kill has interrupted the upload of an object that exists, which resets the object's ACL. */
  get hasInterruptedUpload(): boolean {
    return this.entries.some(
      ({ resource: { kind, name } }) => kind === "ObjectStorageObject" && this.#updating.has(name),
    );
  }

  /** `cloudinfra adopt`: adds the object to the stack's state. */
  adopt(resource: Resource, id: string): Promise<void> {
    return this.#command(async (run) => {
      const managed = this.#managed(resource);
      const { condemned } = managed.saved;
      const exists = await managed.adopt(id).then(
        () => true,
        () => false,
      );
      if (exists) this.#save(run, resource, { state: managed.saved.state, condemned });
    });
  }

  /** `pulumi state delete`: removes a resource from state, and keeps its object. */
  forget({ name }: Resource): void {
    this.#saved.delete(name);
  }

  /** `cloudinfra migrate`: converts the state for the other provider. */
  migrate(to: ProviderType): void {
    const rows = this.entries.flatMap(({ resource: { kind, name }, state }) =>
      state ? [{ kind, name, id: state.id, inputs: state.inputs, outs: state.outs }] : [],
    );
    const { state } = exported(rows, { provider: otherType(to), showsSecrets: true });
    const converted = resourcesOf(to, migrated(state, to));
    if (converted.length !== rows.length)
      throw new Violation(`${converted.length} of ${rows.length} rows are migrated`);
    for (const { urn, inputs, outputs } of converted) {
      const entry = this.#saved.get(urnParts(urn).name);
      if (entry?.state) Object.assign(entry.state, { inputs: withoutSecrets(inputs), outs: withoutSecrets(outputs) });
    }
  }

  /** The inputs of a resource, in which references to other resources have the values from state. */
  inputsOf({ inputs }: Resource, replaced?: string): Bag {
    return inputs((name) => (name === replaced ? unknown : this.#outputsOf(name)));
  }

  #outputsOf(name: string): Outputs {
    const { state } = this.#saved.get(name) ?? {};
    return state ? { ...state.outs, id: state.id } : unknown;
  }

  #command<T>(work: (run: Run) => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const run = newRun(reject);
      this.#run = run;
      this.#operations = new Map();
      work(run).then(resolve, reject);
    });
  }

  /** Creates, changes or deletes a resource, unless an earlier operation has failed or the engine was killed. */
  async #attempt(run: Run, name: string, work: () => Promise<void>): Promise<void> {
    if (run.failures.length || !run.isAlive) return;
    this.#changing.add(name);
    let isDead = false;
    await work().catch((error) => {
      run.failures.push(error);
      isDead = isDeath(error);
    });
    if (run.isAlive && !isDead) this.#changing.delete(name);
  }

  #managed({ kind, name }: Resource): AnyManaged {
    const managed = new Managed(kind, this.#plugin.host, name, this.#plugin.providerOf) as unknown as AnyManaged;
    const { state, condemned = [] } = this.#saved.get(name) ?? {};
    managed.saved = { state, condemned };
    return managed;
  }

  #save(run: Run, resource: Resource, saved: Saved): void {
    if (!run.isAlive) return;
    if (saved.condemned.some(({ id }) => id === saved.state?.id)) this.revived.add(resource.name);
    const earlier = saved.condemned.length ? this.#saved.get(resource.name)?.dependsOn : [];
    const dependsOn = [...resource.dependsOn, ...(earlier ?? [])];
    if (saved.state || saved.condemned.length) this.#saved.set(resource.name, { resource, dependsOn, ...saved });
    else this.#saved.delete(resource.name);
  }

  /** Runs an operation on a resource after all earlier ones on it, because Pulumi plans them one after the other. */
  async #alone(name: string, work: () => Promise<void>): Promise<void> {
    const earlier = this.#operations.get(name) ?? Promise.resolve();
    const operation = earlier.then(work);
    this.#operations.set(
      name,
      operation.catch(() => {}),
    );
    await operation;
  }

  #apply(run: Run, resource: Resource): Promise<void> {
    return this.#alone(resource.name, () => this.#applyAlone(run, resource));
  }

  async #applyAlone(run: Run, resource: Resource): Promise<void> {
    const managed = this.#managed(resource);
    const inputs = this.inputsOf(resource);
    const plan = await managed.preview(inputs);
    const was = managed.saved.state;
    if (plan.op === "replace" && was) await expectCalledFor(resource, this.#plugin.host, was, plan.inputs);
    const isDeletedFirst = plan.op === "replace" && plan.deleteBeforeReplace;
    if (isDeletedFirst) {
      await this.#deleteDependents(run, resource.name);
      await this.#destroy(run, resource, managed);
    }
    // An update of a cluster can create node pools, which can be lost by a kill like other new objects.
    const creates = plan.op === "create" || plan.op === "replace" || (plan.op === "update" && isCluster(resource));
    if (creates) this.#creating.set(resource.name, resource);
    if (plan.op === "update") this.#updating.add(resource.name);
    try {
      await managed.apply(isDeletedFirst ? { ...plan, op: "create" } : plan);
      if (run.isAlive) for (const running of [this.#creating, this.#updating]) running.delete(resource.name);
      this.#save(run, resource, managed.saved);
    } catch (error) {
      if (run.isAlive && !isInDoubt(error)) this.#creating.delete(resource.name);
      if (run.isAlive && !isDeath(error)) this.#updating.delete(resource.name);
      // If the failed operation has not changed the resource, its entry in state stays valid.
      if (!isDeepStrictEqual(managed.saved.state, was)) this.#save(run, resource, managed.saved);
      throw error;
    }
  }

  /**
   * When a resource is deleted before it is replaced, Pulumi first deletes the dependents that are replaced with it.
   */
  async #deleteDependents(run: Run, name: string): Promise<void> {
    for (const { resource, state } of this.entries) {
      if (!state || !resource.dependsOn.includes(name)) continue;
      const managed = this.#managed(resource);
      const inputs = Object.entries(this.inputsOf(resource, name));
      const unknowns = Object.fromEntries(inputs.filter(([, value]) => containsUnknown(value)));
      if (!(await managed.isReplacedWith(unknowns))) continue;
      await this.#deleteDependents(run, resource.name);
      await this.#alone(resource.name, async () => {
        // The resource itself may have been replaced in the meantime, with an object that does not depend on this one.
        const isCurrent = this.#saved.get(resource.name)?.state?.id === state.id;
        if (isCurrent) await this.#destroy(run, resource, this.#managed(resource));
      });
    }
  }

  async #destroy(run: Run, resource: Resource, managed: AnyManaged): Promise<void> {
    this.#undeleted.add(resource.name);
    await managed.remove();
    this.#undeleted.delete(resource.name);
    this.#save(run, resource, managed.saved);
  }

  /** Deletes the given resources, and the old objects of all earlier replacements. Dependents are deleted first. */
  async #delete(run: Run, removed: ReadonlySet<string>): Promise<void> {
    const doomed = this.entries.filter(({ resource, condemned }) => removed.has(resource.name) || condemned.length);
    await inOrder(
      doomed,
      ({ resource: { name } }) => doomed.filter(({ dependsOn }) => dependsOn.includes(name)),
      (entry) => this.#attempt(run, entry.resource.name, () => this.#deleteOne(run, entry, removed)),
    );
    throwFailures(run);
  }

  async #deleteOne(run: Run, { resource }: Entry, removed: ReadonlySet<string>): Promise<void> {
    const managed = this.#managed(resource);
    try {
      await managed.deleteReplaced();
      if (removed.has(resource.name)) await this.#destroy(run, resource, managed);
    } finally {
      this.#save(run, resource, managed.saved);
    }
  }
}

const isCluster = ({ kind }: Resource): boolean => kind === "LkeCluster";
