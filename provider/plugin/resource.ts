import { createHash } from "node:crypto";
import { status } from "@grpc/grpc-js";
import * as pb from "@pulumi/pulumi/proto/provider_pb";
import { DiffResponse, type ReadRequest } from "@pulumi/pulumi/proto/provider_pb";
import {
  create,
  createProblems,
  destroy,
  migrated,
  plan,
  predictCreated,
  predictUpdated,
  refresh,
  STATE_VERSION,
  update,
} from "../engine";
import type { Kind } from "../engine/definition";
import { InitFailed } from "../engine/errors";
import type { Attempts, Host } from "../engine/host";
import { type Random, withDefaults } from "../engine/naming";
import type { PlanOptions } from "../engine/plan";
import { type Bag, declaredPaths, pick } from "../engine/values";
import { adopt } from "../pulumi/adopt";
import { type ShownFailure, shownFailures, withoutSecretTexts } from "../pulumi/failures";
import { AUTONAMED, ownPropertiesIn, UNFINISHED, uncertainIn, unfinishedMark, VERSION } from "../pulumi/own-properties";
import { kindFor, propertyName, stateIn, toApiNames, toProgramNames } from "../pulumi/properties";
import { differing, union } from "../pulumi/selection";
import { type Detail, detailsOf } from "./detailed-diff";
import { ProtocolError, unfinished } from "./failure";
import { idByLabel, idByName, notFound } from "./import";
import { withoutSecrets } from "./journal";
import { checkWithName } from "./naming";
import { fromStruct, propertiesToStruct, type ReceivedProperties, type Secrets } from "./values";

export interface RequestContext {
  kind: Kind;
  host: Host;
  /** Name of the resource in the program. */
  name: string;
}

/**
 * A source of random bytes that returns the same ones for the same seed. Pulumi sends the seed of a preview again when
 * the update follows the plan that the preview has saved, so that generated labels are those of the plan.
 */
const seededRandom = (seed: Uint8Array): Random | undefined =>
  seed.length ? (size) => createHash("sha256").update(seed).digest().subarray(0, size) : undefined;

const state = { [VERSION]: STATE_VERSION };

/** Runs an operation, and removes the texts that the program marks as secret from its messages and errors. */
async function withHiddenSecrets<T>(
  host: Host,
  received: readonly ReceivedProperties[],
  work: (host: Host) => Promise<T>,
): Promise<T> {
  const hide = (message: string): string =>
    received.reduce((text, { bag, secrets }) => withoutSecretTexts(text, bag, secrets), message);
  const warn = (message: string): void => host.warn(hide(message));
  const progress = (message: string): void => host.progress(hide(message));
  try {
    return await work({ ...host, warn, progress });
  } catch (error) {
    for (let one = error; one instanceof Error; one = one.cause)
      for (const key of ["message", "stack"] as const) {
        const text = one[key] ?? "";
        const hidden = hide(text);
        // Some errors of the platform are read-only.
        if (hidden !== text) one[key] = hidden;
      }
    throw error;
  }
}

export async function checkResource(
  { kind, host, name }: RequestContext,
  request: pb.CheckRequest,
): Promise<pb.CheckResponse> {
  const [olds, news] = [fromStruct(request.getOlds()), fromStruct(request.getNews())];
  const oldInputs = migrated(kind, toApiNames(kind, olds.bag));
  const newInputs = toApiNames(kind, news.bag);
  const random = seededRandom(request.getRandomseed_asU8());
  const names = { name, oldInputs, newInputs, random };
  const found = await withHiddenSecrets(host, [news], async (host) => {
    const checked = await checkWithName(kind, host, names, request.getAutonaming());
    for (const warning of checked.warnings) host.warn(warning);
    return checked;
  });
  const failures = shownFailures(kind, news.bag, found.failures, news.secrets);
  return new pb.CheckResponse()
    .setInputs(propertiesToStruct(kind, found.inputs, found.autonamed ? { [AUTONAMED]: true } : {}, news.secrets))
    .setFailuresList(
      failures.map(({ property, reason }) => new pb.CheckFailure().setProperty(property).setReason(reason)),
    );
}

/**
 * Compares the declared inputs with state. If `refreshed` is set, the comparison is part of a refresh: Pulumi requests
 * the update that would undo the drift, shows its reverse as the drift, and does not run it. `imported`: it is part of an
 * import with the resource option.
 */
