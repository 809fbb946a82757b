import { readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import type { dynamic } from "@pulumi/pulumi";

/**
 * For each resource type, the inputs and outputs to return and the milliseconds to wait for each operation. Read from
 * the file that the environment variable BENCH_FLOOR names.
 */
export type Floor = Record<
  string,
  {
    inputs: Record<string, unknown>;
    outputs: Record<string, unknown>;
    create: number;
    update: number;
    delete: number;
    read: number;
  }
>;

const floor: Floor = JSON.parse(readFileSync(process.env.BENCH_FLOOR ?? "", "utf8"));
let created = 0;

/**
 * A provider that compares the program's inputs with those in state, returns them, and waits for the given time instead
 * of sending requests. No provider whose requests take this time can be faster.
 */
const providerOf = (kind: string): dynamic.ResourceProvider => {
  const { outputs, ...waits } = floor[kind] ?? { outputs: {}, create: 0, update: 0, delete: 0, read: 0 };
  // Only the first read waits as long as a request takes, because the response to one list request can serve all
  // further reads.
  let collection: Promise<unknown> | undefined;
  return {
    async check(_olds, news) {
      return { inputs: news };
    },
    async diff(_id, olds, news) {
      return { changes: Object.keys(news).some((key) => JSON.stringify(olds[key]) !== JSON.stringify(news[key])) };
    },
    async create(inputs) {
      await delay(waits.create);
      return { id: String(++created), outs: { ...outputs, ...inputs } };
    },
    async update(_id, olds, news) {
      await delay(waits.update);
      return { outs: { ...olds, ...news } };
    },
    async read(id, props) {
      collection ??= delay(waits.read);
      await collection;
      return { id, props };
    },
    async delete() {
      await delay(waits.delete);
    },
  };
};

/** For each resource type, such as `Volume`, a provider that sends no requests. */
export const providers = Object.fromEntries(Object.keys(floor).map((kind) => [kind, providerOf(kind)]));
