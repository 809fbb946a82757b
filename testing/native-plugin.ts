import {
  credentials,
  type handleUnaryCall,
  Server,
  ServerCredentials,
  type ServerUnaryCall,
  type ServiceDefinition,
  type ServiceError,
  type sendUnaryData,
  status,
  type UntypedServiceImplementation,
} from "@grpc/grpc-js";
import { EngineService } from "@pulumi/pulumi/proto/engine_grpc_pb";
import type { LogRequest } from "@pulumi/pulumi/proto/engine_pb";
import { ResourceProviderClient, ResourceProviderService } from "@pulumi/pulumi/proto/provider_grpc_pb";
import * as pb from "@pulumi/pulumi/proto/provider_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import type { Host } from "../provider/engine/host";
import type { JournalRecords } from "../provider/plugin/journal";
import type { MessageSink } from "../provider/plugin/pulumi-engine";
import { Service } from "../provider/plugin/service";

/**
 * Replaces the journal, in which the plugin records create requests until they are confirmed, by one that records
 * nothing.
 */
export const emptyJournal: JournalRecords = {
  attempts: () => ({ begin: () => {}, lost: () => {}, created: () => {}, rejected: () => {} }),
  confirm: () => {},
  pendingBoots: () => ({ has: () => false, add: () => {}, delete: () => {} }),
  close: () => {},
};

/**
 * Starts a plugin in this process, and returns a gRPC client for it. `messageSink` receives the plugin's warnings and
 * progress messages.
 */
export async function pluginFor(
  host: () => Host,
  records = emptyJournal,
  messageSink: MessageSink = {
    messagesFor: () => ({ warn: (line) => host().warn(line), progress: (line) => host().progress(line) }),
    inform: () => {},
  },
  traffic?: Traffic,
): Promise<ResourceProviderClient> {
  const service = new Service(() => messageSink, host, records);
  service.attach("in this process");
  const handlers = traffic ? countCalls(service.handlers, traffic) : service.handlers;
  return clientAt(await served(ResourceProviderService, handlers));
}

const clientAt = (address: string): ResourceProviderClient =>
  new ResourceProviderClient(address, credentials.createInsecure());

/** Connects to a plugin in another process, which has printed its port, and configures it as Pulumi's engine does. */
export async function connectPlugin(port: string, config: Record<string, string>): Promise<ResourceProviderClient> {
  const client = clientAt(`127.0.0.1:${port.trim()}`);
  const configuration = new pb.ConfigureRequest().setArgs(Struct.fromJavaScript(config));
  await responseTo((callback) => client.handshake(new pb.ProviderHandshakeRequest(), callback)).catch((error) => {
    // Pulumi's own provider for dynamic resources, which tests call too, does not implement `Handshake`.
    if (error.code !== status.UNIMPLEMENTED) throw error;
  });
  await responseTo((callback) => client.configure(configuration, callback));
  return client;
}

/** Starts a server that receives a plugin's messages as Pulumi's engine does, and returns its address. */
export const startEngineServer = (log: (message: LogRequest) => void): Promise<string> =>
  served(EngineService as never, {
    log({ request }: ServerUnaryCall<LogRequest, Empty>, callback: sendUnaryData<Empty>) {
      log(request);
      callback(null, new Empty());
    },
  });

/** Called at the start and the end of each gRPC call between Pulumi's engine and a plugin, to count pending calls. */
export interface Traffic {
  started(): void;
  ended(): void;
}

const countCalls = (
  handlers: UntypedServiceImplementation,
  { started, ended }: Traffic,
): UntypedServiceImplementation =>
  Object.fromEntries(
    Object.entries(handlers as Record<string, handleUnaryCall<unknown, unknown>>).map(([name, handle]) => [
      name,
      (call: ServerUnaryCall<unknown, unknown>, callback: sendUnaryData<unknown>) => {
        ended();
        handle(call, (...response) => {
          started();
          callback(...response);
        });
      },
    ]),
  );

/** Starts a gRPC service in this process, and returns its address. */
async function served(definition: ServiceDefinition, handlers: UntypedServiceImplementation): Promise<string> {
  const server = new Server();
  server.addService(definition, handlers);
  const port = await new Promise<number>((resolve, reject) =>
    server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, port) =>
      error ? reject(error) : resolve(port),
    ),
  );
  return `127.0.0.1:${port}`;
}

export type Callback<Response> = (error: ServiceError | null, response: Response) => void;

/** Calls a method over gRPC and returns the response. */
export const responseTo = <Response>(call: (callback: Callback<Response>) => unknown): Promise<Response> =>
  new Promise((resolve, reject) => call((error, response) => (error ? reject(error) : resolve(response))));

/** A client that calls the handlers of a plugin directly, without gRPC. */
export function directClient({ handlers }: Pick<Service, "handlers">): ResourceProviderClient {
  const methods = Object.entries(handlers as Record<string, handleUnaryCall<unknown, unknown>>).map(
    ([name, handle]) => [
      name,
      (request: unknown, callback: sendUnaryData<unknown>) =>
        handle({ request } as ServerUnaryCall<unknown, unknown>, callback),
    ],
  );
  return Object.fromEntries(methods) as ResourceProviderClient;
}
