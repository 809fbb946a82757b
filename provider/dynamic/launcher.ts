import type { dynamic } from "@pulumi/pulumi";
import { cancellation } from "../client/time";
import type { Messages } from "../pulumi/connection";
import { limitHeapGrowth } from "../pulumi/heap";
import type { RawConfig } from "../pulumi/settings";

/** Prints messages to the output of the provider's process, which Pulumi shows line by line. */
export const terminalMessages: Messages = {
  warn: (message) => console.warn(`warning: ${message}`),
  progress: (message) => console.log(message),
};

const ignoredErrors = (): void => {};

/**
 * Ignores errors of writing output. After Pulumi has been killed, nothing reads the output. Pulumi's Node.js process
 * would then print an error for each failed write, which fails as well, until memory is exhausted.
 */
export function dropLostOutput(): void {
  for (const stream of [process.stdout, process.stderr])
    if (!stream.listeners("error").includes(ignoredErrors)) stream.on("error", ignoredErrors);
}

/** Milliseconds between two looks whether a process that Pulumi has left is idle. */
const LOOK_MS = 1_000;
/** Number of looks in a row that find the process idle, because Node.js does not list work in its thread pool. */
const IDLE_LOOKS = 10;

/** Whether the process waits only for new calls. Its server, input, output and errors (three pipes) are always open. */
function isIdle(): boolean {
  const open = process.getActiveResourcesInfo().filter((name) => !/^(TCPServerWrap|TTYWrap)$/.test(name));
  return open.length <= 3 && open.every((name) => name === "PipeWrap");
}

/**
 * Calls back when nothing listens on the engine's address any more. A lost connection alone can have other reasons, so
 * it is opened again.
 */
function whenEngineEnds(address: string, ended: () => void): void {
  // Node's own HTTP/2 is used, because the process can contain another version of gRPC than this package. It is loaded
  // only here, because that takes 25 ms in a process without gRPC, such as that of a command.
  const { connect } = require("node:http2") as typeof import("node:http2");
  const session = connect(`http://${address}`);
  session.unref();
  let [wasConnected, hasEnded] = [false, false];
  session.on("connect", () => {
    wasConnected = true;
  });
  session.on("error", ({ code }: NodeJS.ErrnoException) => {
    hasEnded = code === "ECONNREFUSED";
  });
  session.on("close", () => {
    if (hasEnded) ended();
    else setTimeout(() => whenEngineEnds(address, ended), wasConnected ? 0 : LOOK_MS).unref();
  });
}

const end = cancellation();

/** Aborted once the Pulumi process that has started this process does not exist any more. */
export const engineEnded: AbortSignal = end.signal;

/** The address of the engine. Undefined in a process that Pulumi has not started, such as that of a test. */
function engineAddress(): string | undefined {
  // Options of Pulumi, such as `--tracing`, come before the address.
  const address = process.argv.at(-1) ?? "";
  return /:\d+$/.test(address) ? address : undefined;
}

/** Keeps the heap small, but only in the process that Pulumi has started for dynamic resources. */
export function limitHeap(): void {
  if (engineAddress()) limitHeapGrowth(40);
}

let isWatching = false;

/**
 * Ends this process once the Pulumi process that has started it does not exist any more, as after `kill -9`, and no call
 * has been in progress for ten seconds. Otherwise it would wait for calls for ever. Calls of other packages' dynamic
 * resources run in the same process, so connections and timers of any package count.
 */
export function endWithPulumi(): void {
  const address = engineAddress();
  if (isWatching || !address) return;
  isWatching = true;
  whenEngineEnds(address, () => {
    end.abort(new Error("the Pulumi process has ended"));
    let looks = 0;
    setInterval(() => {
      looks = isIdle() ? looks + 1 : 0;
      if (looks >= IDLE_LOOKS) process.exit(0);
    }, LOOK_MS).unref();
  });
}

/** The lines of errors that the engine prints anyway, as Pulumi's Node.js process would print them. */
const repeated = new Set<string>();

/**
 * An error that is printed once. The engine prints its message with the name of the resource; Pulumi's Node.js process
 * would print it a second time, with its stack trace.
 */
export function printedOnce(error: Error, message: string): Error {
  Object.assign(error, { message, stack: "" });
  repeated.add(`${error}: ${error.stack}`);
  return error;
}

let filtered: typeof console.error | undefined;

/** Omits the second text of errors of {@link printedOnce} from the output of this process. */
export function omitRepeatedErrors(): void {
  const { error } = console;
  if (error === filtered) return;
  filtered = (...args: unknown[]) => {
    if (args.length !== 1 || !repeated.delete(String(args[0]))) error(...args);
  };
  console.error = filtered;
}

/**
 * The whole configuration of the stack. Pulumi's types only allow lookups of known keys, which would not find
 * misspelled settings.
 */
export const rawOf = (config: dynamic.Config): RawConfig => (config as { rawConfig?: RawConfig }).rawConfig ?? {};
