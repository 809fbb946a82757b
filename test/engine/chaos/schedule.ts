import fc from "fast-check";
import type { FaultSpec } from "../../../emulator/core/faults";
import type { ProviderType } from "../../../stack/migration";
import type { Edit } from "./edits";
import { forms, type Kind, kinds, type Resource } from "./program";

export const victims = ["engine", "provider", "both", "emulator"] as const;

/** A process to kill with SIGKILL, and the time of the kill. */
export interface Kill {
  victim: (typeof victims)[number];
  /** Number of the update's write requests before the kill. */
  after: number;
  /** Milliseconds between the last of these requests and the kill. */
  delay: number;
}

/** Faults and kills that happen during an update. */
export interface Failures {
  faults: FaultSpec[];
  kills: Kill[];
}

/** Edits of the program, and the faults and kills during the update that applies them. */
export interface Update extends Failures {
  edits: Edit[];
}

export interface Schedule {
  provider: ProviderType;
  /** Number of resources in the first version of the program. Edits add the other resources. */
  first: number;
  resources: Resource[];
  updates: Update[];
  /** Failures during the first attempt to destroy the stack. */
  destroy: Failures;
}

const moment = { after: fc.integer({ min: 1, max: 8 }), delay: fc.integer({ min: 0, max: 60 }) };
const kill = fc.record<Kill>({ victim: fc.constantFrom(...victims), ...moment });

const change = fc.constantFrom("POST" as const, "PUT" as const, "DELETE" as const);
const creates = fc.constant("POST" as const);
const nth = fc.integer({ min: 1, max: 8 });
const times = fc.integer({ min: 1, max: 2 });

const fault: fc.Arbitrary<FaultSpec> = fc.oneof(
  fc.record({ kind: fc.constantFrom("cut-after" as const, "cut-mid" as const), method: creates, nth, times }),
  fc.record({ kind: fc.constantFrom("cut-before" as const, "cut-after" as const), method: change, nth }),
  fc.record({
    kind: fc.constant("status" as const),
    status: fc.constantFrom(500, 502, 503),
    method: change,
    nth,
    times,
  }),
  fc.record({
    kind: fc.constant("status" as const),
    status: fc.constant(500),
    method: fc.constant("GET" as const),
    nth,
    times,
  }),
  fc.record({ kind: fc.constant("status" as const), status: fc.constant(429), retryAfter: fc.constant(1), nth }),
  fc.record({
    kind: fc.constant("busy" as const),
    path: fc.constantFrom("instances.*", "volumes.*"),
    method: change,
    nth,
  }),
);

const failures = {
  faults: fc.array(fault, { maxLength: 4 }),
  kills: fc.array(kill, { minLength: 1, maxLength: 2 }).map((kills) => kills.sort((a, b) => a.after - b.after)),
};

const update = fc.record<Update>({
  edits: fc.array(
    fc.record<Edit>({ does: fc.constantFrom("change", "change", "replace", "remove", "add", "add"), at: fc.nat() }),
    { maxLength: 6 },
  ),
  ...failures,
});

const resources = fc
  .array(
    fc.record({
      kind: fc.constantFrom(
        ...kinds.filter((kind) => kind !== "LkeCluster"),
        "Volume" as const,
        "DomainRecord" as const,
      ),
      isLabelled: fc.boolean(),
      parent: fc.nat(),
    }),
    { minLength: 8, maxLength: 25 },
  )
  .map(linked);

/**
 * Chooses the resources to which each random resource refers. If the program contains no suitable resource, for example
 * no domain for a record, a domain is added instead of the record.
 */
function linked(drawn: { kind: Kind; isLabelled: boolean; parent: number }[]): Resource[] {
  const created: Resource[] = [];
  for (const { kind, isLabelled, parent } of drawn) {
    const wanted = forms[kind].parents ?? [];
    const found = wanted.map((kind) => {
      const all = created.filter((one) => one.kind === kind && !isTaken(created, one));
      return { kind, name: all[parent % all.length]?.name };
    });
    const missing = found.find(({ name }) => name === undefined)?.kind;
    created.push({
      kind: missing ?? kind,
      name: `${(missing ?? kind).toLowerCase()}${created.length}`,
      isLabelled,
      parents: missing ? [] : found.map(({ name }) => name as string),
      revision: 0,
      generation: 0,
    });
  }
  return created;
}

/**
 * Whether another resource must not refer to this one. This is the case for an instance with a firewall, because an
 * instance can have only one.
 */
const isTaken = (created: Resource[], { kind, name }: Resource): boolean =>
  kind === "Instance" && created.some(({ parents }) => parents.includes(name));

const schedule = (provider: ProviderType): fc.Arbitrary<Schedule> =>
  fc.record({
    provider: fc.constant(provider),
    resources,
    first: fc.integer({ min: 6, max: 25 }),
    updates: fc.array(update, { minLength: 1, maxLength: 3 }),
    destroy: fc.record(failures),
  });

/**
 * The random series of updates, edits, faults and kills for a seed. Even seeds test the native plugin, odd seeds
 * dynamic resources.
 */
export const scheduleOf = (seed: number): Schedule => drawn(schedule(seed % 2 ? "dynamic" : "native"), seed);

/** A series of random kills: an update of 100 resources, managed by the native plugin, is killed five times. */
export function killsOf(seed: number): Schedule {
  const program: Kind[] = [
    ...Array<Kind>(40).fill("Volume"),
    ...Array.from({ length: 10 }, (): Kind[] => ["Domain", "DomainRecord", "DomainRecord", "DomainRecord"]).flat(),
    ...Array<Kind>(10).fill("Instance"),
    ...Array<Kind>(10).fill("Firewall"),
  ];
  const one = fc.record<Kill>({ ...moment, victim: fc.constantFrom("engine", "provider", "both") });
  const kills = drawn(fc.array(one, { minLength: 5, maxLength: 5 }), seed);
  return {
    provider: "native",
    first: program.length,
    resources: linked(program.map((kind, i) => ({ kind, isLabelled: false, parent: i }))),
    updates: kills.map((kill) => ({ edits: [], faults: [], kills: [kill] })),
    destroy: { faults: [], kills: [] },
  };
}

/** Draws a random value. The seed is scrambled, because consecutive seeds would draw similar values. */
function drawn<T>(from: fc.Arbitrary<T>, seed: number): T {
  const [value] = fc.sample(from, { seed: Math.imul(seed + 1, 0x9e3779b1), numRuns: 1 });
  return value as T;
}
