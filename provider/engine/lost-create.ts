import { camel } from "../../api";
import { callsWith } from "../client/calls-until";
import { isId } from "../client/envelope";
import { ApiError, isInDoubt, isNotFound, LostResponseError } from "../client/errors";
import { differences } from "./comparison";
import { createRequestsOf, type Match } from "./creates";
import type { Kind } from "./definition";
import { deleteObject } from "./delete";
import { AmbiguousCreateError, UnknownCreateError, UnusableCreateError } from "./errors";
import { digestsOfHidden } from "./hidden-inputs";
import type { Attempt, Host } from "./host";
import { idOf, idParts, ownedIds, parentPath, pathOf } from "./identity";
import { observe, observedInputs } from "./observe";
import { list, recordFields, recordPath } from "./records";
import { type Bag, pick } from "./values";

const MAX_TRIES = 3;

/**
 * Pauses between searches for a lost object, in milliseconds. The service can carry out a request after the connection
 * was lost, so a request is repeated only after the last search.
 */
const SEARCH_PAUSES_MS = [1_000, 2_000, 4_000, 8_000];

/** Milliseconds by which a time of creation can be before the time in an earlier response, whose clock can be another one. */
const CLOCK_TOLERANCE_MS = 2_000;

/** Milliseconds after a failed create in which its request may still be carried out. */
const LATEST_MS = 300_000;

/**
 * Milliseconds in which the request of an interrupted run may be sent and carried out. Long, because the clocks of this
 * machine and of the service may differ or change, but later objects are certainly those of others.
 */
const INTERRUPTED_MS = 86_400_000;

/**
 * Sends the create request and returns the path parameters of the new object. If the response is lost, searches for an
 * object that matches the request. A single match is adopted, or deleted and created again if its secret was in the
 * lost response. Without a match, the request is repeated. Several matches are an error.
 */
export async function createObject(
  kind: Kind,
  host: Host,
  want: Bag,
  setState: (values: Bag) => void = () => {},
): Promise<Bag> {
  const attempt = await attemptOf(kind, host, want);
  host.attempts?.begin({ ...attempt, until: attempt.since + INTERRUPTED_MS });
  const requests = createRequestsOf(kind, host);
  const { match } = attempt;
  let lost: Error | undefined;
  for (let tries = 1; ; tries++) {
    try {
      const creation = createdPath(kind, want, kind.create({ host, api: unlessAbandoned(host), want, setState }));
      const path = await requests.run(match, creation);
      host.attempts?.created(idOf(kind, path));
      return path;
    } catch (error) {
      // If the first request was rejected, nothing was created. If a retry was rejected, an earlier request may have
      // created the object.
      const isRejected = !isInDoubt(error);
      // Searches even after a timeout, because an object that the request has created would otherwise be orphaned.
      const graceHost = host.grace();
      const find = () => search(kind, graceHost, want, attempt);
      const searchOnce = () => requests.search(graceHost, { match, isLostHere: !isRejected, find });
      const pauses = isRejected || kind.identity.lostCreate === "repeat" ? [] : SEARCH_PAUSES_MS;
      const nothing = { found: [], isComplete: true };
      const searched = isRejected && tries === 1 ? nothing : searchRepeatedly(host, searchOnce, pauses);
      const { found, isComplete } = await Promise.resolve(searched)
        .catch((cause) => {
          host.attempts?.lost(host.serverTime().estimated);
          throw new UnknownCreateError(kind.name, error as Error, cause);
        })
        .finally(() => isRejected || requests.endSearch(match));
      // After the end of the Pulumi process, the next one may have created what was found.
      host.abandoned?.throwIfAborted();
      const ids = found.map((path) => idOf(kind, path));
      const [only] = ids;
      if (only !== undefined && ids.length > 1) throw new AmbiguousCreateError(kind.name, ids);
      if (only !== undefined && !isSecretLost(kind, want)) {
        host.attempts?.created(only);
        return found[0] as Bag;
      }
      if (only !== undefined) await discard(kind, graceHost, only);
      // Without a search, it is not known whether an earlier request has created the object.
      else if (isRejected && lost && kind.identity.lostCreate === "repeat")
        throw new UnknownCreateError(kind.name, lost, error, "repeat");
      else if (isRejected) {
        host.attempts?.rejected();
        throw await withHolderHint(kind, host, want, error);
      }
      if (!isRejected) lost = error as Error;
      if (tries === MAX_TRIES || host.now() >= host.deadline || !isComplete) {
        host.attempts?.lost(host.serverTime().estimated);
        throw error;
      }
    }
  }
}

