import { hash } from "node:crypto";
import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { Webhook } from "standardwebhooks";
import type { Finding } from "../../../drift";
import type { Time } from "../../../provider/client/time";
import type { Traffic } from "../../../testing/native-plugin";
import { listening } from "../../listening";

/**
 * The behavior of a receiver: with `lose`, it accepts the alert, and the response is lost. `seconds` and `until`
 * are the two forms of `Retry-After`.
 */
export type Behavior =
  | "accept"
  | "lose"
  | "reset"
  | "hang"
  | { status: number }
  | { status: number; seconds: number }
  | { status: number; until: number };

interface Received {
  type: string;
  timestamp: string;
  data: { finding: Finding };
}

/** A webhook that verifies signatures, and that ignores an alert whose id it has accepted before. */
export async function webhookReceiver(
  secret: string,
  behavior: () => Behavior,
  { time, traffic, stall }: { time: Time; traffic: Traffic; stall(): () => void },
) {
  const accepted = new Map<string, { alert: string; digest: string; isConfirmed: boolean }>();
  const violations: string[] = [];
  const counts: Record<string, number> = {};
  let notBefore = 0;
  const respond = (response: ServerResponse, chosen: Behavior): void => {
    if (chosen === "accept") return void response.writeHead(204).end();
    if (chosen === "lose" || chosen === "reset") return void response.socket?.destroy();
    if (chosen === "hang") {
      traffic.ended();
      const resume = stall();
      return void response.on("close", () => {
        traffic.started();
        resume();
      });
    }
    const retryAfter =
      "seconds" in chosen ? `${chosen.seconds}` : "until" in chosen ? new Date(chosen.until).toUTCString() : undefined;
    if ("seconds" in chosen) notBefore = time.now() + chosen.seconds * 1000;
    if ("until" in chosen) notBefore = chosen.until;
    response.writeHead(chosen.status, retryAfter === undefined ? {} : { "retry-after": retryAfter }).end();
  };
  const server = await listening(async (request, response) => {
    const body = await text(request);
    const { "webhook-id": id = "" } = request.headers as Record<string, string>;
    if (!isSigned(secret, request.headers, body, time.now())) violations.push(`${id} is not signed`);
    if (time.now() < notBefore) violations.push(`${id} was sent before the time in Retry-After`);
    const [before, digest] = [accepted.get(id), hash("sha256", body)];
    if (before?.isConfirmed) violations.push(`${id} was sent again although it was accepted`);
    if (before && before.digest !== digest) violations.push(`${id} was sent again with another body`);
    const chosen = behavior();
    const name = typeof chosen === "string" ? chosen : Object.keys(chosen).join(" ");
    counts[name] = (counts[name] ?? 0) + 1;
    if (chosen === "accept" || chosen === "lose")
      accepted.set(id, { alert: alertIn(body), digest, isConfirmed: chosen === "accept" });
    respond(response, chosen);
  });
  return {
    url: new URL(server.url),
    violations,
    /** Number of requests by behavior. */
    counts,
    /** The accepted alerts in their order, each once. */
    get alerts(): string[] {
      return [...accepted.values()].map(({ alert }) => alert);
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

/** The parts of an alert that an expectation knows, with the time of the check first. */
function alertIn(body: string): string {
  const { type, timestamp, data } = JSON.parse(body) as Received;
  const { address, path, expected, actual } = data.finding;
  const rest = path === undefined ? ["deleted"] : [path, `${expected} → ${actual}`];
  return [timestamp, type, address, ...rest].join(" ");
}

/** Whether the signature is valid, and no older than the five minutes that the specification allows. */
function isSigned(secret: string, headers: IncomingHttpHeaders, body: string, now: number): boolean {
  const { "webhook-id": id = "", "webhook-timestamp": seconds = "" } = headers as Record<string, string>;
  const at = new Date(Number(seconds) * 1000);
  return (
    Math.abs(now - at.getTime()) <= 300_000 && headers["webhook-signature"] === new Webhook(secret).sign(id, at, body)
  );
}

/** A receiver for Slack's messages that accepts all of them. */
export async function slackReceiver() {
  let messages = 0;
  const server = await listening(async (request, response) => {
    if (/^\*Drift/.test(JSON.parse(await text(request)).text)) messages++;
    response.writeHead(200).end("ok");
  });
  return {
    url: new URL(server.url),
    get messages(): number {
      return messages;
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}
