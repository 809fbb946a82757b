import { createHash } from "node:crypto";
import { counted } from "../../api";
import { alphabet } from "../../provider/pulumi/order";
import { type AccountObject, type DriftReport, type Finding, inBucket } from "../model";
import { byImportance, countedLabelOf, labelOf, legend, picture, statuses } from "./page/picture";
import { placeOf } from "./page/place";
import { script } from "./page/script";
import { style } from "./page/style";
import { attribute, escapeHtml } from "./page/text";
import { failedStack, notComparedText, programText, stackNames, summary } from "./text";

/** An HTML page that works offline. It shows a diagram of the account next to a list of the objects. */
export function html(report: DriftReport): string {
  const { objects, notes, unread, failures = [] } = report;
  const anchors = new Map(objects.map((object) => [object, anchorOf(object)]));
  const findings = Map.groupBy(report.findings, ({ address }) => address);
  const adoptLines = new Map(report.unmanaged?.objects.map((object) => [anchorOf(object), object.adopt]));
  const title = `Drift of ${stackNames(report)}`;
  const remarks = [
    ...failures.map((failure) => `Failed: ${failedStack(failure)}: ${failure.reason}.`),
    ...unread.map(({ kind, reason }) => `${kind} not checked: ${reason}.`),
    ...(report.coverage.notCompared.length ? [`Not compared: ${notComparedText(report)}.`] : []),
    ...(report.program ?? []).map((change) => `Program, not applied yet: ${programText(change)}.`),
    ...notes.map((note) => `${note}.`),
  ];
  const list = [...objects].sort(byStatus).map((object) => {
    const anchor = anchors.get(object) ?? "";
    return item(object, anchor, findings.get(object.address ?? "") ?? [], adoptLines.get(anchor));
  });
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src '${hashOf(style)}'; script-src '${hashOf(script)}'; base-uri 'none'; form-action 'none'">
<title>${escapeHtml(title)}</title>
<style>${style}</style>
</head>
<body>
<a class="skip" href="#list">Skip to the list</a>
<header>
<h1>${escapeHtml(title)}</h1>
<p><strong>${escapeHtml(summary(report))}</strong></p>
<p class="soft">Checked at <time datetime=${attribute(report.checkedAt)}>${escapeHtml(minuteOf(report.checkedAt))}</time></p>
<p class="soft" id="stats">${counted(objects.length, "object")}, by result:</p>
<ul class="stats" aria-labelledby="stats">${stats(objects)}</ul>
${remarks.length ? `<ul>${remarks.map((remark) => `<li>${escapeHtml(remark)}</li>`).join("")}</ul>` : ""}
</header>
<main>
<section aria-labelledby="picture-title">
<h2 id="picture-title">Account</h2>
<ul class="legend">${legend(objects)}</ul>
${picture(objects, anchors)}
</section>
<section aria-labelledby="list">
<h2 id="list" tabindex="-1">Objects</h2>
<form role="search" aria-label="Filter the objects">
<label>Search<input name="search" type="search" autocomplete="off"></label>
${select("Status", "status", ["changed", ...statuses], inBucket(report, "drift").length ? "changed" : "")}
${select("Kind", "kind", valuesOf(objects, "kind"))}
${select("Region", "region", valuesOf(objects, "region"))}
<button type="reset">Reset</button>
</form>
<p id="count" class="soft" role="status">${objects.length} objects</p>
<ul class="objects">
${list.join("\n")}
</ul>
<button type="button" id="more" hidden></button>
</section>
</main>
<script>${script}</script>
</body>
</html>
`;
}

/** Formats a time such as `2026-11-22T10:00:00.000Z` as `2026-11-22 10:00 UTC`. */
const minuteOf = (time: string): string => `${time.slice(0, 16).replace("T", " ")} UTC`;

/** Shows the number of objects for each status that occurs. */
function stats(objects: readonly AccountObject[]): string {
  const groups = Map.groupBy(objects, ({ status }) => status);
  return statuses
    .flatMap((status) => {
      const count = groups.get(status)?.length;
      return count ? [`<li class="s-${status}"><b>${count}</b> ${countedLabelOf(status)}</li>`] : [];
    })
    .join("");
}

const hashOf = (text: string): string => `sha256-${createHash("sha256").update(text).digest("base64")}`;

const anchorOf = ({ address, kind, id }: Pick<AccountObject, "address" | "kind" | "id">): string =>
  address ?? `${kind}/${id}`;

const byStatus = (a: AccountObject, b: AccountObject): number =>
  byImportance(a, b) || alphabet.compare(anchorOf(a), anchorOf(b));

const valuesOf = (objects: readonly AccountObject[], key: "kind" | "region"): string[] =>
  [...new Set(objects.flatMap((object) => object[key] ?? []))].sort();

function select(label: string, name: string, values: readonly string[], chosen = ""): string {
  const options = values.map(
    (value) => `<option value=${attribute(value)}${value === chosen ? " selected" : ""}>${escapeHtml(value)}</option>`,
  );
  return `<label>${label}<select name="${name}"><option value="">all</option>${options.join("")}</select></label>`;
}

function item(object: AccountObject, anchor: string, findings: readonly Finding[], adopt: string | undefined): string {
  const { title, address = "", kind, id, status, region = "" } = object;
  const text = [title, address, kind, id, region, ...findings.map(({ path = "" }) => path)].join(" ").toLowerCase();
  return [
    `<li id=${attribute(anchor)} tabindex="-1" data-status="${status}" data-kind=${attribute(kind)} data-region=${attribute(region)} data-text=${attribute(text)}>`,
    `<p class="head"><span class="status s-${status}">${labelOf(status)}</span> `,
    `<a href=${attribute(`#${encodeURIComponent(anchor)}`)}>${escapeHtml(title)}</a></p>`,
    `<p class="soft">${escapeHtml([address, region].filter(Boolean).join(" · "))}</p>`,
    ...(findings.length ? [differences(findings)] : []),
    ...(adopt ? [`<pre>${escapeHtml(adopt)}</pre>`] : []),
    "</li>",
  ].join("");
}

function differences(findings: readonly Finding[]): string {
  const changed = findings.filter(({ type }) => type === "changed").map(difference);
  const drift = findings.filter(({ bucket }) => bucket === "drift");
  const allow = drift.length
    ? `<details><summary>Accept it</summary><pre>${["accept:", ...drift.map(({ allow }) => escapeHtml(`  ${allow}`))].join("\n")}</pre></details>`
    : "";
  return `${changed.join("")}${allow}`;
}

/** One changed input: what it is in words, its path, both values, and the result if it is not simply drift. */
function difference({ path = "", expected = "not set", actual = "not set", bucket, reason }: Finding): string {
  const values = [
    ["State", expected],
    ["Account", actual],
  ].map(([name, text = ""]) => `<dt>${name}</dt><dd><code>${escapeHtml(text)}</code></dd>`);
  const result = bucket === "drift" ? reason : reason ? `${bucket}: ${reason}` : bucket;
  return [
    `<div class="difference"><p>${escapeHtml(placeOf(path))} <code class="soft">${escapeHtml(path)}</code></p>`,
    `<dl>${values.join("")}</dl>`,
    ...(result ? [`<p class="soft">${escapeHtml(result)}</p>`] : []),
    "</div>",
  ].join("");
}
