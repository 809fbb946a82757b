import { camel, isObject, kebab, toWire } from "../../api";
import type { Logged, World } from "../../emulator";
import { fieldOf, type Kind } from "../../provider/engine/definition";
import { isReplacedBy } from "../../provider/engine/diff";
import type { Host } from "../../provider/engine/host";
import { isAction, pathOf } from "../../provider/engine/identity";
import { observe } from "../../provider/engine/observe";
import { deleteAt } from "../../provider/engine/records";
import type { Bag } from "../../provider/engine/values";
import { type KindName, kinds } from "../../provider/resources";
import { cloud } from "../../testing/cloud";
import { nativeProvider } from "../../testing/native-provider";
import { Managed, type Plan } from "../../testing/provider";
import { dynamicProvider, type ResourceProvider } from "../../testing/resource-provider";
import { lastOf } from "./expectations";
import type { Edit, Effect, Fixture } from "./fixture";
import { kindTests } from "./kinds";

type Operations = Extract<Effect, readonly unknown[]>;

export const names = Object.keys(kinds) as KindName[];
export const definition = (name: KindName): Kind => kinds[name];

/** Names of the resource classes: first those that run an action once, such as a reboot, then those of objects. */
export const [actions = [], objects = []] = [true, false].map((wanted) =>
  names.filter((name) => isAction(definition(name)) === wanted),
);

/** The file with the test data of a resource class, for example `test/lifecycle/kinds/volume.ts`. */
export const fileOf = (name: KindName): string => `test/lifecycle/kinds/${kebab(name)}.ts`;

/** The names of a resource class's inputs in camelCase, as in programs. */
export const inputsOf = (name: KindName): string[] => Object.keys(definition(name).fields).map(camel);

/** Whether the tests manage resources with the native plugin (`PROVIDER=native`) or as dynamic resources. */
const provider = process.env.PROVIDER === "native" ? nativeProvider : dynamicProvider;

/**
 * Starts a test account with the objects that the resource requires, and returns it with the test data. `observed` can
 * wrap the calls of the provider, for example to measure them.
 */
export async function scenario(
  name: KindName,
  options: Parameters<typeof cloud>[0] = {},
  observed = (provider: ResourceProvider): ResourceProvider => provider,
) {
  const account = await cloud(options);
  const kind = definition(name);
  const fixture = (await kindTests[name].fixture(account)) as unknown as AnyFixture;
  const managed = new Managed(name, account.host, "thing", (...value) => observed(provider(...value))) as AnyManaged;
  account.emulator.settle();
  // Cancels the daily backups of the instances in the test data, which would otherwise start during some of the tests.
  for (const { backup_timer } of account.world.instances.all())
    if (backup_timer != null) account.world.schedule.cancel(backup_timer);
  account.emulator.requests.clear();
  const before = inventory(account.world, fixture.remains);
  /** Waits until all jobs have ended, then returns the objects that exist in addition to the test data. */
  const created = (): Inventory => {
    account.emulator.settle();
    return less(inventory(account.world, fixture.remains), before);
  };
  /** Simulates a new Pulumi command a minute later: a new provider with empty caches, and empty logs. */
  const anew = (): void => {
    managed.reconnect(account.reconnect());
    account.emulator.advance(60_000);
    account.emulator.requests.clear();
    account.warnings.length = 0;
  };
  const outside = { ...account.host, api: account.api };
  /** Deletes the object outside Pulumi, and waits until all jobs of the service have ended. */
  const removeNow = async (id = managed.id): Promise<void> => {
    if (fixture.remove) await fixture.remove(id);
    else await deleteAt(kind, outside, pathOf(kind, id));
    account.emulator.settle();
  };
  return {
    ...account,
    kind,
    fixture,
    managed,
    created,
    view: (id = managed.id) => viewIn(outside, kind, pathOf(kind, id)),
    async exists(id: string) {
      const target = { kind, host: outside, path: pathOf(kind, id), want: {}, state: {}, purpose: "update" as const };
      return (await observe(target, "now")) !== undefined;
    },
    removeNow,
    /** Deletes the object outside Pulumi, then simulates the start of a new Pulumi command. */
    async remove(id = managed.id) {
      await removeNow(id);
      anew();
    },
    /** The ids of the objects that the test has created. Empty if the emulator has no table for the class. */
    objects: (): string[] => {
      account.emulator.settle();
      return (less(inventory(account.world), before)[fixture.table ?? String(kind.identity.area)] ?? []).map(String);
    },
    /**
     * The id in the Pulumi state, converted to a key of the emulator's table, to compare it with `objects()`. Empty if
     * there is no state.
     */
    declared: (): string[] => (managed.state ? [(fixture.row ?? lastOf)(managed.state.id)].map(String) : []),
    hasRows: fixture.table !== null,
    creation: fixture.creation ?? `${String(kind.identity.area)}.create`,
    /**
     * The successful write requests since the last `anew()`, each with the fields of its body, for example
     * `volumes.update label`.
     */
    calls: (): string[] => account.emulator.requests.list().filter(changesSomething).map(written),
    anew,
  };
}

export type Scenario = Awaited<ReturnType<typeof scenario>>;

/** {@link Managed} without the type of the inputs, for tests of all resource classes. */
export interface AnyManaged extends Omit<Managed<KindName>, "up" | "preview"> {
  up(inputs: Bag): Promise<Plan>;
  preview(inputs: Bag): Promise<Plan>;
}