export async function diffResource(
  { kind, host }: RequestContext,
  request: pb.DiffRequest,
  { refreshed, imported }: Pick<PlanOptions, "refreshed" | "imported">,
): Promise<DiffResponse> {
  const [olds, news, oldInputs] = [request.getOlds(), request.getNews(), request.getOldInputs()].map(fromStruct) as [
    ReceivedProperties,
    ReceivedProperties,
    ReceivedProperties,
  ];
  const [state, want] = [stateIn(kind, olds.bag), toApiNames(kind, news.bag)];
  const autonamed = news.bag[AUTONAMED] === true;
  const isUnfinished = uncertainIn(olds.bag) !== undefined;
  const found = await withHiddenSecrets(host, [olds, news], async (host) => {
    const planned = await plan(kind, host, request.getId(), state, want, {
      autonamed,
      refreshed,
      imported,
      isUnfinished,
    });
    for (const warning of planned.warnings) host.warn(warning);
    return planned;
  });
  const response = new DiffResponse()
    .setChanges(found.changed.length + found.steps.length || (isUnfinished && !refreshed) ? DIFFERS : SAME)
    .setReplacesList(found.replaces.map((key) => propertyName(kind, key)))
    .setDiffsList(found.changed.map((key) => propertyName(kind, key)))
    .setDeletebeforereplace(found.deleteBeforeReplace)
    .setHasdetaileddiff(true);
  for (const detail of detailsOf(kind, found, { state, want, oldInputs: toApiNames(kind, oldInputs.bag) }))
    response.getDetaileddiffMap().set(detail.path, propertyDiff(detail));
  return response;
}

const { DIFF_SOME: DIFFERS, DIFF_NONE: SAME } = DiffResponse.DiffChanges;
const { Kind: PropertyKind } = pb.PropertyDiff;

function propertyDiff({ change, replaces, isInput }: Detail): pb.PropertyDiff {
  const kinds = {
    add: [PropertyKind.ADD, PropertyKind.ADD_REPLACE],
    remove: [PropertyKind.DELETE, PropertyKind.DELETE_REPLACE],
    replace: [PropertyKind.UPDATE, PropertyKind.UPDATE_REPLACE],
  } as const;
  return new pb.PropertyDiff().setKind(kinds[change][replaces ? 1 : 0]).setInputdiff(isInput);
}

/** Creates an object. `attempts` opens the records of interrupted create requests, which a preview does not need. */
export async function createResource(
  { kind, host }: RequestContext,
  request: pb.CreateRequest,
  attempts: () => Attempts,
): Promise<pb.CreateResponse> {
  const news = fromStruct(request.getProperties());
  const want = toApiNames(kind, news.bag);
  if (request.getPreview())
    return new pb.CreateResponse().setProperties(
      propertiesToStruct(kind, predictCreated(kind, want), state, news.secrets),
    );
  const problems = createProblems(kind, want);
  if (problems.length) throw invalid(kind, shownFailures(kind, news.bag, problems, news.secrets));
  const recorded = { ...host, attempts: withoutSecrets(attempts(), news.secrets) };
  const autonamed = news.bag[AUTONAMED] === true;
  const { id, outs } = await withHiddenSecrets(recorded, [news], (host) =>
    create(kind, host, want, { autonamed }),
  ).catch((error) => throwUnfinished(kind, news, error));
  return new pb.CreateResponse().setId(id).setProperties(propertiesToStruct(kind, outs, state, news.secrets));
}

/** The error for a create request whose inputs have not passed a check. Pulumi checks all inputs before. */
const invalid = ({ name }: Kind, failures: readonly ShownFailure[]): ProtocolError =>
  new ProtocolError(
    status.INVALID_ARGUMENT,
    `${name}: ${failures.map(({ property, reason }) => `${property} ${reason}`).join("; ")}`,
  );

export async function updateResource(
  { kind, host }: RequestContext,
  request: pb.UpdateRequest,
): Promise<pb.UpdateResponse> {
  const [olds, news] = [fromStruct(request.getOlds()), fromStruct(request.getNews())];
  const [old, want] = [stateIn(kind, olds.bag), toApiNames(kind, news.bag)];
  const ownKind = kindFor(kind, news.bag);
  const uncertain = uncertainIn(olds.bag);
  const predicted = () =>
    uncertain === "all" ? predictCreated(kind, want) : predictUpdated(ownKind, old, want, uncertain);
  const outs = request.getPreview()
    ? predicted()
    : await withHiddenSecrets(host, [olds, news], (host) =>
        update(ownKind, host, request.getId(), old, want, { uncertain }),
      ).catch((error) => throwUnfinished(kind, news, error, olds.secrets));
  const secrets = union(news.secrets, remainingSecrets(kind, olds.secrets, outs, want));
  return new pb.UpdateResponse().setProperties(propertiesToStruct(kind, outs, state, secrets));
}

