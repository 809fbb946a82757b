import { readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { Server, ServerCredentials, type ServerUnaryCall, type sendUnaryData } from "@grpc/grpc-js";
import { PluginInfo } from "@pulumi/pulumi/proto/plugin_pb";
import { ResourceProviderService } from "@pulumi/pulumi/proto/provider_grpc_pb";
import * as pb from "@pulumi/pulumi/proto/provider_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import type { Floor } from "./provider";

const floor: Floor = JSON.parse(readFileSync(process.env.BENCH_FLOOR ?? "", "utf8"));
let created = 0;

const handler =
  <Request, Response>(respond: (request: Request) => Response) =>
  ({ request }: ServerUnaryCall<Request, Response>, callback: sendUnaryData<Response>) =>
    callback(null, respond(request));

/** A handler that first waits as long as the service needs for the operation. The reads of one type wait only once. */
function waiting<Request extends { getUrn(): string; getPreview?(): boolean }, Response>(
  operation: "create" | "read" | "update" | "delete",
  respond: (request: Request) => Response,
) {
  const reads = new Map<string, Promise<void>>();
  return async ({ request }: ServerUnaryCall<Request, Response>, callback: sendUnaryData<Response>) => {
    const kind = kindIn(request.getUrn());
    const waited = reads.get(kind) ?? delay(request.getPreview?.() ? 0 : (floor[kind]?.[operation] ?? 0));
    if (operation === "read") reads.set(kind, waited);
    await waited;
    try {
      callback(null, respond(request));
    } catch (error) {
      callback(error as Error);
    }
  };
}

const kindIn = (urn: string): string => /:(\w+)::/.exec(urn.slice(urn.lastIndexOf("cloudinfra:")))?.[1] ?? "";

type Properties = Parameters<typeof Struct.fromJavaScript>[0];

/**
 * The given inputs, completed with the inputs or outputs that this package's native plugin has returned for a resource
 * of the same type, so that Pulumi writes about as much state as with the native plugin.
 */
function withUndefined(properties: "inputs" | "outputs", urn: string, declared: Struct | undefined): Struct {
  return Struct.fromJavaScript({ ...floor[kindIn(urn)]?.[properties], ...declared?.toJavaScript() } as Properties);
}

/**
 * A plugin that compares the program's inputs with those in state and returns them, and waits for the given time
 * instead of sending requests. No plugin whose requests take this time can be faster.
 */
const server = new Server();
server.addService(ResourceProviderService, {
  handshake: handler(() => new pb.ProviderHandshakeResponse()),
  attach: handler(() => new Empty()),
  getPluginInfo: handler(() => new PluginInfo()),
  checkConfig: handler((request: pb.CheckRequest) => new pb.CheckResponse().setInputs(request.getNews())),
  diffConfig: handler(() => new pb.DiffResponse().setChanges(pb.DiffResponse.DiffChanges.DIFF_NONE)),
  configure: handler(() => new pb.ConfigureResponse().setSupportspreview(true)),
  check: handler((request: pb.CheckRequest) =>
    new pb.CheckResponse().setInputs(withUndefined("inputs", request.getUrn(), request.getNews())),
  ),
  diff: handler((request: pb.DiffRequest) => {
    const [olds, news] = [request.getOldInputs(), request.getNews()].map((struct) => struct?.toJavaScript());
    const { DIFF_NONE, DIFF_SOME } = pb.DiffResponse.DiffChanges;
    return new pb.DiffResponse().setChanges(isDeepStrictEqual(olds, news) ? DIFF_NONE : DIFF_SOME);
  }),
  create: waiting("create", (request: pb.CreateRequest) =>
    new pb.CreateResponse()
      .setId(request.getPreview() ? "" : String(++created))
      .setProperties(withUndefined("outputs", request.getUrn(), request.getProperties())),
  ),
  update: waiting("update", (request: pb.UpdateRequest) =>
    new pb.UpdateResponse().setProperties(withUndefined("outputs", request.getUrn(), request.getNews())),
  ),
  read: waiting("read", (request: pb.ReadRequest) =>
    new pb.ReadResponse().setId(request.getId()).setProperties(request.getProperties()).setInputs(request.getInputs()),
  ),
  delete: waiting("delete", () => new Empty()),
  cancel: handler(() => new Empty()),
} as never);
process.on("SIGINT", () => process.exit(0));
server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, port) => {
  if (error) throw error;
  console.log(port);
});
