import type { dynamic } from "@pulumi/pulumi";
import { fieldsOf } from "../api/meta";
import { place } from "../api/problems";
import { ApiError } from "./client/errors";
import { printable } from "./client/printable";
import { hostFor, type Talk } from "./connection";
import {
  type Adopted,
  adopt,
  check,
  create,
  destroy,
  diff,
  goneName,
  type Host,
  InitFailed,
  nameIn,
  read,
  statedPaths,
  update,
} from "./engine";
import type { Failure } from "./engine/failure";
import { notesOf } from "./engine/notes";
import { isSecret } from "./engine/walk";
import { camel, fromWire, toWire, wireNamesIn } from "./names";
import type { Bag, Kind } from "./resource";
import type { RawConfig } from "./settings";
import { stateSchema } from "./state";

/** The resource's own time limits. */
const TIMEOUTS = "__timeouts";
/** The line that leads the launcher to this code. */
const PROVIDER = "__provider";
/** The resource's own name, which the SDK hands to check; it never gets into state. */
const NAME = "__resourceName";
/** Whether the label is ours: a replacement may then live beside the old object. */
const AUTONAMED = "__autonamed";
/** Where the program states something: a refresh gets to see only outputs. */
const STATED = "__stated";

/** What {@link Adopted} is, under the names that programs use. */
export interface AdoptedResource extends Omit<Adopted, "outs"> {
  outputs: Bag;
}

/** The head for Pulumi's dynamic resources: it translates names and shapes, and decides nothing. */
export class DynamicProvider implements dynamic.ResourceProvider {
  readonly #kind: Kind;
  readonly #connect: typeof hostFor;
  #config: RawConfig = {};

  /** `connect` finds the service that the settings name; tests bring one of their own. */
  constructor(kind: Kind, connect = hostFor) {
    this.#kind = kind;
    this.#connect = connect;
  }

  /** Only remembers: the engine does not wait for an asynchronous configure before it calls the other methods. */
  async configure({ config }: dynamic.ConfigureRequest): Promise<void> {
    this.#config = rawOf(config);
  }

