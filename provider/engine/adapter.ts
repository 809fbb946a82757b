import type { ResourceDefinition } from "./definition";
import type { Kind } from "./resource";

// biome-ignore lint/suspicious/noExplicitAny: differently typed definitions become one type here
type Any = any;
type Definition = ResourceDefinition<Any, Any, Any, string, Any, Any, Any>;

/** The present form of a definition in the new language, for as long as the engine reads the present one. */
export function adapted(given: unknown): Kind {
  const {
    name,
    summary,
    source,
    since,
    inputs,
    outputs,
    identity,
    checks = {},
    readiness = {},
    timeouts,
    ...rest
  } = given as Definition;
  const { area, parents, autoname, displayName, lookup, extend, lostCreate } = identity;
  const remove = rest.delete ?? {};
  const fields = Object.entries(rest.fields as Record<string, Any>).map(
    ([key, field]) => [key, typeof field === "string" ? { change: field } : field] as const,
  );
  const each = (part: (field: Any, key: string) => unknown): Any =>
    Object.fromEntries(
      fields.flatMap(([key, field]) => {
        const value = part(field, key);
        return value === undefined ? [] : [[key, value]];
      }),
    );
  const reading = (context: Any): Any => ({ ...context, state: context.was });
  const until = (seen: Any): Any => (typeof remove.until === "function" ? remove.until(seen) : remove.until);
  const search = lostCreate === "repeat" ? undefined : lostCreate;
  const { found } = search ?? {};
  const outlives =
    remove.run === "none" || remove.until === "returned"
      ? true
      : typeof remove.until === "function"
        ? (seen: Any) => until(seen) === "returned"
        : undefined;
  const changes = each(({ change, note }) => (change === "writeOnly" ? { kept: note } : change));
  const defaulted = fields.filter(([, field]) => field.default);
  const kind: Record<string, unknown> = {
    kind: name,
    summary,
    source,
    since,
    area,
    place: lookup?.path,
    inputs,
    outputs,
    parent: parents,
    changes,
    exceptions: each(({ change, by, note }) =>
      change !== "writeOnly" && (by || note)
        ? [...(by ? [by.map((operation: string) => `\`${operation}\``).join(", ")] : []), ...(note ? [note] : [])].join(
            "; ",
          )
        : undefined,
    ),
    replaces: each(
      ({ replaceUnless }) =>
        replaceUnless && {
          when: (want: Any) => !Object.entries(replaceUnless).every(([key, value]) => want[key] === value),
          unless: Object.entries(replaceUnless)
            .map(
              ([key, value]) => `\`${key.replace(/_(\w)/g, (_, c) => c.toUpperCase())}\` is ${JSON.stringify(value)}`,
            )
            .join(" and "),
        },
    ),
    steps: Object.fromEntries(
      Object.entries((rest.steps ?? {}) as Record<string, Any>).map(
        ([step, { run, afterCreate, when, awaitInputs, preview }]) => [
          step,
          clean({
            run: (context: Any) =>
              run({ ...context, state: context.was, setState: context.learn, waitUntilReady: context.settle }),
            beyondCreation: afterCreate,
            settles: awaitInputs,
            due: when,
            announce: preview && ((want: Any, was: Any, _: unknown, host: Any) => preview({ want, state: was, host })),
          }),
        ],
      ),
    ),
    observe: each(({ current }) => current),
    compare: each(({ canonical }) => canonical),
    rounds: each(({ round }) => round),
    defaults: defaulted.length
      ? (settings: Any, declared: Any) => each((field) => field.default?.(settings, declared))
      : undefined,
    complete: checks.resolve,
    starts: checks.onCreate,
    called: displayName,
    rules: checks.rules,
    guards: checks.onChange,
    autoname,
    key: search?.match ?? "repeatable",
    find: search?.candidates,
    outlives,
    deleteFirst: remove.replaceOrder && remove.replaceOrder === "deleteFirst",
    secretive:
      typeof found === "function" ? (want: Any) => found(want) === "recreate" : found === "recreate" || undefined,
    states: readiness.byStatus,
    pending: readiness.pending,
    timeouts,
    create: (context: Any) => rest.create({ ...context, setState: context.learn }),
    look: lookup && ((context: Any) => lookup.get(reading(context))),
    read: extend && ((context: Any, record: Any) => extend(reading(context), record)),
    keeps: remove.blockedBy,
    delete: remove.run === "none" ? undefined : remove.run,
    remains: remove.remains,
  };
  return clean(kind) as unknown as Kind;
}

const clean = (values: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
