import type { Readable } from "node:stream";
import { request } from "undici";
import { endingOf } from "../client/ending";
import { CloudInfraError } from "../client/errors";
import type { Host } from "../engine";

/** Data that go to or from a URL which an operation gave out. The URL is as good as a password: no message has it. */
export interface Transfer {
  /** What messages call it. */
  what: string;
  method: "PUT" | "DELETE";
  /** Where to; asked anew for each attempt, since such URLs run out. */
  url: () => Promise<string>;
  headers?: Record<string, string>;
  /** What is sent, from its beginning for each attempt. */
  body?: () => Readable;
  /** The service takes it once: an attempt that may have been carried out is not repeated. */
  once?: true;
}

/** The data could not be transferred. */
export class TransferError extends CloudInfraError {
  override readonly name = "TransferError";

  constructor(
    what: string,
    why: string,
    /** What was answered; undefined when nothing was. */
    readonly status: number | undefined,
    readonly timedOut = false,
  ) {
    super(`${what}: ${why}`);
  }
}

const MOST_BYTES = 64 * 1024;

/** How long failures of the service or the network are waited out. */
const PATIENCE_MS = 60_000;

/** Sends the data and answers the headers of the answer; what fails for a while is repeated from the beginning, which comes to the same. */
export async function transfer(host: Connected, order: Transfer): Promise<Headers> {
  const until = host.now() + PATIENCE_MS;
  const tick = host.ticks();
  for (;;) {
    const outcome = await attempt(host, order);
    if ("headers" in outcome) return outcome.headers;
    if (!passes(outcome, order) || host.now() >= Math.min(until, host.deadline)) throw outcome.error;
    await tick("transfers");
  }
}

export type Connected = Pick<Host, "now" | "timer" | "ticks" | "deadline">;
type Headers = Record<string, string | string[] | undefined>;

interface Failure {
  error: TransferError;
  /** The error's code where nothing was answered. */
  code?: unknown;
}

async function attempt(
  host: Connected,
  { what, method, url, headers = {}, body }: Transfer,
): Promise<{ headers: Headers } | Failure> {
  const to = await url();
  const shown = (text: string): string => text.replaceAll(to, "[secret]");
  const bytes = body?.();
  const { signal, clear } = endingOf(host.deadline, undefined, host);
  try {
    const answer = await request(to, { method, headers, body: bytes ?? null, reset: true, signal });
    const said = await beginningOf(answer.body);
    if (answer.statusCode < 300) return { headers: answer.headers };
    const why = shown(`${answer.statusCode} ${reasonIn(said)}`.trim());
    return { error: new TransferError(what, why, answer.statusCode) };
  } catch (error) {
    const { message, code } = error as Error & { code?: unknown };
    return { error: new TransferError(what, shown(message || String(code)), undefined, signal.aborted), code };
  } finally {
    clear();
    bytes?.destroy();
  }
}

/** As much of a response as a reason takes; what is beyond that is not waited for. */
async function beginningOf(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > MOST_BYTES) break;
  }
  return Buffer.concat(chunks).toString();
}

/** Whether the next attempt may fare better. */
function passes({ error: { status }, code }: Failure, { once }: Transfer): boolean {
  // Nothing listens: nothing was sent.
  if (once) return status === 429 || code === "ECONNREFUSED";
  if (status !== undefined) return status >= 500 || status === 429 || status === 408;
  // The file has become longer or shorter since it was looked at, or is gone.
  return !/CONTENT_LENGTH|^E(NOENT|ACCES|ISDIR)$/.test(String(code));
}

/** The reason in a refusal: the standard protocol's XML or the service's JSON; of anything else nothing is shown. */
function reasonIn(text: string): string {
  const part = (name: string): string => new RegExp(`<${name}>([^<]*)</${name}>`).exec(text)?.[1] ?? "";
  if (text.includes("<Error>")) return [part("Code"), part("Message")].filter(Boolean).join(": ");
  return [...text.matchAll(/"reason":\s*"([^"]*)"/g)].map(([, reason]) => reason).join("; ");
}
