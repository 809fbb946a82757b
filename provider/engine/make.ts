import { camel } from "../../api";
import { isId } from "../client/envelope";
import { ApiError, isInDoubt, LostAnswerError } from "../client/errors";
import { pick } from "./bag";
import { canonicalInput } from "./canonical";
import { list, placeOf, recordOf } from "./collection";
import { creationsOf } from "./creations";
import { remove } from "./delete";
import { UnseenError, UnsureError, UselessError } from "./errors";
import type { Host } from "./host";
import { idOf } from "./id";
import { observed } from "./observe";
import type { Bag, Kind } from "./resource";
import { same } from "./same";
import { look } from "./settle";

const TRIES = 3;

/**
 * Creates the object and answers where it is. When the answer is lost, the object is looked up by its key: found, it
 * is ours and is adopted, or deleted where the answer told its secret; not found, the creation is repeated; several found,
 * somebody has to look.
 */
export async function make(kind: Kind, host: Host, want: Bag, learn: (known: Bag) => void = () => {}): Promise<Bag> {
  for (let tries = 1; ; tries++) {
    const attempt = await begin(kind, host, want);
    const creations = creationsOf(kind, host);
    try {
      return await creations.own(begun(kind, want, kind.create({ host, api: host.api, want, learn })));
    } catch (error) {
      if (!isInDoubt(error)) throw await explained(kind, host, want, error);
      // A create that took all the time is looked up all the same: what it made must not be lost.
      const later = host.grace();
      const found = await creations
        .search(later, () => attempt.made(later))
        .catch((cause) => {
          throw new UnseenError(kind.kind, error, cause);
        });
      const ids = found.map((path) => idOf(kind, path));
      const [only] = ids;
      if (only !== undefined && ids.length > 1) throw new UnsureError(kind.kind, ids);
      if (only !== undefined && !isSecretive(kind, want)) return found[0] as Bag;
      if (only !== undefined) await discard(kind, later, only);
      if (tries === TRIES || host.now() >= host.deadline) throw error;
    }
  }
}

/** Where the new object is; a response that does not say it is as good as lost. */
async function begun(kind: Kind, want: Bag, creation: Promise<Bag>): Promise<Bag> {
  const path = await creation;
  const own = new Set<unknown>(Object.values(want).filter((value) => value !== undefined));
  for (const [name, schema] of Object.entries(placeOf(kind)))
    if (!own.has(path[name]) && !isId(schema, path[name]))
      throw new LostAnswerError(`${kind.area}.create`, `${name} in it is not a valid id`, undefined);
  return path;
}

const isSecretive = ({ secretive }: Kind, want: Bag): boolean =>
  typeof secretive === "function" ? secretive(want) : secretive === true;

/** Deletes what is of no use; what can't be deleted is named, since nothing else will know of it. */
async function discard(kind: Kind, host: Host, id: string): Promise<void> {
  await remove(kind, host, id, {}).catch((cause) => {
    throw new UselessError(kind.kind, id, cause);
  });
}

/** Remembers what tells objects made from now on from older ones: their time, or where none is shown, their ids. */
async function begin(kind: Kind, host: Host, want: Bag): Promise<{ made(host: Host): Promise<Bag[]> }> {
  if (kind.key === "repeatable") return { made: async () => [] };
  const dated = !kind.find && "created" in recordOf(kind);
  const since = host.now();
  const before = new Set(dated ? [] : (await candidates(kind, host, want)).map(({ path }) => idOf(kind, path)));
  const isNew = ({ path, record }: Candidate): boolean => {
    if (!dated) return !before.has(idOf(kind, path));
    const from = Math.floor((since + host.serverOffset()) / 1000) * 1000;
    // A time that cannot be read says nothing: the key alone decides then.
    return !(Date.parse(`${record?.created}Z`) < from);
  };
  return {
    async made(host) {
      const recent = (await candidates(kind, host, want)).filter(isNew);
      const fits = await Promise.all(recent.map((candidate) => hasKey(kind, host, want, candidate)));
      return recent.filter((_, i) => fits[i]).map(({ path }) => path);
    },
  };
}

interface Candidate {
  path: Bag;
  /** What the list shows of it. */
  record?: Bag;
}

/** What lies where the wanted object would lie. */
async function candidates(kind: Kind, host: Host, want: Bag): Promise<Candidate[]> {
  if (kind.find) return (await kind.find({ host, api: host.api, want })).map((path) => ({ path }));
  const parents = Object.fromEntries(Object.entries(kind.parent ?? {}).map(([input, name]) => [name, want[input]]));
  const last = Object.keys(placeOf(kind)).at(-1) as string;
  const found: Candidate[] = [];
  for await (const record of list(kind, host, parents, pick(want, keyOf(kind)))) {
    found.push({ path: { ...parents, [last]: record[last] ?? record.id }, record });
  }
  return found;
}

/** Whether the key can't tell the object from the wanted one. */
async function hasKey(kind: Kind, host: Host, want: Bag, { path, record }: Candidate): Promise<boolean> {
  const target = { kind, host, path, want, was: {}, purpose: "create" as const };
  const seen = record && !kind.read ? record : await look(target, "now");
  if (!seen) return false;
  const now = observed(kind, path, seen, want);
  const around = { ...seen, ...want };
  const stated = keyOf(kind).filter((key) => want[key] !== undefined);
  return stated.every((key) =>
    same(canonicalInput(kind, key, now[key], around), canonicalInput(kind, key, want[key], around)),
  );
}

const keyOf = ({ key }: Kind): readonly string[] => (key === "repeatable" ? [] : key);

/** A label that is taken is reported with its holder: nothing else can say which of the objects is meant. */
export async function explained(kind: Kind, host: Host, want: Bag, error: unknown, own?: string): Promise<unknown> {
  const input = kind.autoname;
  if (!input || !(error instanceof ApiError) || !error.reasons.some(({ field }) => field === input)) return error;
  const label = want[input];
  const others = await candidates(kind, host, want).catch(() => []);
  const holder = others.find(({ path, record }) => record?.[input] === label && idOf(kind, path) !== own);
  if (!holder) return error;
  const name = camel(input);
  const id = idOf(kind, holder.path);
  const hint =
    `${kind.kind} ${id} has this ${name}. Choose another ${name}, or omit it to get one that is free. ` +
    "If that object is this resource under an earlier name in the program, add the resource option aliases; " +
    `to manage one that no stack has, run "npx cloudinfra adopt ${kind.kind} NAME ${id}"`;
  return new ApiError(error.operation, error.status, error.reasons, hint);
}
