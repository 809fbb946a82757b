import { counted, firstOf, joined, kebab } from "../../api";
import { reportLine } from "../../provider/client/printable";
import { stackIn } from "../../stack/state";
import { CANNOT_UNDO, UNDO_REPLACES } from "../compare";
import { ALLOW_LIST } from "../findings";
import {
  type Bucket,
  type DriftReport,
  type Failure,
  type Finding,
  inBucket,
  type ProgramChange,
  resourceKey,
} from "../model";
import { limits } from "../scope";

export function text(report: DriftReport): string {
  const { unread, notes, coverage } = report;
  const lines = [
    ...section("Drift", report, "drift", nextSteps(report)),
    ...section("Accepted", report, "accepted"),
    ...section("Ignored", report, "ignored"),
    ...programLines(report),
    ...unmanagedLines(report),
    ...failureLines(report),
    ...(unread.length ? ["Not checked:", ...unread.flatMap(unreadLines), ""] : []),
    ...(coverage.notCompared.length ? [`Not compared: ${notComparedText(report)}.`, ""] : []),
    ...notes.map((note) => `Note: ${note}.`),
    ...(notes.length ? [""] : []),
    summary(report),
  ];
  return `${lines.map(reportLine).join("\n")}\n`;
}

export function summary(report: DriftReport): string {
  const { coverage, stacks, unread, failures = [] } = report;
  const [drift, accepted, ignored] = (["drift", "accepted", "ignored"] as const).map(
    (bucket) => inBucket(report, bucket).length,
  );
  const foreign = stacks.reduce((sum, stack) => sum + stack.foreign, 0);
  const counts = [
    drift ? counted(drift, "difference") : "no drift",
    ...(accepted ? [`${accepted} accepted`] : []),
    ...(ignored ? [`${ignored} ignored`] : []),
  ];
  const where = `${coverage.checked} of ${counted(coverage.resources, "resource")} in ${counted(stacks.length, "stack")}`;
  const rest = [
    ...(failures.length ? [`${counted(failures.length, "stack")} failed`] : []),
    ...(unread.length ? ["not all resources could be checked"] : []),
    ...(foreign ? [`${counted(foreign, "resource")} of other providers not checked`] : []),
    ...limitTexts(report),
  ];
  return `${counts.join(", ")} (checked ${[where, ...rest].join("; ")})`;
}

/** The limits of the check, such as `ignored kinds: Domain`. */
const limitTexts = (report: DriftReport): string[] =>
  (Object.keys(limits) as (keyof typeof limits)[]).flatMap((name) => {
    const values = report[name] ?? [];
    return values.length ? [`${kebab(name).replaceAll("-", " ")}: ${values.join(", ")}`] : [];
  });

export const changeText = ({ expected = "not set", actual = "not set" }: Finding): string => `${expected} → ${actual}`;

/** Maximum number of objects that the advice names. */
const MAX_NAMES = 3;

/**
 * Advice about drift. The command names its stack, because another one can be selected. Stacks of several projects can
 * have the same name.
 */
function nextSteps(report: DriftReport): string[] {
  const undone = inBucket(report, "drift").filter(({ reason = "" }) => !reason.startsWith(CANNOT_UNDO));
  const replaced = undone.filter(({ reason = "" }) => reason.startsWith(UNDO_REPLACES));
  const lost = [...new Set(replaced.map(({ title }) => title))];
  const [stack, ...others] = new Set(undone.map(stackIn));
  const name = others.length ? "NAME" : stack && stackArgument(stack);
  return [
    ...(undone.length ? [`  to undo these changes in the account: pulumi up --refresh --stack ${name}`] : []),
    ...(lost.length
      ? [
          `  Caution: that deletes ${lost.length > MAX_NAMES ? counted(lost.length, "object") : joined(lost, "and")} with all data. To keep ${lost.length > 1 ? "them" : "it"}, first declare the current values in the program`,
        ]
      : []),
    `  to accept one instead: copy what follows its "to accept it:" to ${ALLOW_LIST}, under "accept:"`,
  ];
}

/** The name of a stack for the Pulumi CLI in the folder of its project: without the project, unless it has an organization. */
function stackArgument(name: string): string {
  const [, stack, ...more] = name.split("/");
  return more.length || stack === undefined ? name : stack;
}

