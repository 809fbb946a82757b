import { Server, ServerCredentials } from "@grpc/grpc-js";
import { ResourceProviderService } from "@pulumi/pulumi/proto/provider_grpc_pb";
import { version } from "../client/version";
import { textOf } from "../pulumi/report";
import { PulumiEngineClient } from "./pulumi-engine";
import { Service } from "./service";

/** Maximum size of a message in bytes. All properties of a resource are in one message. */
const LARGEST_MESSAGE = 400 * 1024 * 1024;

// Excludes the environment from the report that Node.js writes after a crash, because the environment contains the
// token.
if (process.report) process.report.excludeEnv = true;

/** Responses to users who start the plugin themselves. */
const notices: Readonly<Record<string, string>> = {
  "--version": version,
  "--help":
    "The provider plugin of Pulumi for the Cloud Infrastructure API. Pulumi starts it, with the address of its engine " +
    "as the argument; without an argument, it prints its port and waits for Pulumi (PULUMI_DEBUG_PROVIDERS).",
};

let engine: PulumiEngineClient | undefined;

function attach(address: string): PulumiEngineClient {
  engine = new PulumiEngineClient(address);
  engine.onDisconnect(() => end(false));
  return engine;
}

const service = new Service(attach);
// Options of Pulumi, such as `--tracing`, come before the address of the engine.
const address = process.argv.slice(2).at(-1);
const notice = notices[address ?? ""];
if (notice) {
  console.log(notice);
  process.exit();
}
if (address) service.attach(address);

/** Waits for the calls in progress, then exits. */
const end = async (isSaved: boolean): Promise<void> => {
  await service.end({ isSaved });
  process.exit(0);
};

// An unexpected error must not end the process while other requests create objects, because their ids would be lost.
const report = (error: unknown): void => engine?.fail(textOf(error));
process.on("uncaughtException", report).on("unhandledRejection", report);
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => end(true));

const server = new Server({
  "grpc.max_receive_message_length": LARGEST_MESSAGE,
  "grpc.max_send_message_length": LARGEST_MESSAGE,
});
server.addService(ResourceProviderService, service.handlers);
server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, port) => {
  if (error) throw error;
  // Pulumi reads the port from the first line of the output.
  console.log(port);
});
