import type { z } from "zod";
import type { Host } from "../provider/engine/host";
import type { Bag } from "../provider/engine/values";
import { type AdoptedResource, DynamicProvider } from "../provider/heads/dynamic";
import { handlerOf } from "../provider/heads/handle";
import { type KindName, kinds } from "../provider/resources";
import { keysThatDiffer, struct, withoutUndefined } from "./properties";

type CamelName<S> = S extends `${infer Head}_${infer Tail}` ? `${Head}${Capitalize<CamelName<Tail>>}` : S;
type Camelled<T> = T extends readonly (infer E)[]
  ? Camelled<E>[]
  : T extends object
    ? { [K in keyof T as CamelName<K>]: Camelled<T[K]> }
    : T;

/** A label is optional, because resources are auto-named. */
type Named<T> = T extends { label: infer L } ? Omit<T, "label"> & { label?: L } : T;

/** The inputs of a resource, in camel case as programs write them. */
export type Inputs<K extends KindName> = Named<Camelled<z.input<(typeof kinds)[K]["inputs"]>>>;

/** A resource in a stack's state. */
export interface State {
  id: string;
  inputs: Bag;
  outs: Bag;
  /** Why its creation is incomplete; the next update retries. */
  initErrors: string[];
}

/** The operation that the engine would perform. */
export interface Plan {
  op: "same" | "create" | "update" | "replace";
  /** The inputs shown as changed in a preview; empty if the provider only reports that something differs. */
  diffs: string[];
  replaces: string[];
  deleteBeforeReplace: boolean;
  /** The inputs that `check` returned. */
  inputs: Bag;
}

export interface Failure {
  property: string;
  reason: string;
}

/** Thrown if `check` rejects the program's inputs. */
export class CheckError extends Error {
  override readonly name = "CheckError";

  constructor(readonly failures: readonly Failure[]) {
    super(failures.map(({ property, reason }) => `property ${property} has a problem: ${reason}`).join("\n"));
  }
}

/**
 * The lifecycle of one resource without the Pulumi CLI: calls its provider in the engine's order, with the values that
 * Pulumi's launcher of dynamic providers passes.
 */
export class Managed<K extends KindName> {
  readonly name: string;
  readonly #provider: DynamicProvider;
  readonly #handler: string;
  #host: Host;
  #state: State | undefined;
  /** Replaced, but not deleted yet. */
  #condemned: State[] = [];

  constructor(kind: K, host: Host, name = "thing") {
    this.name = name;
    this.#host = host;
    this.#provider = new DynamicProvider(kinds[kind], () => this.#host);
    this.#handler = handlerOf(kind);
  }

  /** The resource in the stack's state; undefined before creation and after deletion. */
  get state(): State | undefined {
    return this.#state && structuredClone(this.#state);
  }

  /** Continues with the state of another resource. */
  set state(state: State | undefined) {
    this.#state = structuredClone(state);
  }

  /** Starts a new command, whose provider process has empty caches. */
  reconnect(host: Host): void {
    this.#host = host;
  }

  get id(): string {
    return this.#some().id;
  }

