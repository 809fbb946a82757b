import { createHash } from "node:crypto";
import type { Log, Result } from "sarif";
import { printableJson, reportLine } from "../../provider/client/printable";
import { version } from "../../provider/client/version";
import { type DriftReport, type Finding, inBucket } from "../model";
import { changeText, failedStack, summary } from "./text";

const SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";
const DOCS = "https://github.com/pulumi-cloudinfra/pulumi-cloudinfra/blob/main/docs/drift.md";

const rules = [
  { id: "drift-changed", shortDescription: { text: "An object was changed outside Pulumi." }, helpUri: DOCS },
  { id: "drift-deleted", shortDescription: { text: "An object was deleted outside Pulumi." }, helpUri: DOCS },
  { id: "unmanaged", shortDescription: { text: "No stack manages an object of the account." }, helpUri: DOCS },
];

/** Formats a report as SARIF, for code scanning services such as GitHub's. */
export function sarif(report: DriftReport): string {
  const { unread, unmanaged, failures = [] } = report;
  const log: Log = {
    $schema: SCHEMA,
    version: "2.1.0",
    runs: [
      {
        tool: {
          driver: {
            name: "cloudinfra drift",
            version,
            informationUri: "https://github.com/pulumi-cloudinfra/pulumi-cloudinfra",
            rules,
          },
        },
        invocations: [
          {
            executionSuccessful: unread.length === 0 && failures.length === 0,
            startTimeUtc: report.checkedAt,
            toolExecutionNotifications: [
              ...failures.map((failure) => notification("error", `${failedStack(failure)}: ${failure.reason}`)),
              ...unread.map(({ kind, reason }) => notification("error", `${kind}: ${reason}`)),
              notification("note", summary(report)),
            ],
          },
        ],
        results: [
          ...inBucket(report, "drift").map((finding) => resultOf(finding)),
          ...inBucket(report, "accepted").map((finding) => ({
            ...resultOf(finding),
            suppressions: [{ kind: "external" as const, justification: plainText(finding.reason ?? "") }],
          })),
          ...(unmanaged?.objects ?? []).map(
            ({ kind, id, title, adopt }): Result => ({
              ruleId: "unmanaged",
              level: "note",
              message: { text: plainText(`${title} is not managed by a stack. To adopt it: ${adopt}`) },
              ...placeOf(`${kind}/${id}`, ""),
            }),
          ),
        ],
      },
    ],
  };
  return `${printableJson(JSON.stringify(log, undefined, 2))}\n`;
}

/** Text of a message. In SARIF, `[text](target)` is a link, so no bracket is directly followed by a parenthesis. */
const plainText = (text: string): string => reportLine(text).replaceAll("](", "] (");

const notification = (level: "error" | "note", text: string) => ({ level, message: { text: plainText(text) } });

function resultOf(finding: Finding): Result {
  const { address, type, title, path = "", allow, reason } = finding;
  const what = type === "deleted" ? "was deleted" : `${path}: ${changeText(finding)}`;
  return {
    ruleId: `drift-${type}`,
    level: "error",
    message: { text: plainText(`${title} ${what}${reason ? ` (${reason})` : ""}. To accept it: ${allow}`) },
    ...placeOf(address, path),
  };
}

/**
 * Where code scanning shows a result. It requires a file, but a cloud resource does not belong to one, so every result
 * is shown in the project's `Pulumi.yaml`.
 */
function placeOf(address: string, path: string): Pick<Result, "locations" | "partialFingerprints"> {
  return {
    locations: [
      {
        physicalLocation: { artifactLocation: { uri: "Pulumi.yaml" }, region: { startLine: 1 } },
        logicalLocations: [{ fullyQualifiedName: reportLine(address), kind: "resource" }],
      },
    ],
    partialFingerprints: { "place/v1": createHash("sha256").update(`${address} ${path}`).digest("hex").slice(0, 32) },
  };
}
