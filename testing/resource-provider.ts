import { type AdoptedResource, DynamicProvider } from "../provider/dynamic/provider";
import type { Host } from "../provider/engine/host";
import type { Bag } from "../provider/engine/values";
import { handlerOf } from "../provider/pulumi/handle";
import { type KindName, kinds } from "../provider/resources";
import { keysThatDiffer, struct, withoutUndefined } from "./properties";

export interface Failure {
  property: string;
  reason: string;
}

/** A resource in the Pulumi state: the fields that Pulumi passes to a provider. */
export interface Known {
  id: string;
  inputs: Bag;
  outs: Bag;
}

/**
 * The differences that Pulumi finds: from the provider's `diff` or, if this does not return any, by comparing the
 * inputs.
 */
export interface Differences {
  differs: boolean;
  /** The inputs that a preview shows as changed. */
  diffs: string[];
  replaces: string[];
  deleteBeforeReplace: boolean;
}

/**
 * The provider calls of Pulumi's engine (check, diff, create, …) for one resource, either of a dynamic resource or of
 * the native plugin. If a create or update fails but the object exists, the error has `id`, `properties` and `reasons`.
 */
export interface ResourceProvider {
  check(name: string, olds: Bag, inputs: object): Promise<{ inputs: Bag; failures: readonly Failure[] }>;
  diff(known: Known, news: Bag): Promise<Differences>;
  create(inputs: Bag): Promise<{ id: string; outs: Bag }>;
  update(known: Known, inputs: Bag): Promise<Bag>;
  /** Reads the object. Undefined if it does not exist. */
  read(known: Known): Promise<Known | undefined>;
  delete(known: Known): Promise<void>;
  adopt(name: string, id: string): Promise<(Known & { adopted: AdoptedResource }) | undefined>;
}

export type ProviderOf = (kind: KindName, host: () => Host, name: string) => ResourceProvider;

/** Calls the provider for dynamic resources with the values that Pulumi passes to it. */
export function dynamicProvider(kind: KindName, host: () => Host): ResourceProvider {
  const provider = new DynamicProvider(kinds[kind], host, async () => {});
  /** Adds the reference to the provider, which Pulumi stores with each resource and passes to the provider. */
  const handled = (bag: Bag): Bag => ({ ...bag, __provider: handlerOf(kind) });
  return {
    async check(name, olds, inputs) {
      const news = handled({ ...withoutUndefined(inputs), __resourceName: name });
      const { inputs: checked = news, failures = [] } = struct(await provider.check(struct(olds), struct(news)));
      return { inputs: handled(checked), failures };
    },
    /** If the provider does not return whether something changes, Pulumi's engine compares the inputs. */
    async diff({ id, inputs, outs }, news) {
      const response = struct(await provider.diff(id, struct(outs), struct(news)));
      const differing = response.changes === undefined ? keysThatDiffer(inputs, news) : [];
      const { changes: differs = differing.length > 0, replaces = [], deleteBeforeReplace = false } = response;
      return { differs, diffs: differing.filter((key) => !key.startsWith("__")), replaces, deleteBeforeReplace };
    },
    async create(inputs) {
      const { id, outs = {} } = struct(await orUnfinished(provider.create(struct(inputs))));
      return { id, outs: handled(outs) };
    },
    async update({ id, outs }, inputs) {
      const response = struct(await orUnfinished(provider.update(id, struct(outs), struct(inputs))));
      return handled(response.outs ?? {});
    },
    async read({ id, inputs, outs }) {
      const response = struct(await provider.read(id, struct(outs)));
      if (!response.id) return undefined;
      return {
        id: response.id,
        inputs: response.inputs ? handled(response.inputs) : inputs,
        outs: handled(response.props ?? {}),
      };
    },
    delete: ({ id, outs }) => provider.delete(id, struct(outs)),
    async adopt(name, id) {
      const adopted = await provider.adopt(name, id);
      if (!adopted) return undefined;
      const { inputs, outputs } = adopted;
      return { id: adopted.id, inputs: handled(struct(inputs)), outs: handled(struct(outputs)), adopted };
    },
  };

  function orUnfinished<T>(work: Promise<T>): Promise<T> {
    return work.catch((error) => {
      if (error.id) error.properties = handled(struct(error.properties ?? {}));
      throw error;
    });
  }
}
