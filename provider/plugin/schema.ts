import { status } from "@grpc/grpc-js";
import type { GetSchemaRequest } from "@pulumi/pulumi/proto/provider_pb";
import { packageFile, version } from "../client/version";
import { ProtocolError } from "./failure";

/** The schema of the package with its version, which generators of SDKs request. */
export function schemaFor(request: GetSchemaRequest): string {
  if (request.getVersion() !== 0)
    throw new ProtocolError(
      status.INVALID_ARGUMENT,
      `the schema exists in version 0 of the format, not in version ${request.getVersion()}`,
    );
  const part = request.getSubpackageName() || request.getSubpackageVersion();
  if (part) throw new ProtocolError(status.INVALID_ARGUMENT, `pulumi-cloudinfra has no subpackage ${part}`);
  return JSON.stringify({ ...JSON.parse(packageFile("schema.json")), version });
}
