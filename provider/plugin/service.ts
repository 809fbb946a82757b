import { isDeepStrictEqual } from "node:util";
import type { handleUnaryCall, UntypedServiceImplementation } from "@grpc/grpc-js";
import { type PluginAttach, PluginInfo } from "@pulumi/pulumi/proto/plugin_pb";
import * as pb from "@pulumi/pulumi/proto/provider_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { defaultsFor } from "../client/environment";
import { cancellation } from "../client/time";
import { version } from "../client/version";
import type { Host, LimitedOperation } from "../engine/host";
import { startCommand } from "../engine/planned";
import { preparationMs } from "../engine/time-limits";
import { type Bag, pick } from "../engine/values";
import {
  type AccountIdentity,
  AnotherAccountError,
  type CurrentAccount,
  currentAccount,
  messageOnce,
  rejectInvalidToken,
  requireSameAccount,
} from "../pulumi/account";
import { hostFor, type Messages } from "../pulumi/connection";
import { adoptCommand } from "../pulumi/handle";
import { rejectedOldToken } from "../pulumi/old-token";
import type { RawConfig } from "../pulumi/settings";
import { urnParts } from "../pulumi/urn";
import { accountOfProvider, checkAccount, diffAccount } from "./account";
import { cancellable, InterruptedError } from "./cancellable";
import { configureResponse, handshakeResponse } from "./capabilities";
import { checkConfig, diffConfig, missingIn, rawConfig } from "./configuration";
import { failureOf, missingKeys, preconditionFailed, unimplemented } from "./failure";
import { callMethod, invoke } from "./functions";
import { Journal, type JournalRecords } from "./journal";
import { type ListCall, listTo } from "./list";
import type { MessageSink } from "./pulumi-engine";
import * as resource from "./resource";
import { schemaFor } from "./schema";
import { kindOf, nameIn } from "./tokens";
import { fromStruct } from "./values";

/** Fields that all requests about a resource have. */
interface ResourceRequest {
  getUrn(): string;
  getTimeout?(): number;
}

const otherSettings = () =>
  preconditionFailed(
    "this plugin process is already configured with other settings. To change them, start another process",
  );

/** The connection. Undefined if an address or token is invalid, which `Configure` reports. */
function connected(connect: () => Host): Host | undefined {
  try {
    return connect();
  } catch {
    return undefined;
  }
}

/**
 * Implements Pulumi's provider protocol. It only converts requests and responses: the functions that it calls are
 * shared with the dynamic provider.
 */
export class Service {
  readonly #attach: (address: string) => MessageSink;
  readonly #connect: typeof hostFor;
  #engine: MessageSink | undefined;
  /** Whether Pulumi has started this process. Otherwise, it attaches to a process that a developer has started. */
  #isStarted = false;
  #config: RawConfig | undefined;
  /** The address, the dialect and the token of the first request that names them. */
  #service: Bag | undefined;
  /** The account that the provider's resources belong to, from the provider's inputs. */
  #recordedAccount: AccountIdentity | undefined;
  /** The account that the token reaches. Undefined before `Configure`. */
  #account: CurrentAccount | undefined;
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
  /** Ids of objects that were read for an import. Pulumi then requests a diff of each of them with the program. */
  readonly #imported = new Set<string>();
  readonly #underWay = new Set<Promise<unknown>>();
  #cancelled = cancellation();
  readonly #journal: JournalRecords;

  /**
   * `connect` creates the connection to the API for a provider configuration. Tests pass a function that connects to a
   * simulated service.
   */
  constructor(attach: (address: string) => MessageSink, connect = hostFor, journal: JournalRecords = new Journal()) {
    this.#attach = attach;
    this.#connect = connect;
    this.#journal = journal;
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
    this.#cancelled.abort(new InterruptedError());
  }

