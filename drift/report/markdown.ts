import { counted } from "../../api";
import { reportLine } from "../../provider/client/printable";
import { type DriftReport, type Failure, type Finding, inBucket } from "../model";
import { notComparedText, shareText, summary } from "./text";

/** Maximum number of table rows, so that the report fits into a comment on a pull request. */
const MAX_ROWS = 100;

/** Formats a report as Markdown, for a comment on a pull request. */
export function markdown(report: DriftReport): string {
  const [drift, accepted, ignored] = (["drift", "accepted", "ignored"] as const).map((bucket) =>
    inBucket(report, bucket),
  ) as [Finding[], Finding[], Finding[]];
  const sections = [
    `## ${drift.length ? "⚠️ Drift" : report.unread.length || report.failures?.length ? "Drift check incomplete" : "✅ No drift"}`,
    `${escaped(summary(report))}.`,
    ...(drift.length ? [table(drift), allowLines(drift)] : []),
    ...(report.failures?.length ? [failureTable(report.failures)] : []),
    ...(report.unread.length ? [unreadTable(report.unread)] : []),
    ...programSection(report),
    ...folded("Accepted", accepted),
    ...folded("Ignored", ignored),
    ...unmanagedSection(report),
    ...(report.coverage.notCompared.length ? [`Not compared: ${notComparedText(report, code)}.`] : []),
    ...report.notes.map((note) => `Note: ${escaped(note)}.`),
  ];
  return `${sections.join("\n\n")}\n`;
}

function table(findings: readonly Finding[]): string {
  const rows = findings.map((finding) => [
    code(finding.address),
    finding.type === "deleted" ? deletedText(finding) : code(finding.path ?? ""),
    finding.type === "deleted" ? "" : value(finding.expected),
    finding.type === "deleted" ? "" : value(finding.actual),
    escaped(finding.reason ?? ""),
  ]);
  const hasReason = rows.some((row) => row[4]);
  const columns = hasReason ? 5 : 4;
  return tableOf(
    ["Resource", "Path", "State", "Account", "Reason"].slice(0, columns),
    rows.map((row) => row.slice(0, columns)),
  );
}

const deletedText = ({ children = [] }: Finding): string =>
  children.length ? `deleted, with ${counted(children.length, "part")}` : "deleted";

const value = (text: string | undefined): string => (text === undefined ? "not set" : code(text));

const unreadTable = (unread: DriftReport["unread"]): string =>
  tableOf(
    ["Not checked", "Resources", "Reason"],
    unread.map(({ kind, resources, reason }) => [escaped(kind), String(resources.length), escaped(reason)]),
  );

const failureTable = (failures: readonly Failure[]): string =>
  tableOf(
    ["Failed stack", "Resources", "Reason"],
    failures.map(({ stack, resources, reason }) => [code(stack), String(resources), escaped(reason)]),
  );

const folded = (title: string, findings: readonly Finding[]): string[] =>
  findings.length ? [details(`${title}: ${counted(findings.length, "difference")}`, table(findings))] : [];

const allowLines = (findings: readonly Finding[]): string =>
  details(
    "Accept these differences in <code>cloudinfra.drift.yaml</code>",
    fenced(
      "yaml",
      [
        "accept:",
        ...limitRows(
          findings.map(({ allow }) => `  ${reportLine(allow)}`),
          "  # ",
        ),
      ].join("\n"),
    ),
  );

function programSection({ program }: DriftReport): string[] {
  if (!program?.length) return [];
  const rows = program.map(({ address, operation, inputs }) => [
    code(address),
    escaped(operation),
    escaped(inputs.join(", ")),
  ]);
  return [
    details("Changes of the program that are not applied yet", tableOf(["Resource", "Operation", "Inputs"], rows)),
  ];
}

function unmanagedSection({ unmanaged }: DriftReport): string[] {
  if (!unmanaged) return [];
  const { objects } = unmanaged;
  const share = shareText(unmanaged);
  if (!objects.length) return [`Unmanaged: none, ${share}.`];
  const rows = objects.map(({ title, region = "", adopt }) => [escaped(title), escaped(region), code(adopt)]);
  return [details(`Unmanaged: ${share}`, tableOf(["Object", "Region", "Adopt"], rows))];
}

const details = (title: string, content: string): string =>
  `<details>\n<summary>${title}</summary>\n\n${content}\n\n</details>`;

function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = rows.map((row) => `| ${row.join(" | ")} |`);
  return [`| ${head.join(" | ")} |`, `|${head.map(() => " --- |").join("")}`, ...limitRows(lines, "\n")].join("\n");
}

const limitRows = (lines: readonly string[], start: string): string[] =>
  lines.length > MAX_ROWS ? [...lines.slice(0, MAX_ROWS), `${start}… and ${lines.length - MAX_ROWS} more`] : [...lines];

function fenced(language: string, text: string): string {
  const fence = "`".repeat(Math.max(3, ...[...text.matchAll(/`+/g)].map(([run]) => run.length + 1)));
  return `${fence}${language}\n${text}\n${fence}`;
}

/** Escapes text for a table cell, so that nothing in it is Markdown or HTML. */
const escaped = (text: string): string =>
  reportLine(text)
    .replaceAll(/\s+/g, " ")
    .replaceAll(/[\\`*_[\]<>|#~&@]/g, (char) => `&#${char.charCodeAt(0)};`);

/** Formats code for a table cell as HTML, because not all Markdown renderers support escaped backticks and bars. */
const code = (text: string): string =>
  `<code>${reportLine(text)
    .replaceAll(/\s+/g, " ")
    .replaceAll(/[<>&|`*_\\[\]~@]/g, (char) => `&#${char.charCodeAt(0)};`)}</code>`;
