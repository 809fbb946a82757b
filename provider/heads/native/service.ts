import { setMaxListeners } from "node:events";
import { isDeepStrictEqual } from "node:util";
import type { handleUnaryCall, ServerWritableStream, ServiceError, UntypedServiceImplementation } from "@grpc/grpc-js";
import { type PluginAttach, PluginInfo } from "@pulumi/pulumi/proto/plugin_pb";
import * as pb from "@pulumi/pulumi/proto/provider_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { didYouMean, ownProperty } from "../../../api";
import { packageFile, version } from "../../client/version";
import type { Kind } from "../../engine/definition";
import type { Host, Limited } from "../../engine/host";
import { kinds } from "../../resources";
import { hostFor, type Talk } from "../connection";
import { refusedOldToken } from "../launcher";
import type { RawConfig } from "../settings";
import { urnParts } from "../urn";
import { cancellable } from "./cancellable";
import { checkConfig, diffConfig, rawConfig, rejectInvalidToken } from "./configuration";
import type { Engine } from "./engine";
import { failureOf, refused, unimplemented } from "./failure";
import { callMethod, invoke } from "./functions";
import { objectsOf } from "./import";
import { Journal, type Records } from "./journal";
import * as resource from "./resource";
import { received } from "./values";

/** Fields that all requests about a resource have. */
interface ResourceRequest {
  getUrn(): string;
  getTimeout?(): number;
}

/**
 * Implements Pulumi's provider protocol. It only converts requests and responses: the functions that it calls are
 * shared with the dynamic provider.
 */
export class Service {
  readonly #attach: (address: string) => Engine;
  readonly #connect: typeof hostFor;
  #engine: Engine | undefined;
  /** Whether Pulumi has started this process. Otherwise, it attaches to a process that a developer has started. */
  #isStarted = false;
  #config: RawConfig | undefined;
  /**
   * Whether this command runs the program. Pulumi sends `Check` only in such commands. In other commands, such as
   * `pulumi refresh`, Pulumi passes the configuration of the last update.
   */
  #programRuns = false;
  /**
   * Ids of objects that a refresh has read. Pulumi then requests a diff of each of them to show drift, and no update
   * follows.
   */
  readonly #refreshed = new Set<string>();
  readonly #underWay = new Set<Promise<unknown>>();
  readonly #cancelled = new AbortController();
  readonly #journal: Records;

