import type { z } from "zod";
import type { AdoptedResource } from "../provider/dynamic/provider";
import type { Host } from "../provider/engine/host";
import { startCommand } from "../provider/engine/planned";
import type { Bag } from "../provider/engine/values";
import type { KindName, kinds } from "../provider/resources";
import { dynamicProvider, type Failure, type ProviderOf, type ResourceProvider } from "./resource-provider";

export type { Failure } from "./resource-provider";

type CamelName<S> = S extends `${infer Head}_${infer Tail}` ? `${Head}${Capitalize<CamelName<Tail>>}` : S;
type Camelled<T> = T extends readonly (infer E)[]
  ? Camelled<E>[]
  : T extends object
    ? { [K in keyof T as CamelName<K>]: Camelled<T[K]> }
    : T;

/** Makes the input `label` optional, because a label is generated if the program omits it. */
type Named<T> = T extends { label: infer L } ? Omit<T, "label"> & { label?: L } : T;

/** The inputs of a resource in camelCase, as in programs. */
export type Inputs<K extends KindName> = Named<Camelled<z.input<(typeof kinds)[K]["inputs"]>>>;

/** A resource in a stack's state. */
export interface State {
  id: string;
  inputs: Bag;
  outs: Bag;
  /** Reasons why the object is unfinished, if its creation failed. The next update tries to finish it. */
  initErrors: string[];
}

/** A resource in a stack's state, with its replaced objects that are not deleted yet. */
export interface Saved {
  state: State | undefined;
  condemned: State[];
}

/** The operation that Pulumi would perform. */
export interface Plan {
  op: "same" | "create" | "update" | "replace";
  /** The inputs that a preview shows as changed. Empty if the provider returns only that something differs. */
  diffs: string[];
  replaces: string[];
  deleteBeforeReplace: boolean;
  /** The inputs that the provider's `check` returned. */
  inputs: Bag;
}

/** The provider's `check` has rejected the program's inputs. */
export class CheckError extends Error {
  override readonly name = "CheckError";

  constructor(readonly failures: readonly Failure[]) {
    super(failures.map(({ property, reason }) => `property ${property} has a problem: ${reason}`).join("\n"));
  }
}

/**
 * A resource that is managed without the Pulumi CLI. The methods correspond to Pulumi's commands: they call the
 * provider in the same order and with the same values.
 */
export class Managed<K extends KindName> {
  readonly name: string;
  readonly #provider: ResourceProvider;
  #host: Host;
  #state: State | undefined;
  /** Objects that were replaced but not deleted yet. */
  #condemned: State[] = [];

  constructor(kind: K, host: Host, name = "thing", provider: ProviderOf = dynamicProvider) {
    this.name = name;
    this.#host = host;
    this.#provider = provider(kind, () => this.#host, name);
  }

  /** The resource in the stack's state. Undefined before the creation and after the deletion. */
  get state(): State | undefined {
    return this.#state && structuredClone(this.#state);
  }

  /** Replaces the state, for tests that start from a different state. */
  set state(state: State | undefined) {
    this.#state = structuredClone(state);
  }