  get handlers(): UntypedServiceImplementation {
    return {
      handshake: this.#unary(handshakeResponse),
      attach: this.#unary((request: PluginAttach) => {
        if (this.#isStarted) throw preconditionFailed("this plugin process already belongs to a Pulumi process");
        this.#engine = this.#attach(request.getAddress());
        this.#cancelled = cancellation();
        return new Empty();
      }),
      getPluginInfo: this.#unary(() => new PluginInfo().setVersion(version)),
      getSchema: this.#unary((request: pb.GetSchemaRequest) =>
        new pb.GetSchemaResponse().setSchema(schemaFor(request)),
      ),
      checkConfig: this.#unary((request: pb.CheckRequest) => {
        this.#programRuns = true;
        const connect = (inputs: Bag) => {
          const config = rawConfig(inputs);
          this.#requireOneService(config);
          return connected(() => this.#connect(config, this.#messagesFor(request.getUrn()), true));
        };
        const inform = (message: string) => this.#engine?.inform(request.getUrn(), message);
        return checkAccount(request, checkConfig(request), connect, inform);
      }),
      diffConfig: this.#unary((request: pb.DiffRequest) => diffAccount(request, diffConfig(request))),
      configure: this.#unary((request: pb.ConfigureRequest) => this.#configure(request)),
      check: this.#operation((request: pb.CheckRequest) => {
        this.#programRuns = true;
        return resource.checkResource(this.#contextOf(request), request);
      }),
      diff: this.#operation((request: pb.DiffRequest) => {
        this.#confirm(request);
        const [refreshed, imported] = [this.#refreshed, this.#imported].map((keys) => keys.delete(keyOf(request)));
        return resource.diffResource(this.#contextOf(request), request, { refreshed, imported });
      }),
      create: this.#operation(async (request: pb.CreateRequest) => {
        const context = this.#contextOf(request, "create");
        if (!request.getPreview()) await this.#requireAccount(context, "create");
        const attempts = () => this.#journal.attempts(this.#journalKey, request.getUrn(), context.host.warn);
        return resource.createResource(context, request, attempts);
      }),
      update: this.#operation(async (request: pb.UpdateRequest) => {
        const context = this.#contextOf(request, "update");
        if (!request.getPreview()) await this.#requireAccount(context, "update");
        return resource.updateResource(context, request);
      }),
      read: this.#operation((request: pb.ReadRequest) => this.#read(request)),
      delete: this.#operation(async (request: pb.DeleteRequest) => {
        const context = this.#contextOf(request, "delete");
        await this.#requireAccount(context, "delete");
        this.#confirm(request);
        await resource.deleteResource(context, request).catch(this.#oldToken);
        return new Empty();
      }),
      list: (call: ListCall) =>
        void listTo(call, () => {
          this.#cancelled.signal.throwIfAborted();
          return this.#cancellableHost;
        }),
      invoke: this.#operation((request: pb.InvokeRequest) =>
        invoke(nameIn(request.getTok()), request, this.#cancellableHost.api),
      ),
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
      call: this.#operation((request: pb.CallRequest) => this.#call(request)),
    };
  }

  /** Wraps a handler that uses the API. After Pulumi has cancelled the update, it sends no requests. */
  #operation<Request, Response>(
    work: (request: Request) => Response | Promise<Response>,
  ): handleUnaryCall<Request, Response> {
    return this.#unary((request: Request) => {
      this.#cancelled.signal.throwIfAborted();
      return work(request);
    });
  }

  /** Wraps a handler, so that errors are converted to error responses. */
  #unary<Request, Response>(
    work: (request: Request) => Response | Promise<Response>,
  ): handleUnaryCall<Request, Response> {
    return ({ request }, callback) => {
      const reply = (async () => work(request))()
        .then(
          (response) => callback(null, response),
          (error) => callback(failureOf(error)),
        )
        .finally(() => this.#underWay.delete(reply));
      this.#underWay.add(reply);
    };
  }

  /**
   * Accepts one configuration, even if it is not valid. Every user of this machine can connect to the plugin, and could
   * otherwise have the next requests, and the token in the environment, sent to another address.
   */
  async #configure(request: pb.ConfigureRequest): Promise<pb.ConfigureResponse> {
    const inputs = fromStruct(request.getArgs()).bag;
    const config = rawConfig(inputs);
    if (this.#config && !isDeepStrictEqual(this.#config, config)) throw otherSettings();
    this.#requireOneService(config);
    this.#config = config;
    this.#recordedAccount = accountOfProvider(inputs);
    const missing = missingIn(config);
    if (missing.length) throw missingKeys(missing);
    const host = this.#host;
    await rejectInvalidToken(host).catch(this.#oldToken);
    await requireSameAccount(host, this.#recordedAccount, { isChange: false });
    this.#account = await currentAccount(host);
    startCommand(host);
    return configureResponse();
  }

  /**
   * Throws for another service than before, so that no other process can have the token of the environment sent there.
   * Settings with a token of their own can differ: a policy can change them after the check.
   */
  #requireOneService(config: RawConfig): void {
    const service = pick(config, ["cloudinfra:url", "cloudinfra:dialect", "cloudinfra:token"]);
    this.#service ??= service;
    if (config["cloudinfra:token"] === undefined && !isDeepStrictEqual(this.#service, service)) throw otherSettings();
  }

  async #read(request: pb.ReadRequest): Promise<pb.ReadResponse> {
    // A refresh removes an object that does not exist from the state, so it must not look in another account.
    const context = this.#contextOf(request, "read");
    if (resource.isRefresh(request)) await this.#requireAccount(context, "read");
    const response = await resource.readResource(context, request).catch(this.#oldToken);
    if (resource.isRefresh(request)) {
      this.#confirm(request);
      this.#refreshed.add(keyOf(request));
    } else this.#imported.add(`${request.getUrn()} ${response.getId()}`);
    return response;
  }

  async #call(request: pb.CallRequest): Promise<pb.CallResponse> {
    const { methodsOf } = await import("../functions/methods.js");
    const [type = "", name] = request.getTok().split("/");
    const method = methodsOf(kindOf(type)).find((method) => method.name === name);
    return callMethod(method, request, this.#cancellableHost.api);
  }

  #contextOf(request: ResourceRequest, operation?: LimitedOperation): resource.RequestContext {
    const urn = request.getUrn();
    const { type, name } = urnParts(urn);
    const messages = this.#messagesFor(urn);
    const connected = this.#connect(this.#config ?? {}, messages, this.#programRuns);
    const pendingBoots = this.#journal.pendingBoots(this.#journalKey, messages.warn);
    const own = {
      ...messages,
      urn,
      pendingBoots,
      adoptCommand: (kind: string) => adoptCommand(kind, { isNative: true }),
    };
    const isReadOnly = operation === undefined || operation === "read";
    const host = cancellable({ ...connected, ...own }, this.#cancelled.signal, { isReadOnly });
    const seconds = request.getTimeout?.();
    return {
      kind: kindOf(type),
      name,
      host: seconds && operation ? { ...host, limits: { [operation]: `${(seconds * 1000).toFixed(6)}ms` } } : host,
    };
  }

  /** Removes the record of a create request, because the state contains the id of its object. */
  #confirm(request: { getUrn(): string; getId(): string }): void {
    this.#journal.confirm(this.#journalKey, request.getUrn(), request.getId());
  }

  /** The connection to the API for requests that are not about a resource. */
  get #host(): Host {
    return this.#connect(this.#config ?? {}, this.#messagesFor(""), this.#programRuns);
  }

  get #cancellableHost(): Host {
    return cancellable(this.#host, this.#cancelled.signal, { isReadOnly: true });
  }

  /** Throws an error if the provider's resources belong to another account than the one at hand. */
  async #requireAccount({ kind, host }: resource.RequestContext, operation: LimitedOperation): Promise<void> {
    try {
      const ms = preparationMs(kind, host, operation);
      await requireSameAccount(host, this.#recordedAccount, { isChange: true, ms }).catch(this.#oldToken);
    } catch (error) {
      if (error instanceof AnotherAccountError) error.message = messageOnce(host, error);
      throw error;
    }
  }

  /**
   * Distinguishes accounts in the journal. If the account's id is not known, the token stands for the account, because
   * an object of another account at the same address must not be taken for that of an interrupted create. If the account
   * could not be read, it is the recorded one, because before each change it has to be read and compared.
   */
  get #journalKey(): string {
    const { id, address, failure }: CurrentAccount = this.#account ?? { address: this.#host.address };
    return (
      id ??
      (failure && this.#recordedAccount?.id) ??
      `${address} ${this.#config?.["cloudinfra:token"] ?? defaultsFor(this.#config?.["cloudinfra:dialect"]).token}`
    );
  }

  #messagesFor = (urn: string): Messages => this.#engine?.messagesFor(urn) ?? { warn: () => {}, progress: () => {} };

  #oldToken = (error: unknown): never => {
    if (this.#programRuns) throw error;
    return rejectedOldToken(error);
  };
}

const keyOf = (request: { getUrn(): string; getId(): string }): string => `${request.getUrn()} ${request.getId()}`;
