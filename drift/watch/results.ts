import type { Hooks } from "../../provider/client/options";
import { type DriftReport, inBucket } from "../model";
import { counter, gauge, type Metric } from "./exposition";
import { uncheckedStacks } from "./open-findings";

interface StackCounts {
  stack: string;
  resources: number;
  drifted: number;
  missing: number;
  unchecked: number;
}

/** The results of the checks so far, as metrics. */
export class Results {
  readonly #requests = new Map<string, number>();
  readonly #checks = { success: 0, failure: 0 };
  #last: { at: number; stacks: StackCounts[]; failed: number; unmanaged: number | undefined } | undefined;
  #durationMs: number | undefined;

  /** Counts the requests to the API. */
  readonly hooks: Hooks = {
    response: ({ status }) => {
      const key = status === undefined ? "none" : `${status}`;
      this.#requests.set(key, (this.#requests.get(key) ?? 0) + 1);
    },
  };

  /** When the last check succeeded, in milliseconds since 1970. */
  get lastSuccessAt(): number | undefined {
    return this.#last?.at;
  }

  succeeded(report: DriftReport, at: number, durationMs: number): void {
    this.#checks.success++;
    this.#durationMs = durationMs;
    const failed = uncheckedStacks(report).length;
    this.#last = { at, stacks: countsOf(report), failed, unmanaged: report.unmanaged?.objects.length };
  }

  failed(durationMs: number): void {
    this.#checks.failure++;
    this.#durationMs = durationMs;
  }

  metrics(): Metric[] {
    const perStack = (key: Exclude<keyof StackCounts, "stack">) =>
      (this.#last?.stacks ?? []).map(({ stack, ...counts }) => ({ labels: { stack }, value: counts[key] }));
    return [
      gauge(
        "cloudinfra_drift_resources",
        "Resources of this provider in the stack, of the kinds that the check covers.",
        perStack("resources"),
      ),
      gauge("cloudinfra_drift_drifted_objects", "Objects with differences that are not accepted.", perStack("drifted")),
      gauge(
        "cloudinfra_drift_missing_objects",
        "Objects that the state contains and the account does not.",
        perStack("missing"),
      ),
      gauge(
        "cloudinfra_drift_unchecked_resources",
        "Resources that the last successful check could not read.",
        perStack("unchecked"),
      ),
      gauge(
        "cloudinfra_drift_unchecked_stacks",
        "Stacks that the last successful check could not check, such as one whose state could not be read.",
        one(this.#last?.failed),
      ),
      gauge(
        "cloudinfra_drift_unmanaged_objects",
        "Objects of the account that no checked stack manages.",
        one(this.#last?.unmanaged),
      ),
      gauge(
        "cloudinfra_drift_last_success_timestamp_seconds",
        "When the last successful check ended.",
        one(seconds(this.#last?.at)),
      ),
      gauge("cloudinfra_drift_check_duration_seconds", "Duration of the last check.", one(seconds(this.#durationMs))),
      counter(
        "cloudinfra_drift_checks_total",
        "Drift checks by result.",
        Object.entries(this.#checks).map(([result, value]) => ({ labels: { result }, value })),
      ),
      counter(
        "cloudinfra_api_requests_total",
        "Requests sent to the API, by status of the response; none means that there was none.",
        [...this.#requests].sort().map(([status, value]) => ({ labels: { status }, value })),
      ),
    ];
  }
}

const one = (value: number | undefined): Metric["samples"] => (value === undefined ? [] : [{ value }]);
const seconds = (ms: number | undefined): number | undefined => (ms === undefined ? undefined : ms / 1000);

/** The numbers of a report by stack. A deleted object counts together with the objects that were deleted with it. */
function countsOf(report: DriftReport): StackCounts[] {
  const drift = inBucket(report, "drift");
  const isIn = (stack: string) => (address: string) => address.startsWith(`${stack}/`);
  const addresses = (type: "changed" | "deleted"): string[] => [
    ...new Set(
      drift.filter((finding) => finding.type === type).flatMap(({ address, children = [] }) => [address, ...children]),
    ),
  ];
  const [changed, deleted] = [addresses("changed"), addresses("deleted")];
  const unread = report.unread.flatMap(({ resources }) => resources);
  const failed = new Map(report.failures?.map(({ stack, resources }) => [stack, resources]));
  return report.stacks.map(({ name, resources }) => ({
    stack: name,
    resources,
    drifted: changed.filter(isIn(name)).length,
    missing: deleted.filter(isIn(name)).length,
    unchecked: unread.filter(isIn(name)).length + (failed.get(name) ?? 0),
  }));
}