  get saved(): Saved {
    return structuredClone({ state: this.#state, condemned: this.#condemned });
  }

  /** Sets the state that Pulumi has saved, to continue after an interruption. */
  set saved(saved: Saved) {
    ({ state: this.#state, condemned: this.#condemned } = structuredClone(saved));
  }

  /** Starts a new provider with empty caches, as each Pulumi command does. */
  reconnect(host: Host): void {
    this.#host = host;
  }

  get id(): string {
    return this.#some().id;
  }

  /** The outputs in the stack's state, by their names in programs. */
  get outs(): Bag {
    return structuredClone(this.#some().outs);
  }

  /** The errors that a preview reports for these inputs, or an empty list: each with its property and its reason. */
  async failures(inputs: Bag): Promise<Failure[]> {
    try {
      await this.preview(inputs as Inputs<K>);
      return [];
    } catch (error) {
      if (error instanceof CheckError) return [...error.failures];
      throw error;
    }
  }

  /** Corresponds to `pulumi preview`. Changes nothing. */
  async preview(inputs: Inputs<K>): Promise<Plan> {
    const was = this.#state;
    const checked = await this.#check(was?.inputs ?? {}, inputs);
    if (!was) return { op: "create", diffs: [], replaces: [], deleteBeforeReplace: false, inputs: checked };
    const { differs, ...plan } = await this.#provider.diff(was, checked);
    if (!differs || !plan.replaces.length) {
      return { op: differs || was.initErrors.length ? "update" : "same", ...plan, inputs: checked };
    }
    // A replacement does not inherit generated inputs such as labels, so the inputs are checked again without the old
    // ones.
    return { op: "replace", ...plan, inputs: await this.#check({}, inputs) };
  }

  /**
   * Whether Pulumi deletes the resource before another one that it refers to is replaced. Pulumi asks the provider only
   * for the difference, without a check. `unknowns` are the inputs whose values come from the other resource.
   */
  async isReplacedWith(unknowns: Bag): Promise<boolean> {
    const was = this.#some();
    const { differs, replaces } = await this.#provider.diff(was, { ...was.inputs, ...unknowns });
    return differs && replaces.length > 0;
  }

  /** Corresponds to `pulumi up` without a preview. After a failure, the state is as Pulumi would leave it. */
  async up(inputs: Inputs<K>): Promise<Plan> {
    try {
      await this.deleteReplaced();
      const plan = await this.preview(inputs);
      await this.apply(plan);
      await this.deleteReplaced();
      return plan;
    } finally {
      // The next command can use the same connection, although Pulumi would run it in another process.
      startCommand(this.#host);
    }
  }

  /** Performs the operation. A replaced object exists until `deleteReplaced`, unless it has to be deleted first. */
  async apply(plan: Plan): Promise<void> {
    if (plan.op === "same") this.#state = { ...this.#some(), inputs: plan.inputs };
    if (plan.op === "create") await this.#create(plan.inputs);
    if (plan.op === "update") await this.#update(plan.inputs);
    if (plan.op === "replace") await this.#replace(plan);
  }

  /**
   * Corresponds to `pulumi refresh`: updates the state to the current object. Like Pulumi, it returns whether an update
   * would have something to undo, so changed outputs alone do not count.
   */
  async refresh(): Promise<"same" | "changed" | "gone"> {
    const was = this.#some();
    const now = await this.#provider.read(was);
    this.#state = now && { ...now, initErrors: [] };
    if (!now) return "gone";
    return (await this.#provider.diff(now, was.inputs)).differs ? "changed" : "same";
  }

  /** Refreshes the replaced objects that are not deleted yet, as `pulumi refresh` does too. */
  async refreshReplaced(): Promise<void> {
    const now = await Promise.all(this.#condemned.map((old) => this.#provider.read(old)));
    this.#condemned = now.flatMap((known) => (known ? [{ ...known, initErrors: [] }] : []));
  }

  /** Corresponds to `pulumi destroy`. */
  destroy(): Promise<void> {
    startCommand(this.#host);
    return this.remove();
  }

  /** Deletes the object, as `pulumi up` does at its end if the program does not contain the resource any more. */
  async remove(): Promise<void> {
    await this.deleteReplaced();
    if (!this.#state) return;
    await this.#provider.delete(this.#state);
    this.#state = undefined;
  }

  /**
   * Corresponds to `cloudinfra adopt`: adds an existing object to the state. Returns the inputs that a program should
   * declare for it.
   */
  async adopt(id: string): Promise<AdoptedResource> {
    const found = await this.#provider.adopt(this.name, id);
    if (!found) throw new Error(`${this.name}: ${id} does not exist`);
    const { adopted, ...known } = found;
    this.#state = { ...known, initErrors: [] };
    return adopted;
  }

  async #check(olds: Bag, inputs: object): Promise<Bag> {
    const { inputs: checked, failures } = await this.#provider.check(this.name, olds, inputs);
    if (failures.length) throw new CheckError(failures);
    return checked;
  }

  async #create(inputs: Bag): Promise<void> {
    await this.#orUnfinished(inputs, async () => {
      const { id, outs } = await this.#provider.create(inputs);
      if (!id) throw new Error("the provider created something without an id");
      return { id, outs };
    });
  }

  async #update(inputs: Bag): Promise<void> {
    const was = this.#some();
    await this.#orUnfinished(inputs, async () => ({ id: was.id, outs: await this.#provider.update(was, inputs) }));
  }

  async #replace({ inputs, deleteBeforeReplace }: Plan): Promise<void> {
    const old = this.#some();
    if (deleteBeforeReplace) {
      await this.remove();
      return this.#create(inputs);
    }
    try {
      await this.#create(inputs);
    } finally {
      if (this.#state?.id !== old.id) this.#condemned.push(old);
    }
  }

  async deleteReplaced(): Promise<void> {
    for (let old = this.#condemned[0]; old; old = this.#condemned[0]) {
      await this.#provider.delete(old);
      this.#condemned.shift();
    }
  }

  /**
   * Handles the error of a create or update. If it has an id, the object exists but is unfinished, and is added to the
   * state. Otherwise, the state is unchanged.
   */
  async #orUnfinished(inputs: Bag, work: () => Promise<{ id: string; outs: Bag }>): Promise<void> {
    try {
      const { id, outs } = await work();
      this.#state = { id, inputs, outs, initErrors: [] };
    } catch (error) {
      const { id, properties = {}, reasons = [] } = error as { id?: string; properties?: Bag; reasons?: string[] };
      if (id) this.#state = { id, inputs, outs: properties, initErrors: [...reasons] };
      throw error;
    }
  }

  #some(): State {
    if (!this.#state) throw new Error(`${this.name} is not there`);
    return this.#state;
  }
}
