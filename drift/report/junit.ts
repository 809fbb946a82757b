import XMLBuilder from "fast-xml-builder";
import { reportLine } from "../../provider/client/printable";
import { type DriftReport, type Finding, inBucket } from "../model";
import { changeText, summary } from "./text";

/**
 * Formats a report as JUnit XML, which build servers show as test results: a suite for each stack, a failure for each
 * difference, and a passed test for each object without one.
 */
export function junit(report: DriftReport): string {
  // A stack whose state could not be read has only a failure.
  const names = new Set(
    [...report.stacks, ...(report.failures ?? []).map(({ stack: name }) => ({ name }))].map(({ name }) => name),
  );
  const suites = [...names].map((name, i) => suiteOf(report, name, i));
  const builder = new XMLBuilder({
    ignoreAttributes: false,
    attributeNamePrefix: "@",
    format: true,
    suppressEmptyNode: true,
    suppressBooleanAttributes: false,
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n${builder.build({ testsuites: { testsuite: suites } })}`;
}

function suiteOf(report: DriftReport, stack: string, id: number) {
  const isOfStack = (address: string): boolean => address.startsWith(`${stack}/`);
  const [drift, accepted] = (["drift", "accepted"] as const).map((bucket) =>
    inBucket(report, bucket).filter(({ address }) => isOfStack(address)),
  ) as [Finding[], Finding[]];
  // A failure to list a kind of object, such as volumes, does not belong to a particular stack. It is reported in the
  // suite of the first stack.
  const unread = report.unread.filter(({ resources }) => resources.some(isOfStack) || (!resources.length && id === 0));
  const failures = (report.failures ?? []).filter((failure) => failure.stack === stack);
  const cases = [
    ...failures.map(({ reason }) =>
      caseOf(stack, stack, { error: { "@type": "failed", "@message": reportLine(reason) } }),
    ),
    ...drift.map((finding) => caseOf(stack, caseName(finding), { failure: failureOf(finding) })),
    ...unread.map(({ kind, reason }) =>
      caseOf(stack, kind, { error: { "@type": "unread", "@message": reportLine(reason) } }),
    ),
    ...accepted.map((finding) => caseOf(stack, caseName(finding), {})),
    ...report.objects.flatMap(({ address, status }) =>
      address !== undefined && status === "unchanged" && isOfStack(address) ? [caseOf(stack, address, {})] : [],
    ),
  ];
  return {
    "@id": id,
    "@package": "cloudinfra",
    "@name": reportLine(stack),
    "@timestamp": report.checkedAt.slice(0, 19),
    "@hostname": "localhost",
    "@tests": Math.max(cases.length, 1),
    "@failures": drift.length,
    "@errors": unread.length + failures.length,
    "@time": 0,
    properties: { property: { "@name": "tool", "@value": "cloudinfra drift" } },
    testcase: cases.length ? cases : [caseOf(stack, "no drift", {})],
    "system-out": reportLine(summary(report)),
    "system-err": "",
  };
}

const caseOf = (stack: string, name: string, outcome: object) => ({
  "@name": reportLine(name),
  "@classname": reportLine(stack),
  "@time": 0,
  ...outcome,
});

const caseName = ({ address, path, type }: Finding): string => `${address} ${type === "deleted" ? "exists" : path}`;

const failureOf = (finding: Finding) => ({
  "@type": finding.type,
  "@message": reportLine(finding.type === "deleted" ? `${finding.title} was deleted` : changeText(finding)),
  "#text": reportLine(`${finding.reason ? `Note: ${finding.reason}. ` : ""}To accept it: ${finding.allow}`),
});