/**
 * The secrets of the former state that are inputs and still have their values: the program does not declare them any more,
 * or declares others, which the update does not apply.
 */
function remainingSecrets(kind: Kind, secrets: Secrets, outs: Bag, want: Bag): Secrets {
  const inputs = pick(outs, Object.keys(kind.fields));
  return differing(secrets, toProgramNames(kind, inputs), toProgramNames(kind, want));
}

/** `oldSecrets` are those of the state, whose values can be in that of the unfinished object. */
function throwUnfinished(
  kind: Kind,
  { bag, secrets }: ReceivedProperties,
  error: unknown,
  oldSecrets?: Secrets,
): never {
  if (!(error instanceof InitFailed)) throw error;
  const inputs = propertiesToStruct(kind, toApiNames(kind, bag), ownPropertiesIn(bag), secrets);
  const outs = propertiesToStruct(
    kind,
    error.outs,
    { ...state, [UNFINISHED]: unfinishedMark(error.uncertain) },
    oldSecrets ? union(oldSecrets, secrets) : secrets,
  );
  throw unfinished(error.id, outs, inputs, error);
}

/**
 * Whether a read request refreshes a resource that the program manages: only then does Pulumi send inputs. Other read
 * requests import an object, or read one that the program does not manage, as with `Volume.get`.
 */
export const isRefresh = (request: ReadRequest): boolean => (request.getInputs()?.getFieldsMap().getLength() ?? 0) > 0;

export async function readResource(context: RequestContext, request: ReadRequest): Promise<pb.ReadResponse> {
  if (!isRefresh(request)) return readUnknown(context, request);
  const { kind, host } = context;
  const [props, inputs] = [fromStruct(request.getProperties()), fromStruct(request.getInputs())];
  const lastInputs = toApiNames(kind, inputs.bag);
  const declared = declaredPaths(kind.inputs, lastInputs);
  const found = await withHiddenSecrets(host, [props, inputs], (host) =>
    refresh(kind, host, request.getId(), stateIn(kind, props.bag), declared, lastInputs),
  );
  if (!found) return new pb.ReadResponse();
  // The format version in state is only updated for classes with `migrate`, whose format has changed. For other
  // classes, a new version would show as drift.
  const version = kind.migrate ? STATE_VERSION : props.bag[VERSION];
  const own = { ...(version !== undefined && { [VERSION]: version }), ...pick(props.bag, [UNFINISHED]) };
  const secrets = union(props.secrets, inputs.secrets);
  return new pb.ReadResponse()
    .setId(request.getId())
    .setProperties(propertiesToStruct(kind, found.outs, own, secrets, props.bag))
    .setInputs(propertiesToStruct(kind, found.inputs, ownPropertiesIn(inputs.bag), inputs.secrets, inputs.bag));
}

/** Reads an object that the program does not manage yet, or only reads, by its id or label. */
async function readUnknown({ kind, host, name }: RequestContext, request: ReadRequest): Promise<pb.ReadResponse> {
  const newInputs = fromStruct(request.getProperties());
  const id = await idByName(kind, host, request.getId());
  const byId = await adopt(kind, host, name, id);
  // A read request without inputs but with properties refreshes an object that the program only reads, as with
  // `Volume.get`. If that object is not found, it was deleted.
  if (!byId && Object.keys(newInputs.bag).length) return new pb.ReadResponse();
  // Some ids are text, so the argument of `pulumi import` can be an id or a label.
  const labelledId = byId ? undefined : await idByLabel(kind, host, request.getId());
  const found = labelledId === undefined ? byId : await adopt(kind, host, name, labelledId);
  if (!found) throw notFound(kind, request.getId());
  // The next check gets these inputs as those of the last update, so they include the defaults.
  const inputs = withDefaults(kind, host.settings, found.program);
  return new pb.ReadResponse()
    .setId(found.id)
    .setProperties(propertiesToStruct(kind, found.outs, state, newInputs.secrets))
    .setInputs(propertiesToStruct(kind, inputs, {}, newInputs.secrets));
}

export async function deleteResource({ kind, host }: RequestContext, request: pb.DeleteRequest): Promise<void> {
  const props = fromStruct(request.getProperties());
  const old = stateIn(kind, props.bag);
  await withHiddenSecrets(host, [props], (host) => destroy(kind, host, request.getId(), old));
}
