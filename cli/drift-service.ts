import { isIP } from "node:net";
import type { DriftReport, TimeLimit } from "../drift";
import { DriftWatch, type Listening, listen, type Receiver, slack, webhook } from "../drift/watch";
import { unencrypted } from "../provider/client/address";
import type { Hooks } from "../provider/client/options";
import { printable } from "../provider/client/printable";
import { DURATION, parseDuration } from "../provider/engine/time-limits";
import { UsageError } from "../stack/errors";
import type { DriftCommand } from "./drift/options";
import { printMessage } from "./say";
import { withinLimit } from "./time-limit";

const [SHORTEST_MS, LONGEST_MS] = [10_000, 86_400_000];

type CheckOnce = (limit: TimeLimit, hooks: Hooks) => Promise<DriftReport>;

/**
 * Runs `cloudinfra drift --watch --every`: repeats the check until SIGTERM or SIGINT, serves metrics and health, and
 * sends alerts to the receivers that the environment names. Exits with 1 if alerts could not be delivered.
 */
export async function driftService(options: DriftCommand, checkOnce: CheckOnce): Promise<void> {
  const everyMs = intervalOf(options);
  requireFiles(options);
  const address = addressOf(options.listen);
  const watch = new DriftWatch({
    check: (hooks) => withinLimit(options.timeout, (limit) => checkOnce(limit, hooks)),
    everyMs,
    // A check that starts late or takes its whole time limit does not make the service unhealthy.
    maxAgeMs: 2 * everyMs + parseDuration(options.timeout),
    receivers: receiversIn(process.env),
    log: (line) => printMessage(printable(line).replace(/\s*\n\s*/g, " ")),
    isFatal: (error) => error instanceof UsageError,
  });
  const stop = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    process.once(signal, () => {
      printMessage(`${signal}: ending the check in progress and sending the queued alerts`);
      stop.abort();
    });
  const server = await listening(watch, address);
  printMessage(`checking every ${options.every}; metrics at ${server.url}/metrics, health at ${server.url}/healthz`);
  try {
    process.exitCode = (await watch.run(stop.signal)) ? 1 : 0;
  } finally {
    await server.close();
  }
  // A check that did not end in time keeps connections or a process open.
  process.exit();
}

function intervalOf({ every = "", watch, timeout }: DriftCommand): number {
  if (watch === undefined) throw new UsageError("--every requires --watch");
  if (watch !== true)
    throw new UsageError(`--watch ${watch} and --every ${every} both set the interval: use --watch without a number`);
  const ms = DURATION.test(every) ? parseDuration(every) : 0;
  if (ms < SHORTEST_MS || ms > LONGEST_MS)
    throw new UsageError(`--every ${every}: must be a duration from 10s to 24h, such as 5m`);
  if (!DURATION.test(timeout))
    throw new UsageError(`--timeout ${timeout}: must be a duration such as 90s, 20m or 1h30m`);
  return ms;
}

/** The log is the only output of the service, so the reports need files. */
function requireFiles({ format, out }: DriftCommand): void {
  const problem = "with --every, each format needs a file: set --out once for each --format";
  if (out.includes("-")) throw new UsageError(`--out -: ${problem}`);
  if (format.length > out.length) throw new UsageError(problem);
}

const DEFAULT_ADDRESS = "127.0.0.1:4109";

/** The host and port of `--listen`. IPv6 addresses are in brackets. */
function addressOf(text = DEFAULT_ADDRESS): { host: string; port: number; text: string } {
  const [, ipv6, name, digits] = /^(?:\[([^\]]+)\]|([^:[\]]+)):(\d{1,5})$/.exec(text) ?? [];
  const host = ipv6 ?? name ?? "";
  const port = Number(digits);
  const isHost = ipv6 ? isIP(ipv6) === 6 : /^[\w.-]+$/.test(host);
  if (!isHost || !(port <= 65_535))
    throw new UsageError(
      `--listen ${text}: must be a host and a port from 0 to 65535, such as ${DEFAULT_ADDRESS}, 0.0.0.0:4109 or [::1]:4109`,
    );
  return { host, port, text };
}

const listenProblems: Readonly<Record<string, string>> = {
  EADDRINUSE: "the port is in use: choose another one, or stop the program that listens on it",
  EADDRNOTAVAIL: "this machine does not have the address",
  EACCES: "the port is reserved for root: choose one from 1024",
  ENOTFOUND: "the host is unknown",
};

async function listening(watch: DriftWatch, { text, ...address }: ReturnType<typeof addressOf>): Promise<Listening> {
  try {
    return await listen(watch, address);
  } catch (error) {
    const { code = "", message } = error as NodeJS.ErrnoException;
    throw new UsageError(`--listen ${text}: ${listenProblems[code] ?? message}`);
  }
}

/**
 * The receivers of alerts. They are set in the environment rather than as options, which other users of the machine
 * can read: the key and the address of a Slack webhook are secrets.
 */
function receiversIn(env: NodeJS.ProcessEnv): Receiver[] {
  const { CLOUDINFRA_WEBHOOK_URL, CLOUDINFRA_WEBHOOK_SECRET, CLOUDINFRA_SLACK_WEBHOOK_URL } = env;
  const receivers: Receiver[] = [];
  if (CLOUDINFRA_WEBHOOK_URL)
    receivers.push(
      webhook(urlIn("CLOUDINFRA_WEBHOOK_URL", CLOUDINFRA_WEBHOOK_URL), keyIn(CLOUDINFRA_WEBHOOK_SECRET ?? "")),
    );
  else if (CLOUDINFRA_WEBHOOK_SECRET)
    throw new UsageError("CLOUDINFRA_WEBHOOK_SECRET is set, but CLOUDINFRA_WEBHOOK_URL is not: set both or neither");
  if (CLOUDINFRA_SLACK_WEBHOOK_URL)
    receivers.push(slack(urlIn("CLOUDINFRA_SLACK_WEBHOOK_URL", CLOUDINFRA_SLACK_WEBHOOK_URL)));
  return receivers;
}

function urlIn(variable: string, text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password)
    throw new UsageError(
      `${variable} must be an http or https URL without username and password; the value is not shown, because it could contain a secret`,
    );
  if (unencrypted(url))
    printMessage(
      `Warning: the address in ${variable} is not encrypted: others on the network can read the alerts. Use https.`,
    );
  return url;
}

/** The key of the webhook's signatures, in the notation of Standard Webhooks. */
function keyIn(text: string): Buffer {
  const encoded = text.replace(/^whsec_/, "");
  const key = Buffer.from(encoded, "base64");
  if (!/^[A-Za-z0-9+/]+=*$/.test(encoded) || key.length < 24 || key.length > 64)
    throw new UsageError(
      `CLOUDINFRA_WEBHOOK_SECRET must be 24 to 64 bytes in Base64, with or without the prefix whsec_, such as the output of \`openssl rand -base64 32\`; ${text ? "the value is not shown" : "it is not set"}`,
    );
  return key;
}