export interface AnyEdit extends Omit<Edit<KindName, never>, "to" | "given" | "along"> {
  to: unknown;
  before?: Bag;
  along?: Bag;
}

export interface AnyFixture
  extends Pick<
    Fixture<KindName>,
    "adopted" | "changeUnmanaged" | "table" | "row" | "remains" | "creation" | "remove" | "finish" | "mustReturn"
  > {
  base: Bag;
  notRead?: readonly string[];
  changes: Record<string, AnyEdit | readonly AnyEdit[] | string>;
}

export const editsOf = ({ changes }: AnyFixture, input: string): AnyEdit[] => {
  const edits = changes[input] ?? [];
  return typeof edits === "string" ? [] : [edits].flat();
};

export function inputsAround(
  { base }: AnyFixture,
  input: string,
  { before: value, to, along }: AnyEdit,
): Record<"before" | "after", Bag> {
  const before = { ...base, ...value };
  return { before, after: { ...before, [input]: to, ...along } };
}

/** The API's name of an input, in snake_case. */
export const keyOf = ({ kind }: Pick<Scenario, "kind">, input: string): string =>
  Object.keys(kind.fields).find((key) => camel(key) === input) as string;

/** The effect of changing an input, as the resource class defines it, such as `replace`. Can depend on other inputs. */
export const changeIn = (kind: Kind, input: string, inputs: Bag): string => {
  const key = keyOf({ kind }, input);
  return isReplacedBy(kind, key, toWire(kind.inputs, inputs) as Bag) ? "replace" : fieldOf(kind, key).change;
};

/**
 * The expected effect of an edit, from the test data. Edits with `calls` are applied in place, even if the input
 * usually causes a replacement.
 */
export function expected(name: KindName, input: string, { calls }: AnyEdit): Effect {
  const effect = (kindTests[name].effects as Readonly<Record<string, Effect>>)[input] as Effect;
  return effect === "replace" && calls ? operationsIn(calls) : effect;
}

/** Runs each edit of an input in a separate account, so that the edits do not affect each other. */
export async function onEachEdit(
  name: KindName,
  input: string,
  attempt: (it: Scenario, edit: AnyEdit) => Promise<void>,
): Promise<void> {
  for (let nth = 0, count = 1; nth < count; nth++) {
    await using it = await scenario(name);
    const edits = editsOf(it.fixture, input);
    count = edits.length;
    const edit = edits[nth];
    if (edit) await attempt(it, edit);
  }
}

/** The operations in texts such as `volumes.update label`, sorted, without uploads to pre-signed URLs. */
export const operationsIn = (calls: readonly string[]): Operations =>
  [...new Set(calls.flatMap((call) => /^\w+\.\w+/.exec(call) ?? []))].sort() as unknown as Operations;

/**
 * Whether an edit changes the object. Edits of write-only inputs (used only at creation) and local inputs (which only
 * control the provider) do not.
 */
export const isApplied = (effect: Effect): boolean => effect === "replace" || typeof effect === "object";

/** The ids of the users' objects, by table of the emulator. */
export type Inventory = Record<string, (string | number)[]>;

/** Tables that are not counted: logs, address pools, and VLANs, which exist only once an instance has booted. */
const noThings = new Set(["events", "timers", "addressPools", "vlans", "vlanAttachments"]);

export const inventory = (world: World, remains: AnyFixture["remains"] = {}): Inventory =>
  Object.fromEntries(
    [...world.tables]
      .filter(([table]) => !noThings.has(table))
      .map(([table, rows]) => {
        const stored = remains[table];
        const existing = rows.all().filter((row) => !(stored === true || stored?.(row as unknown as Bag)));
        return [table, existing.map(({ id }) => id)];
      }),
  );

export const less = (now: Inventory, before: Inventory): Inventory =>
  Object.fromEntries(
    Object.entries(now)
      .map(([table, ids]) => [table, ids.filter((id) => !before[table]?.includes(id))] as const)
      .filter(([, ids]) => ids.length),
  );

export const counts = (things: Inventory): Record<string, number> =>
  Object.fromEntries(Object.entries(things).map(([table, ids]) => [table, ids.length]));

const changesSomething = ({ method, status }: Logged): boolean => method !== "GET" && status === 200;

const written = ({ operation, method, path, body }: Logged): string =>
  [operation ?? `${method} ${path}`, ...(isObject(body) ? Object.keys(body).sort() : [])].join(" ");

/** Converts the value of an input from the form in programs to the form in API requests, with the API's field names. */
export const onTheWire = (kind: Kind, key: string, value: unknown): unknown =>
  (toWire(kind.inputs, { [camel(key)]: value }) as Bag)[key];

async function viewIn(host: Host, kind: Kind, path: Bag): Promise<Bag> {
  const { api } = host;
  const { lookup } = kind.identity;
  if (lookup) {
    const seen = await lookup.get({ host, api, path, want: {}, state: {}, age: "now" });
    if (!seen) throw Object.assign(new Error("gone"), { status: 404 });
    return seen;
  }
  const { view } =
    (api as Record<string, { view?(input: { path: Bag }): Promise<Bag> }>)[String(kind.identity.area)] ?? {};
  if (!view) throw new Error(`${String(kind.identity.area)} has no view`);
  return view({ path });
}
