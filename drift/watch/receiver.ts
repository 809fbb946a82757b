import { createHmac } from "node:crypto";
import { type Alert, slackBody, webhookBody } from "./alert";

/** A service that receives the alerts as POST requests. */
export interface Receiver {
  /** Name in metrics and messages, which never contain the address: that of Slack is a secret. */
  name: "webhook" | "slack";
  url: URL;
  request(alert: Alert, now: number): { headers: Record<string, string>; body: string };
}

/**
 * A webhook as described by Standard Webhooks (https://www.standardwebhooks.com), so that receivers can verify it with
 * a library of their language.
 */
export const webhook = (url: URL, key: Uint8Array): Receiver => ({
  name: "webhook",
  url,
  request(alert, now) {
    const [body, timestamp] = [webhookBody(alert), `${Math.floor(now / 1000)}`];
    const signature = createHmac("sha256", key).update(`${alert.id}.${timestamp}.${body}`).digest("base64");
    const signed = {
      "webhook-id": alert.id,
      "webhook-timestamp": timestamp,
      "webhook-signature": `v1,${signature}`,
    };
    return { headers: { ...json, ...signed }, body };
  },
});

/** An incoming webhook of Slack. */
export const slack = (url: URL): Receiver => ({
  name: "slack",
  url,
  request: (alert) => ({ headers: json, body: slackBody(alert) }),
});

const json = { "content-type": "application/json" };
