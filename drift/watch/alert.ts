import { randomUUID } from "node:crypto";
import { reportLine } from "../../provider/client/printable";
import type { Finding } from "../model";
import { findingText } from "../report/text";

/** `drift.changed` means that a value changed again while its finding was open. */
export type AlertType = "drift.found" | "drift.changed" | "drift.resolved";

/** One message to all receivers. */
export interface Alert {
  /** The same for each attempt to deliver the alert, so that a receiver can ignore a repeated one. */
  id: string;
  type: AlertType;
  /** When the check began that found the difference, in UTC. */
  at: string;
  /** The finding as in the report. Of a resolved one, that of the check that last reported it, or the accepted one. */
  finding: Finding;
}

export const alertOf = (type: AlertType, finding: Finding, at: string): Alert => ({
  id: `msg_${randomUUID()}`,
  type,
  at,
  finding,
});

/** The body of a webhook, in the structure that the Standard Webhooks specification recommends. */
export const webhookBody = ({ type, at, finding }: Alert): string =>
  JSON.stringify({ type, timestamp: at, data: { finding } });

/** The body for an incoming webhook of Slack. */
export const slackBody = (alert: Alert): string => JSON.stringify({ text: slackText(alert) });

function slackText({ type, finding }: Alert): string {
  const lines = [`*${titleOf(type, finding)}:* ${finding.address}, ${finding.title}`, findingText(finding)];
  if (finding.reason) lines.push(finding.reason);
  return lines.map((line) => withoutMarkup(reportLine(line))).join("\n");
}

function titleOf(type: AlertType, { bucket }: Finding): string {
  if (type === "drift.found") return "Drift";
  if (type === "drift.changed") return "Drift changed";
  return bucket === "drift" ? "Drift resolved" : `Drift ${bucket}`;
}

/** Escapes the three characters that Slack interprets, for example as a mention of everyone in `<!channel>`. */
const withoutMarkup = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** Describes an alert in a line of the log. Values are left out, so that the log does not repeat the report. */
export const alertText = ({ type, finding: { address, path = "deleted" } }: Alert): string =>
  `${type} ${address} ${path}`;