/** The API for a create request, which is not sent any more once the Pulumi process has ended. */
const unlessAbandoned = ({ api, abandoned: signalUntilSent }: Host): Host["api"] =>
  signalUntilSent ? callsWith(api, (options) => ({ signalUntilSent, ...options })) : api;

/**
 * Searches until something is found or the deadline is near, with the given pauses in between. `isComplete`: whether the
 * request may be repeated, because its object would have been found.
 */
async function searchRepeatedly(
  { sleep, now, deadline }: Pick<Host, "sleep" | "now" | "deadline">,
  search: () => Promise<Bag[]>,
  pauses: readonly number[],
): Promise<{ found: Bag[]; isComplete: boolean }> {
  let found = await search();
  for (const pause of pauses) {
    if (found.length) break;
    if (now() + pause >= deadline) return { found, isComplete: false };
    await sleep(pause);
    found = await search();
  }
  return { found, isComplete: true };
}

/** The path parameters of the new object. A response without valid ids is handled like a lost response. */
async function createdPath(kind: Kind, want: Bag, creation: Promise<Bag>): Promise<Bag> {
  const path = await creation;
  const declared = new Set<unknown>(Object.values(want).filter((value) => value !== undefined));
  for (const [name, schema] of Object.entries(idParts(kind)))
    if (!declared.has(path[name]) && !isId(schema, path[name]))
      throw new LostResponseError(`${kind.identity.area}.create`, `its ${name} is not a valid id`, undefined);
  return path;
}

function isSecretLost({ identity: { lostCreate } }: Kind, want: Bag): boolean {
  if (lostCreate === "repeat") return false;
  const { found } = lostCreate;
  return (typeof found === "function" ? found(want) : found) === "recreate";
}

/** Deletes an object whose secret was lost. If that fails, the error has the id, because it is not in state. */
async function discard(kind: Kind, host: Host, id: string): Promise<void> {
  await deleteObject(kind, host, id, {}).catch((cause) => {
    throw new UnusableCreateError(kind.name, id, cause);
  });
}

/** The facts that distinguish the object of the next request from older objects: creation time, or existing ids. */
async function attemptOf(kind: Kind, host: Host, want: Bag): Promise<Attempt> {
  const { estimated, lastSeen } = host.serverTime();
  const match = pick(want, recognizedBy(kind));
  const digests = host.attempts && digestsOfHidden(kind, want);
  const attempt = { since: estimated, lastSeen, match, ...(digests && { digests }) };
  if (isDated(kind) || kind.identity.lostCreate === "repeat") return attempt;
  return { ...attempt, before: (await candidates(kind, host, want)).map(({ path }) => idOf(kind, path)) };
}

const isDated = (kind: Kind): boolean => {
  const { lostCreate } = kind.identity;
  return lostCreate !== "repeat" && !lostCreate.candidates && "created" in recordFields(kind);
};