  get outs(): Bag {
    return structuredClone(this.#some().outs);
  }

  /** The invalid inputs, as a preview lists them. */
  async failures(inputs: Bag): Promise<Failure[]> {
    try {
      await this.preview(inputs as Inputs<K>);
      return [];
    } catch (error) {
      if (error instanceof CheckError) return [...error.failures];
      throw error;
    }
  }

  /** `pulumi preview`: changes nothing. */
  async preview(inputs: Inputs<K>): Promise<Plan> {
    const was = this.#state;
    const checked = await this.#check(was?.inputs ?? {}, inputs);
    if (!was) return { op: "create", diffs: [], replaces: [], deleteBeforeReplace: false, inputs: checked };
    const { differs, ...plan } = await this.#diff(was, was.inputs, checked);
    if (!differs || !plan.replaces.length) {
      return { op: differs || was.initErrors.length ? "update" : "same", ...plan, inputs: checked };
    }
    // A replacement does not reuse the old inputs.
    return { op: "replace", ...plan, inputs: await this.#check({}, inputs) };
  }

  /** If the provider does not report whether something changes, the engine compares the inputs. */
  async #diff({ id, outs }: Pick<State, "id" | "outs">, olds: Bag, news: Bag) {
    const answer = struct(await this.#provider.diff(id, struct(outs), struct(news)));
    const differing = answer.changes === undefined ? keysThatDiffer(olds, news) : [];
    const { changes = differing.length > 0, replaces = [], deleteBeforeReplace = false } = answer;
    const diffs = differing.filter((key) => !key.startsWith("__"));
    return { differs: changes, diffs, replaces, deleteBeforeReplace };
  }

  /** Runs `pulumi up` without a preview. A failure changes the state as it would in the engine. */
  async up(inputs: Inputs<K>): Promise<Plan> {
    await this.#deleteCondemned();
    const plan = await this.preview(inputs);
    if (plan.op === "same") this.#state = { ...this.#some(), inputs: plan.inputs };
    if (plan.op === "create") await this.#create(plan.inputs);
    if (plan.op === "update") await this.#update(plan.inputs);
    if (plan.op === "replace") await this.#replace(plan);
    return plan;
  }

  /**
   * `pulumi refresh`: state becomes what is. Like the engine, calls a change what an update would now have to undo;
   * outputs that have moved are none.
   */
  async refresh(): Promise<"same" | "changed" | "gone"> {
    const was = this.#some();
    const answer = struct(await this.#provider.read(was.id, struct(was.outs)));
    this.#state = undefined;
    if (!answer.id) return "gone";
    const { props = {}, inputs } = answer;
    const now = { id: answer.id, outs: this.#handled(props), inputs: inputs ? this.#handled(inputs) : was.inputs };
    this.#state = { ...now, initErrors: [] };
    return (await this.#diff(now, now.inputs, was.inputs)).differs ? "changed" : "same";
  }

  /** `pulumi destroy`. */
  async destroy(): Promise<void> {
    await this.#deleteCondemned();
    if (!this.#state) return;
    await this.#provider.delete(this.#state.id, struct(this.#state.outs));
    this.#state = undefined;
  }

  /** `cloudinfra adopt`: the state holds an existing object from now on. Returns what a program declares of it. */
  async adopt(id: string): Promise<AdoptedResource> {
    const found = await this.#provider.adopt(this.name, id);
    if (!found) throw new Error(`${this.name}: ${id} does not exist`);
    const [inputs, outs] = [this.#handled(struct(found.inputs)), this.#handled(struct(found.outputs))];
    this.#state = { id: found.id, inputs, outs, initErrors: [] };
    return found;
  }

  async #check(olds: Bag, inputs: object): Promise<Bag> {
    const news = this.#handled({ ...withoutUndefined(inputs), __resourceName: this.name });
    const answer = await this.#provider.check(struct(olds), struct(news));
    const { inputs: checked = news, failures = [] } = struct(answer);
    if (failures.length) throw new CheckError(failures);
    return this.#handled(checked);
  }

  async #create(inputs: Bag): Promise<void> {
    await this.#orUnfinished(inputs, async () => {
      const { id, outs } = struct(await this.#provider.create(struct(inputs)));
      if (!id) throw new Error("the provider created something without an id");
      return { id, outs: outs ?? {} };
    });
  }

  async #update(inputs: Bag): Promise<void> {
    const { id, outs } = this.#some();
    await this.#orUnfinished(inputs, async () => {
      const answer = struct(await this.#provider.update(id, struct(outs), struct(inputs)));
      return { id, outs: answer.outs ?? {} };
    });
  }

  async #replace({ inputs, deleteBeforeReplace }: Plan): Promise<void> {
    const old = this.#some();
    if (deleteBeforeReplace) {
      await this.destroy();
      return this.#create(inputs);
    }
    try {
      await this.#create(inputs);
    } finally {
      if (this.#state?.id !== old.id) this.#condemned.push(old);
    }
    await this.#deleteCondemned();
  }

  async #deleteCondemned(): Promise<void> {
    for (let old = this.#condemned[0]; old; old = this.#condemned[0]) {
      await this.#provider.delete(old.id, struct(old.outs));
      this.#condemned.shift();
    }
  }

  /** An error with an id means that the object was partially created; any other error leaves the state unchanged. */
  async #orUnfinished(inputs: Bag, work: () => Promise<{ id: string; outs: Bag }>): Promise<void> {
    try {
      const { id, outs } = await work();
      this.#state = { id, inputs, outs: this.#handled(outs), initErrors: [] };
    } catch (error) {
      const { id, properties = {}, reasons = [] } = error as { id?: string; properties?: Bag; reasons?: string[] };
      if (id) this.#state = { id, inputs, outs: this.#handled(struct(properties)), initErrors: [...reasons] };
      throw error;
    }
  }

  /** Adds the serialized provider, which Pulumi stores with each dynamic resource. */
  #handled(bag: Bag): Bag {
    return { ...bag, __provider: this.#handler };
  }

  #some(): State {
    if (!this.#state) throw new Error(`${this.name} is not there`);
    return this.#state;
  }
}
