import { Metadata, type ServiceError, status } from "@grpc/grpc-js";
import { ErrorResourceInitFailed } from "@pulumi/pulumi/proto/provider_pb";
import { Status } from "@pulumi/pulumi/proto/status_pb";
import { Any } from "google-protobuf/google/protobuf/any_pb";
import type { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { textOf } from "../report";

/** The error of a call that this plugin does not implement. */
export const unimplemented = (what: string): Partial<ServiceError> => ({
  code: status.UNIMPLEMENTED,
  details: `pulumi-cloudinfra has no ${what}`,
});

/** The error of a call that this process does not accept in its state. */
export const refused = (why: string): Partial<ServiceError> => ({ code: status.FAILED_PRECONDITION, details: why });

export const failureOf = (error: unknown): Partial<ServiceError> => ({ code: status.UNKNOWN, details: textOf(error) });

/**
 * The error for an object that exists but is not finished. Pulumi keeps the object in state, and the next update
 * finishes it.
 */
export function unfinished(id: string, properties: Struct, inputs: Struct, error: unknown): Partial<ServiceError> {
  const details = textOf(error);
  const failed = new ErrorResourceInitFailed()
    .setId(id)
    .setProperties(properties)
    .setInputs(inputs)
    .setReasonsList([details]);
  const any = new Any();
  any.pack(failed.serializeBinary(), "pulumirpc.ErrorResourceInitFailed");
  const rich = new Status().setCode(status.UNKNOWN).setMessage(details);
  rich.addDetails(any);
  const metadata = new Metadata();
  metadata.set("grpc-status-details-bin", Buffer.from(rich.serializeBinary()));
  return { code: status.UNKNOWN, details, metadata };
}
