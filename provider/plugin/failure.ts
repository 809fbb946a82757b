import { Metadata, type ServiceError, status } from "@grpc/grpc-js";
import { ConfigureErrorMissingKeys, ErrorResourceInitFailed } from "@pulumi/pulumi/proto/provider_pb";
import { Status } from "@pulumi/pulumi/proto/status_pb";
import type { Message } from "google-protobuf";
import { Any } from "google-protobuf/google/protobuf/any_pb";
import type { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { ApiError, CloudInfraError, isInDoubt } from "../client/errors";
import { printable } from "../client/printable";
import { isLate } from "../engine/errors";
import { textOf } from "../pulumi/report";

/** A call of the protocol that the plugin does not accept. */
export class ProtocolError extends CloudInfraError {
  override readonly name = "ProtocolError";

  constructor(
    readonly code: status,
    message: string,
    /** A message of Pulumi's protocol that describes the error. */
    readonly details?: Any,
  ) {
    super(message);
  }
}

/** The error of a call that this plugin does not implement. */
export const unimplemented = (what: string): ProtocolError =>
  new ProtocolError(status.UNIMPLEMENTED, `pulumi-cloudinfra has no ${what}`);

/** The error of a call that this process does not accept in its state. */
export const preconditionFailed = (reason: string): ProtocolError =>
  new ProtocolError(status.FAILED_PRECONDITION, reason);

/** A required setting that is missing. */
export interface MissingKey {
  name: string;
  description: string;
  /** The whole message, for clients that do not list the settings. */
  reason: string;
}

/** The error for required settings that are missing. Pulumi lists them, and how to set them. */
export function missingKeys(keys: readonly MissingKey[]): ProtocolError {
  const descriptions = keys.map(({ name, description }) =>
    new ConfigureErrorMissingKeys.MissingKey().setName(name).setDescription(description),
  );
  const packedDetail = packedAs(
    "ConfigureErrorMissingKeys",
    new ConfigureErrorMissingKeys().setMissingkeysList(descriptions),
  );
  return new ProtocolError(status.INVALID_ARGUMENT, keys.map(({ reason }) => reason).join(" "), packedDetail);
}

/** The response for an error: its message for users, and the code by which Pulumi knows what has happened. */
export function failureOf(error: unknown): Partial<ServiceError> {
  if (error instanceof ProtocolError) return responseWith(error.code, printable(error.message), error.details);
  return responseWith(codeOf(error), textOf(error));
}

const byName: Readonly<Record<string, status>> = {
  CancelledError: status.CANCELLED,
  ConfigurationError: status.INVALID_ARGUMENT,
  DeadlineError: status.DEADLINE_EXCEEDED,
  ElsewhereError: status.FAILED_PRECONDITION,
  FunctionError: status.NOT_FOUND,
  InterruptedError: status.CANCELLED,
  InvalidIdError: status.INVALID_ARGUMENT,
  MissingError: status.NOT_FOUND,
  NeededMissingError: status.NOT_FOUND,
  NotFoundError: status.NOT_FOUND,
  SettingError: status.INVALID_ARGUMENT,
  UnreachableError: status.UNAVAILABLE,
};

const byStatus: Readonly<Record<number, status>> = {
  400: status.INVALID_ARGUMENT,
  401: status.UNAUTHENTICATED,
  403: status.PERMISSION_DENIED,
  404: status.NOT_FOUND,
  429: status.RESOURCE_EXHAUSTED,
  500: status.UNAVAILABLE,
  502: status.UNAVAILABLE,
  503: status.UNAVAILABLE,
  504: status.UNAVAILABLE,
};

/**
 * The code for an error. `UNKNOWN` means for Pulumi that something may have changed in the account, as after a lost
 * response to a create request.
 */
function codeOf(error: unknown): status {
  const [first, ...causes] = chain(error);
  if ([first, ...causes].some(isUncertain)) return status.UNKNOWN;
  if (isLate(first)) return status.DEADLINE_EXCEEDED;
  if (first instanceof ApiError) return byStatus[first.status] ?? status.UNKNOWN;
  const cause = causes.find((each) => each instanceof ApiError);
  if (first?.name === "FunctionError" && cause) return codeOf(cause);
  return byName[first?.name ?? ""] ?? status.UNKNOWN;
}

const chain = (error: unknown): Error[] => (error instanceof Error ? [error, ...chain(error.cause)] : []);

const uncertain = new Set(["AmbiguousCreateError", "UnknownCreateError", "UnusableCreateError"]);

const isUncertain = (error: Error | undefined): boolean => isInDoubt(error) || uncertain.has(error?.name ?? "");

function packedAs(type: string, message: Message): Any {
  const any = new Any();
  any.pack(message.serializeBinary(), `pulumirpc.${type}`);
  return any;
}

function responseWith(code: status, message: string, details?: Any): Partial<ServiceError> {
  if (!details) return { code, details: message };
  const rich = new Status().setCode(code).setMessage(message);
  rich.addDetails(details);
  const metadata = new Metadata();
  metadata.set("grpc-status-details-bin", Buffer.from(rich.serializeBinary()));
  return { code, details: message, metadata };
}

/**
 * The error for an object that exists but is not finished. Pulumi keeps the object in state, and the next update
 * finishes it.
 */
export function unfinished(id: string, properties: Struct, inputs: Struct, error: unknown): ProtocolError {
  const message = textOf(error);
  const failed = new ErrorResourceInitFailed()
    .setId(id)
    .setProperties(properties)
    .setInputs(inputs)
    .setReasonsList([message]);
  return new ProtocolError(status.UNKNOWN, message, packedAs("ErrorResourceInitFailed", failed));
}