function section(title: string, report: DriftReport, bucket: Bucket, advice: readonly string[] = []): string[] {
  const findings = inBucket(report, bucket);
  if (!findings.length) return [];
  const byAddress = Map.groupBy(findings, resourceKey);
  return [`${title}:`, ...[...byAddress.values()].flatMap(resourceLines), ...advice, ""];
}

function resourceLines(findings: readonly Finding[]): string[] {
  const [first] = findings;
  if (!first) return [];
  return [`  ${first.address}  ${first.title}`, ...findings.flatMap(findingLines)];
}

/** The difference of a finding, such as `/size: 20 → 40`. */
export const findingText = (finding: Finding): string =>
  finding.type === "deleted" ? `deleted${withChildren(finding)}` : `${finding.path}: ${changeText(finding)}`;

function findingLines(finding: Finding): string[] {
  const { reason, bucket, allow } = finding;
  return [
    `    ${findingText(finding)}${reason ? ` (${reason})` : ""}`,
    ...(bucket === "drift" ? [`      to accept it: ${allow}`] : []),
  ];
}

/** The children of a finding, those in its stack without the name of the stack. */
function withChildren({ children = [], ...resource }: Finding): string {
  const stack = `${stackIn(resource)}/`;
  const names = children.map((address) => (address.startsWith(stack) ? address.slice(stack.length) : address));
  return names.length ? `, with ${names.join(", ")}` : "";
}

/** Formats a change that `pulumi preview` has reported, such as `update shop/dev/Volume/data (size)`. */
export const programText = ({ address, operation, inputs }: ProgramChange): string =>
  `${operation} ${address}${inputs.length ? ` (${inputs.join(", ")})` : ""}`;

function programLines({ program }: DriftReport): string[] {
  if (!program) return [];
  if (!program.length) return ["Program: nothing to apply", ""];
  return ["Program, not applied yet:", ...program.map((change) => `  ${programText(change)}`), ""];
}

export const shareText = ({ objects, managed, percent }: NonNullable<DriftReport["unmanaged"]>): string =>
  `${managed} of ${counted(managed + objects.length, "object")} managed (${percent} %)`;

function unmanagedLines({ unmanaged }: DriftReport): string[] {
  if (!unmanaged) return [];
  const { objects } = unmanaged;
  const share = shareText(unmanaged);
  if (!objects.length) return [`Unmanaged: none, ${share}`, ""];
  const lines = objects.flatMap(({ title, region, adopt }) => [
    `  ${title}${region ? ` in ${region}` : ""}`,
    `    to adopt it: ${adopt}`,
  ]);
  const all = "  to import all of them into a project of their own: npx cloudinfra import --out FOLDER --into STACK";
  return [`Unmanaged, ${share}:`, ...lines, all, ""];
}

/** Formats a stack that could not be checked, such as `shop/prod (12 resources)`. */
export const failedStack = ({ stack, resources }: Failure): string =>
  `${stack}${resources ? ` (${counted(resources, "resource")})` : ""}`;

function failureLines({ failures = [] }: DriftReport): string[] {
  if (!failures.length) return [];
  return ["Failed stacks:", ...failures.map((failure) => `  ${failedStack(failure)}: ${failure.reason}`), ""];
}

/** The names of the checked stacks, or their number if there are many. */
export const stackNames = ({ stacks }: Pick<DriftReport, "stacks">): string =>
  stacks.length > 5 ? counted(stacks.length, "stack") : stacks.map(({ name }) => name).join(", ");

const unreadLines = ({ kind, reason, resources }: DriftReport["unread"][number]): string[] => [
  `  ${kind}${resources.length ? ` (${counted(resources.length, "resource")})` : ""}: ${reason}`,
];

/** The number of inputs that a report names. */
const SHOWN = 3;

/** The inputs that were not compared, with the reasons. `shown` formats the name of an input. */
export function notComparedText(
  { coverage: { notCompared } }: DriftReport,
  shown: (input: string) => string = (input) => input,
): string {
  const inputs = (key: "secret" | "notReturned") =>
    notCompared
      .flatMap(({ address, [key]: names }) => names.map((name) => `${address} ${name}`))
      .sort()
      .map(shown);
  const [secret, hidden] = [inputs("secret"), inputs("notReturned")];
  return [
    ...(secret.length ? [`${counted(secret.length, "input")} encrypted in state (${firstOf(secret, SHOWN)})`] : []),
    ...(hidden.length
      ? [`${counted(hidden.length, "input")} that the API does not return (${firstOf(hidden, SHOWN)})`]
      : []),
  ].join(", ");
}