/** The objects that a create request may have created, those with the fewest differences first. */
async function search(
  kind: Kind,
  host: Host,
  want: Bag,
  { since, lastSeen, before, until }: Attempt,
): Promise<Match[]> {
  if (kind.identity.lostCreate === "repeat") return [];
  // An object whose creation time is not a valid date stays a candidate, and only its inputs decide whether it matches.
  const isSince = (time: number) => (candidate: Candidate) =>
    isDated(kind)
      ? !(Date.parse(`${candidate.record?.created}Z`) < Math.floor(time / 1000) * 1000)
      : !before?.includes(idOf(kind, candidate.path));
  // An object that is deleted because its secret was lost must certainly be that of the request.
  const tolerance = isSecretLost(kind, want) ? 0 : CLOCK_TOLERANCE_MS;
  const isLater = ({ record }: Candidate): boolean =>
    until !== undefined && isDated(kind) && Date.parse(`${record?.created}Z`) > until + LATEST_MS;
  const all = (await candidates(kind, host, want)).filter((candidate) => !isLater(candidate));
  const recent = all.filter(isSince((lastSeen ?? since) - tolerance));
  const counters = await Promise.all(recent.map((candidate) => differenceCounter(kind, host, want, candidate)));
  const counterOf = new Map(recent.map((candidate, i) => [candidate, counters[i]]));
  const differenceCount = new Map(recent.map((candidate) => [candidate, counterOf.get(candidate)?.(want)]));
  const found = recent
    .filter((candidate) => differenceCount.get(candidate) !== undefined)
    .sort((a, b) => Number(differenceCount.get(a)) - Number(differenceCount.get(b)));
  // If every match seems older than the request, the estimated time of the request was wrong, so all matches count.
  const newer = found.filter(isSince(since));
  return (newer.length ? newer : found).map((candidate) => ({
    path: candidate.path,
    differs: differenceCount.get(candidate) !== 0,
    isRecognizedBy: (match) => counterOf.get(candidate)?.(match) !== undefined,
  }));
}

/** The object that an interrupted run created for this resource. Undefined if there is none. */
export async function earlierObject(kind: Kind, host: Host, want: Bag): Promise<Bag | undefined> {
  const { attempts } = host;
  const earlier = attempts?.earlier;
  if (!attempts || !earlier) return undefined;
  const { id, match, secret = [] } = earlier;
  // State has the object, under the name of another resource.
  if (id !== undefined && ownedIds(kind, host).has(id)) return undefined;
  // Marks the object as managed, so that no search for another lost object with the same inputs finds it.
  if (id !== undefined) ownedIds(kind, host).add(id);
  // Inputs that the request did not have, because the program declares them only now, do not identify its object.
  const isIdentifying = (key: string) => !matchInputs(kind).includes(key) || secret.includes(key);
  const known = pick(want, Object.keys(want).filter(isIdentifying));
  const find = () => search(kind, host, { ...known, ...match }, earlier);
  const interrupted = attempts.others?.() ?? [];
  const lost = () => createRequestsOf(kind, host).search(host, { match, isLostHere: false, interrupted, find });
  const found = id === undefined ? await lost().catch(noneIfMissing) : [pathOf(kind, id)];
  const ids = found.map((path) => idOf(kind, path));
  const [only] = ids;
  if (only === undefined) return undefined;
  if (ids.length > 1) throw new AmbiguousCreateError(kind.name, ids);
  if (!isSecretLost(kind, want)) return found[0];
  const declared = Object.values(want);
  const isOverwritten = Object.values(pathOf(kind, only)).every((part) => declared.includes(part));
  // Without the id in the record, another program can have created the object since.
  if (id !== undefined) await discard(kind, host, only);
  else if (!isOverwritten)
    host.warn(
      `${kind.name} ${only} may be that of an interrupted run, whose secret is lost. It is not managed: delete it unless you need it`,
    );
  return undefined;
}

/** If the parent object has been deleted, its nested objects have been deleted as well, so nothing is found. */
const noneIfMissing = (error: unknown): Bag[] | Promise<never> => (isNotFound(error) ? [] : Promise.reject(error));

interface Candidate {
  path: Bag;
  /** The object as the list operation returns it. */
  record?: Bag;
}

async function candidates(kind: Kind, host: Host, want: Bag): Promise<Candidate[]> {
  const { lostCreate } = kind.identity;
  const own = lostCreate === "repeat" ? undefined : lostCreate.candidates;
  if (own) return (await own({ host, api: host.api, want })).map((path: Bag) => ({ path }));
  const parents = parentPath(kind, want);
  const found: Candidate[] = [];
  for await (const record of list(kind, host, parents, pick(want, matchInputs(kind))))
    found.push({ path: recordPath(kind, parents, record), record });
  return found;
}

