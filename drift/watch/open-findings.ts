import { isStackNamed, stackIn } from "../../stack/state";
import { type DriftReport, type Finding, inBucket, resourceKey } from "../model";
import { type Alert, alertOf } from "./alert";

/** The findings that were alerted and are not resolved. Compares each report with them. */
export class OpenFindings {
  readonly #open = new Map<string, Finding>();

  /** The alerts for the differences between the report and the one before it. */
  update(report: DriftReport): Alert[] {
    const current = byKey(inBucket(report, "drift"));
    const opened = [...current].flatMap(([key, finding]) => {
      const before = this.#open.get(key);
      if (!before) return [alertOf("drift.found", finding, report.checkedAt)];
      return isSameValue(before, finding) ? [] : [alertOf("drift.changed", finding, report.checkedAt)];
    });
    const all = byKey(report.findings);
    const isStillOpen = unresolvedIn(report);
    const resolved = [...this.#open]
      .filter(([key, finding]) => !current.has(key) && !isStillOpen(finding))
      .map(([key, finding]) => ({ key, alert: alertOf("drift.resolved", all.get(key) ?? finding, report.checkedAt) }));
    for (const { key } of resolved) this.#open.delete(key);
    for (const [key, finding] of current) this.#open.set(key, finding);
    return [...opened, ...resolved.map(({ alert }) => alert)];
  }
}

/**
 * Whether a finding that is missing from the report is still open: its resource or its whole stack was not checked, or
 * its object is deleted. A report has only the deletion then, of the object itself or of the one that contained it.
 */
function unresolvedIn(report: DriftReport): (finding: Finding) => boolean {
  const unread = new Set(report.unread.flatMap(({ resources }) => resources));
  const failed = uncheckedStacks(report);
  const deletions = inBucket(report, "drift").filter(({ type }) => type === "deleted");
  const deleted = new Set(deletions.map(resourceKey));
  const deletedParts = new Set(deletions.flatMap(({ children = [] }) => children));
  return (finding) =>
    unread.has(finding.address) ||
    failed.some((stack) => isStackNamed(stack, stackIn(finding))) ||
    deleted.has(resourceKey(finding)) ||
    deletedParts.has(finding.address);
}

/** The failed stacks that were not checked. Others failed only because their own token is wrong. */
export const uncheckedStacks = ({ failures = [], stacks }: DriftReport): string[] =>
  failures.flatMap(({ stack, resources }) => (resources || !stacks.some(({ name }) => name === stack) ? [stack] : []));

const byKey = (findings: readonly Finding[]): Map<string, Finding> =>
  new Map(findings.map((finding) => [JSON.stringify([resourceKey(finding), finding.type, finding.path]), finding]));

const isSameValue = (a: Finding, b: Finding): boolean => a.expected === b.expected && a.actual === b.actual;
