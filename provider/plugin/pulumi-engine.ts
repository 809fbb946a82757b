import * as grpc from "@grpc/grpc-js";
import { EngineClient } from "@pulumi/pulumi/proto/engine_grpc_pb";
import { LogRequest, LogSeverity } from "@pulumi/pulumi/proto/engine_pb";
import { printable } from "../client/printable";
import type { Messages } from "../pulumi/connection";

export interface MessageSink {
  /**
   * Functions for messages about a resource. Pulumi lists warnings below the resource. It shows a progress message as
   * the status of the resource, until the next message replaces it.
   */
  messagesFor(urn: string): Messages;
  /** Shows a line below a resource, which stays. */
  inform(urn: string, message: string): void;
}

/** The Pulumi process that started this plugin. */
export class PulumiEngineClient implements MessageSink {
  readonly #client: EngineClient;

  constructor(address: string) {
    // The engine runs on this machine, so a proxy in the environment is not for it.
    this.#client = new EngineClient(address, grpc.credentials.createInsecure(), { "grpc.enable_http_proxy": 0 });
  }

  messagesFor(urn: string): Messages {
    return {
      warn: (message) => this.#log({ urn, message, severity: LogSeverity.WARNING }),
      progress: (message) => this.#log({ urn, message, severity: LogSeverity.INFO, ephemeral: true }),
    };
  }

  inform(urn: string, message: string): void {
    this.#log({ urn, message, severity: LogSeverity.INFO });
  }

  /** Reports an error that does not belong to a resource. */
  fail(message: string): void {
    this.#log({ message, severity: LogSeverity.ERROR });
  }

  #log({ urn = "", message, severity, ephemeral = false }: LogLine): void {
    // Every message of the plugin passes here, and can contain text of the service.
    const line = new LogRequest().setUrn(urn).setMessage(printable(message));
    line.setSeverity(severity).setEphemeral(ephemeral);
    // Errors of logging are ignored, because a lost message must not fail an operation.
    this.#client.log(line, () => {});
  }

  /** Calls back when the Pulumi process has exited. */
  onDisconnect(disconnected: () => void): void {
    const channel = this.#client.getChannel();
    const watchState = (): void => {
      const state = channel.getConnectivityState(true);
      if (state === grpc.connectivityState.TRANSIENT_FAILURE) disconnected();
      else channel.watchConnectivityState(state, Number.POSITIVE_INFINITY, watchState);
    };
    watchState();
  }
}

interface LogLine {
  urn?: string;
  message: string;
  severity: LogSeverity;
  ephemeral?: boolean;
}