  /**
   * `connect` creates the connection to the API for a provider configuration. Tests pass a function that connects to a
   * simulated service.
   */
  constructor(attach: (address: string) => Engine, connect = hostFor, journal: Records = new Journal()) {
    this.#attach = attach;
    this.#connect = connect;
    this.#journal = journal;
    setMaxListeners(0, this.#cancelled.signal);
  }

  /** Sends warnings and progress messages to the Pulumi process that has started this plugin. */
  attach(address: string): void {
    this.#engine = this.#attach(address);
    this.#isStarted = true;
  }

  /**
   * Ends all waits, so that the calls in progress return soon. The ids of objects that these calls have created are in
   * their error responses, or in the records of create requests on disk.
   */
  async end({ isSaved }: { isSaved: boolean }): Promise<void> {
    const isIdle = this.#underWay.size === 0;
    this.#cancel();
    while (this.#underWay.size) await Promise.allSettled(this.#underWay);
    if (isSaved && isIdle) this.#journal.close();
  }

  #cancel(): void {
    this.#cancelled.abort(new Error("the update was interrupted: the next update continues where this one stopped"));
  }

  get handlers(): UntypedServiceImplementation {
    return {
      handshake: this.#unary(() => new pb.ProviderHandshakeResponse().setAcceptSecrets(true)),
      attach: this.#unary((request: PluginAttach) => {
        if (this.#isStarted) throw refused("this plugin process already belongs to a Pulumi process");
        this.#engine = this.#attach(request.getAddress());
        return new Empty();
      }),
      getPluginInfo: this.#unary(() => new PluginInfo().setVersion(version)),
      getSchema: this.#unary(() => new pb.GetSchemaResponse().setSchema(schemaText())),
      checkConfig: this.#unary((request: pb.CheckRequest) => {
        this.#programRuns = true;
        return checkConfig(request);
      }),
      diffConfig: this.#unary(diffConfig),
      configure: this.#unary((request: pb.ConfigureRequest) => this.#configure(request)),
      check: this.#unary((request: pb.CheckRequest) => {
        this.#programRuns = true;
        return resource.checkResource(this.#about(request), request);
      }),
      diff: this.#unary((request: pb.DiffRequest) => {
        this.#confirm(request);
        const refreshed = this.#refreshed.delete(keyOf(request));
        return resource.diffResource(this.#about(request), request, refreshed);
      }),
      create: this.#unary((request: pb.CreateRequest) => {
        const attempts = () => this.#journal.attempts(this.#account, request.getUrn());
        return resource.createResource(this.#about(request, "create"), request, attempts);
      }),
      update: this.#unary((request: pb.UpdateRequest) =>
        resource.updateResource(this.#about(request, "update"), request),
      ),
      read: this.#unary((request: pb.ReadRequest) => this.#read(request)),
      delete: this.#unary(async (request: pb.DeleteRequest) => {
        this.#confirm(request);
        await resource.deleteResource(this.#about(request, "delete"), request).catch(this.#oldToken);
        return new Empty();
      }),
      list: (call: ServerWritableStream<pb.ListRequest, pb.ListResponse>) => void this.#list(call),
      invoke: this.#unary((request: pb.InvokeRequest) => invoke(nameIn(request.getTok()), request, this.#host.api)),
      cancel: this.#unary(() => {
        this.#cancel();
        return new Empty();
      }),
      getMapping: this.#unary(() => new pb.GetMappingResponse()),
      getMappings: this.#unary(() => new pb.GetMappingsResponse()),
      parameterize: this.#unary(() => {
        throw unimplemented("parameters");
      }),
      construct: this.#unary(() => {
        throw unimplemented("components");
      }),
      call: this.#unary((request: pb.CallRequest) => this.#call(request)),
    };
  }

  /** Wraps a handler, so that errors are converted to error responses. */
  #unary<Request, Response>(
    work: (request: Request) => Response | Promise<Response>,
  ): handleUnaryCall<Request, Response> {
    return ({ request }, answer) => {
      const done = (async () => work(request))()
        .then(
          (response) => answer(null, response),
          (error) => answer(isStatus(error) ? error : failureOf(error)),
        )
        .finally(() => this.#underWay.delete(done));
      this.#underWay.add(done);
    };
  }

  /**
   * Accepts one configuration, even if it is not valid. Every user of this machine can connect to the plugin, and could
   * otherwise have the next requests, and the token in the environment, sent to another address.
   */
  async #configure(request: pb.ConfigureRequest): Promise<pb.ConfigureResponse> {
    const config = rawConfig(received(request.getArgs()).bag);
    if (this.#config && !isDeepStrictEqual(this.#config, config))
      throw refused(
        "this plugin process is already configured with other settings. To change them, start another process",
      );
    this.#config = config;
    await rejectInvalidToken(this.#host).catch(this.#oldToken);
    return new pb.ConfigureResponse().setAcceptsecrets(true).setSupportspreview(true);
  }

  async #read(request: pb.ReadRequest): Promise<pb.ReadResponse> {
    const response = await resource.readResource(this.#about(request, "read"), request).catch(this.#oldToken);
    if (resource.isRefresh(request)) this.#refreshed.add(keyOf(request));
    return response;
  }

  async #call(request: pb.CallRequest): Promise<pb.CallResponse> {
    const { methodsOf } = await import("../../functions/methods.js");
    const [kind = "", name] = nameIn(request.getTok()).split("/");
    const method = methodsOf(kindOf(kind)).find((method) => method.name === name);
    return callMethod(method, request, this.#host.api);
  }

  async #list(call: ServerWritableStream<pb.ListRequest, pb.ListResponse>): Promise<void> {
    const { request } = call;
    try {
      const host = this.#host;
      let left = request.getLimit() || Number.POSITIVE_INFINITY;
      for await (const { id, name } of objectsOf(kindOf(request.getToken()), host, received(request.getQuery()).bag)) {
        if (left-- <= 0) break;
        call.write(new pb.ListResponse().setResult(new pb.ListResponse.Result().setId(id).setName(name)));
      }
      call.end();
    } catch (error) {
      call.emit("error", failureOf(error));
    }
  }

  #about(request: ResourceRequest, operation?: Limited): resource.About {
    const urn = request.getUrn();
    const { type, name } = urnParts(urn);
    const talk = this.#talkAbout(urn);
    const connected = this.#connect(this.#config ?? {}, talk, this.#programRuns);
    const host = cancellable({ ...connected, ...talk }, this.#cancelled.signal);
    const seconds = request.getTimeout?.();
    return {
      kind: kindOf(type),
      name,
      host: seconds && operation ? { ...host, limits: { [operation]: `${seconds}s` } } : host,
    };
  }

  /** Removes the record of a resource's create request, because the state contains the id of its object. */
  #confirm(request: { getUrn(): string; getId(): string }): void {
    this.#journal.confirm(this.#account, request.getUrn(), request.getId());
  }

  /** The connection to the API for requests that are not about a resource. */
  get #host(): Host {
    return this.#connect(this.#config ?? {}, this.#talkAbout(""), this.#programRuns);
  }

  get #account(): string {
    return this.#config?.["cloudinfra:url"] ?? process.env.CLOUDINFRA_URL ?? "";
  }

  #talkAbout = (urn: string): Talk => this.#engine?.talkAbout(urn) ?? { warn: () => {}, progress: () => {} };

  #oldToken = (error: unknown): never => {
    if (this.#programRuns) throw error;
    return refusedOldToken(error);
  };
}

const keyOf = (request: { getUrn(): string; getId(): string }): string => `${request.getUrn()} ${request.getId()}`;

const isStatus = (error: unknown): error is Partial<ServiceError> =>
  typeof error === "object" && error !== null && "code" in error && "details" in error;

/** The resource's name in a type: `Volume` in `cloudinfra:index:Volume`. Programs may omit the module `index`. */
const nameIn = (token: string): string => token.slice(token.lastIndexOf(":") + 1);

function kindOf(type: string): Kind {
  const name = nameIn(type);
  const kind = ownProperty<Kind>(kinds, name);
  if (!kind) throw new Error(`${type} is not a resource of this package${didYouMean(name, Object.keys(kinds))}`);
  return kind;
}

/** The schema of the package with its version, which generators of SDKs request. */
function schemaText(): string {
  const schema = JSON.parse(packageFile("schema.json"));
  return JSON.stringify({ ...schema, version });
}
