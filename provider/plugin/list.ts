import { type ServerWritableStream, status } from "@grpc/grpc-js";
import * as pb from "@pulumi/pulumi/proto/provider_pb";
import type { Host } from "../engine/host";
import { failureOf, ProtocolError } from "./failure";
import { objectsOf } from "./import";
import { kindOf } from "./tokens";
import { fromStruct } from "./values";

export type ListCall = ServerWritableStream<pb.ListRequest, pb.ListResponse>;

/** Sends the ids and names of the objects of a kind. */
export async function listTo(call: ListCall, host: () => Host): Promise<void> {
  const { request } = call;
  try {
    if (request.getContinuationToken())
      throw new ProtocolError(status.INVALID_ARGUMENT, "all objects are in the first page, so there are no others");
    let left = request.getLimit() || Number.POSITIVE_INFINITY;
    const query = fromStruct(request.getQuery()).bag;
    for await (const { id, name } of objectsOf(kindOf(request.getToken()), host(), query)) {
      if (left-- <= 0) break;
      call.write(new pb.ListResponse().setResult(new pb.ListResponse.Result().setId(id).setName(name)));
    }
    call.end();
  } catch (error) {
    call.emit("error", failureOf(error));
  }
}