  check(olds: Bag, news: Bag): Promise<dynamic.CheckResult> {
    return this.#quietly(news, async (host) => {
      const { [NAME]: name, ...given } = news;
      const found = await check(this.#kind, host, String(name ?? ""), this.#toWire(olds), this.#toWire(given));
      for (const warning of found.warnings) host.warn(`${name ?? this.#kind.kind}: ${warning}`);
      const inputs = this.#fromWire(found.inputs);
      const failures = [...wireNamesIn(this.#kind.inputs, given).map(misnamed), ...found.failures];
      return {
        inputs: plain({ ...inputs, ...oursIn({ ...news, [AUTONAMED]: found.autonamed }) }),
        failures: failures.map((failure) => this.#unseen(failure)),
      };
    });
  }

  diff(id: string, olds: Bag, news: Bag): Promise<dynamic.DiffResult> {
    return this.#quietly(news, async (host) => {
      const [was, want] = [this.#toWire(olds), this.#toWire(news)];
      const found = diff(this.#kind, was, want, { autonamed: news[AUTONAMED] === true });
      // What is gone can't be changed; only a replacement is a creation that the preview shows.
      const gone = found.steps.length && !found.replaces.length && (await goneName(this.#kind, host, id, was));
      if (gone) {
        host.warn(`${gone} is gone: it was deleted outside this program; it will be created again`);
        const replaces = found.changed.map((key) => this.#nameOf(key));
        return { changes: true, replaces, deleteBeforeReplace: true };
      }
      const name = this.#kind.autoname ? (news[this.#kind.autoname] ?? id) : `${this.#kind.kind} ${id}`;
      for (const note of await notesOf(this.#kind, host, found, was, want)) host.warn(`${name}: ${note}`);
      return {
        changes: found.steps.length + found.replaces.length > 0,
        replaces: found.replaces.map((key) => this.#nameOf(key)),
        deleteBeforeReplace: found.deleteBeforeReplace,
      };
    });
  }

  create(news: Bag): Promise<dynamic.CreateResult> {
    return this.#quietly(news, async (host) => {
      try {
        const { id, outs } = await create(this.#kind, host, this.#toWire(news));
        return { id, outs: this.#outs(outs, news) };
      } catch (error) {
        if (!(error instanceof InitFailed)) throw error;
        throw this.#unfinished(error, news);
      }
    });
  }

  read(id: string, props: Bag): Promise<dynamic.ReadResult> {
    return this.#quietly(props, async (host) => {
      const was = this.#toWire(props);
      const stated = typeof props[STATED] === "string" ? props[STATED].split(",").filter(Boolean) : undefined;
      const found = await read(this.#kind, host, id, was, stated).catch(refusedOldToken);
      if (!found) {
        if (stated) host.warn(`${nameIn(this.#kind, id, was)} is gone: the next update creates it again`);
        return { id: "", props: {} };
      }
      const inputs = { ...this.#fromWire(found.inputs), ...oursIn(props) };
      return { id, props: this.#outs(found.outs, inputs, stated), inputs: plain(inputs) };
    });
  }

  update(id: string, olds: Bag, news: Bag): Promise<dynamic.UpdateResult> {
    return this.#quietly(news, async (host) => {
      try {
        const outs = await update(this.#kind, host, id, this.#toWire(olds), this.#toWire(news));
        return { outs: this.#outs(outs, news) };
      } catch (error) {
        if (!(error instanceof InitFailed)) throw error;
        throw this.#unfinished(error, news);
      }
    });
  }

  delete(id: string, props: Bag): Promise<void> {
    return this.#quietly(props, (host) => destroy(this.#kind, host, id, this.#toWire(props)).catch(refusedOldToken));
  }

  /** An existing object, which no state has yet, as this head would keep it; undefined when it does not exist. */
  adopt(name: string, id: string): Promise<AdoptedResource | undefined> {
    return this.#quietly({}, async (host) => {
      const found = await adopt(this.#kind, host, name, id);
      if (!found) return undefined;
      const inputs = this.#fromWire(found.inputs);
      const names = (keys: readonly string[]) => keys.map((key) => this.#nameOf(key));
      return {
        id: found.id,
        inputs: plain(inputs),
        outputs: this.#outs(found.outs, inputs),
        program: plain(this.#fromWire(found.program)),
        withheld: names(found.withheld),
        hidden: names(found.hidden),
        differing: names(found.differing),
      };
    });
  }

  /**
   * What the launcher takes for an object that is there but not finished. It adds the line that leads here to outputs,
   * not to these: without it the object could be neither read nor deleted.
   */
  #unfinished(failed: InitFailed, news: Bag): Error {
    const { id, outs } = failed;
    const properties = { ...this.#outs(outs, news), [PROVIDER]: news[PROVIDER] };
    const message = printable(failed.message);
    return Object.assign(new Error(message), { id, properties, reasons: [message] });
  }

  /**
   * Pulumi shows the value of the property that a failure names, secret or not. Where that must not be seen, the sentence
   * alone names it: a property that nobody knows can be a secret one, ill-spelt.
   */
  #unseen({ property, ...failure }: Failure): Failure {
    const reason = printable(failure.reason);
    const [name = ""] = Object.keys(this.#toWire({ [property]: null }));
    const field = fieldsOf(this.#kind.inputs)[name];
    if (field && !isSecret(field)) return { property, reason };
    return { property: "", reason: reason.startsWith(property) ? reason : `${property} ${reason}` };
  }

  #toWire(bag: Bag): Bag {
    return toWire(stateSchema(this.#kind), withoutOurs(bag)) as Bag;
  }

  #fromWire(bag: Bag): Bag {
    return fromWire(stateSchema(this.#kind), bag) as Bag;
  }

  #nameOf(key: string): string {
    return Object.keys(this.#fromWire({ [key]: null }))[0] ?? key;
  }

  #outs(outs: Bag, news: Bag, stated = statedPaths(this.#kind.inputs, this.#toWire(news))): Bag {
    return plain({ ...this.#fromWire(outs), [STATED]: stated.join(","), ...oursIn(news) });
  }

  /** The launcher of dynamic providers prints an error's stack beside its message, which tells a user nothing. */
  async #quietly<T>(props: Bag, work: (host: Host) => Promise<T>): Promise<T> {
    try {
      return await work(within(this.#connect(this.#config, terminal), props[TIMEOUTS]));
    } catch (error) {
      if (error instanceof Error) error.message = printable(error.message);
      if (error instanceof Error && !process.env.CLOUDINFRA_DEBUG) error.stack = "";
      throw error;
    }
  }
}

/** What the engine does without the program it does with the configuration of the last update, an old token included. */
function refusedOldToken(error: unknown): never {
  if (error instanceof ApiError && error.status === 401) {
    error.message +=
      "; refresh and destroy take the token of the last update: if it was changed since, add --run-program";
  }
  throw error;
}

/** The launcher passes on what a provider prints, line by line, while it works. */
const terminal: Talk = {
  warn: (message) => console.warn(`warning: ${message}`),
  progress: (message) => console.log(message),
};

const misnamed = (path: readonly (string | number)[]) => ({
  property: String(path[0]),
  reason: `${path.length > 1 ? `${place(path)} ` : ""}is not a known field; did you mean "${camel(String(path.at(-1)))}"?`,
});

/** What the head keeps with a resource for itself. */
const oursIn = (props: Bag): Bag =>
  Object.fromEntries([AUTONAMED, TIMEOUTS].flatMap((key) => (props[key] ? [[key, props[key]]] : [])));

/** The host with the resource's own time limits before those of the stack. */
const within = (host: Host, limits: unknown): Host =>
  limits ? { ...host, limits: limits as NonNullable<Host["limits"]> } : host;

/** All that the stack configures: a look-up by key, which is all that Pulumi's type promises, would not show what is ill-spelt. */
const rawOf = (config: dynamic.Config): RawConfig => (config as { rawConfig?: RawConfig }).rawConfig ?? {};

const withoutOurs = (bag: Bag): Bag => Object.fromEntries(Object.entries(bag).filter(([key]) => !key.startsWith("__")));

/** An `undefined` anywhere in an answer loses the resource or hangs the engine. */
const plain = (bag: Bag): Bag => JSON.parse(JSON.stringify(bag)) as Bag;