/**
 * Counts the inputs of a request that the object has other values of. Undefined if one of them identifies a lost object,
 * such as its label.
 */
type DifferenceCounter = (want: Bag) => number | undefined;

/** Reads the object once, so that it can be compared with several requests. Undefined if it no longer exists. */
async function differenceCounter(
  kind: Kind,
  host: Host,
  want: Bag,
  { path, record }: Candidate,
): Promise<DifferenceCounter | undefined> {
  const target = { kind, host, path, want, state: {}, purpose: "create" as const };
  const observed = record && !kind.identity.extend ? record : await observe(target, "now");
  if (!observed) return undefined;
  const outputs = pick(
    observed,
    Object.keys(observed).filter((key) => !(key in kind.fields)),
  );
  const from = (want: Bag, siblings: Bag) =>
    differences(kind, observedInputs(kind, path, observed, want), want, { ...siblings, ...want });
  // Only the recognized inputs are known from the request of an interrupted run. The others may have changed since, and
  // could make different objects equivalent: with an autoscaler, for example, any number of nodes.
  return (want) => (from(pick(want, recognizedBy(kind)), outputs).size ? undefined : from(want, observed).size);
}

/** The inputs by which the object of a lost create request is recognized: those in `match`, and its parents. */
const recognizedBy = (kind: Kind): string[] => [
  ...new Set([...matchInputs(kind), ...Object.keys(kind.identity.parents ?? {})]),
];

const matchInputs = ({ identity: { lostCreate } }: Kind): readonly string[] =>
  lostCreate === "repeat" ? [] : lostCreate.match;

/** If the label, domain, port or transferred instances are already taken, adds the id of the object that has it to the error. */
export async function withHolderHint(
  kind: Kind,
  host: Host,
  want: Bag,
  error: unknown,
  own?: string,
): Promise<unknown> {
  const input = uniqueInput(kind);
  const isNested = ({ field }: { field?: string | undefined }) => field?.startsWith(`${input}.`);
  // Errors for a firewall device name the field `id`, but the input is called `entity_id`.
  const isUniqueInput = ({ field }: { field?: string | undefined }) =>
    input === field || input?.endsWith(`_${field}`) || isNested({ field });
  if (!input || !(error instanceof ApiError) || !error.reasons.some(isUniqueInput)) return error;
  const id = await holderId(kind, host, want, own).catch(() => undefined);
  if (id === undefined) return error;
  const name = camel(input);
  const [determiner, other] = error.reasons.some(isNested) ? ["these", "other"] : ["this", "another"];
  const orOmit = kind.identity.autoname ? ", or omit it to generate one" : "";
  const hint =
    `${kind.name} ${id} already has ${determiner} ${name}. Choose ${other} ${name}${orOmit}. ` +
    "If you renamed the resource in the program, add the resource option aliases. " +
    `If no resource manages that object yet, "${host.adoptCommand(kind.name)} NAME ${id}" brings it into this stack`;
  return new ApiError(error.operation, error.status, error.reasons, hint, error.mayBeDone);
}

/**
 * The input that must be unique in the account or among the objects of the same parent, such as the label. Undefined if
 * only several inputs together identify an object.
 */
export function uniqueInput(kind: Kind): string | undefined {
  const { autoname, parents = {} } = kind.identity;
  const [input, ...more] = matchInputs(kind).filter((key) => !(key in parents));
  return autoname ?? (more.length ? undefined : input);
}

async function holderId(kind: Kind, host: Host, want: Bag, own: string | undefined): Promise<string | undefined> {
  for (const candidate of await candidates(kind, host, want)) {
    const id = idOf(kind, candidate.path);
    if (id !== own && (await differenceCounter(kind, host, want, candidate))?.(want) !== undefined) return id;
  }
  return undefined;
}
