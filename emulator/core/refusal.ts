import { breaches, type Rule, reasons } from "../../api";

/** One error in the API's form: `field` is a dotted path into the request body. */
export interface Reason {
  field?: string;
  reason: string;
}

/** An error response. Handlers throw it before they change anything, so that a rejected request has no effect. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly status: number;
  readonly reasons: readonly Reason[];

  constructor(status: number, reasons: string | readonly Reason[], field?: string) {
    const list = typeof reasons === "string" ? [said(reasons, field)] : reasons;
    super(list.map(({ field, reason }) => (field ? `${field}: ${reason}` : reason)).join("; "));
    this.status = status;
    this.reasons = list;
  }
}

export const notFound = (): Refusal => new Refusal(404, reasons.notFound);

/** Collects the errors of a request, so that one response lists all of them. */
export class Reasons {
  readonly list: Reason[] = [];

  add(reason: string, field?: string): void {
    this.list.push(said(reason, field));
  }

  /** Adds the reason unless the condition is true. */
  require(holds: boolean, reason: string, field?: string): void {
    if (!holds) this.add(reason, field);
  }

  /** Adds the violations of the contract's rules. */
  keep<T>(rules: readonly Rule<T>[], value: T): void {
    for (const { field, reason } of breaches(rules, value)) this.add(sentence(reason), field);
  }

  /** Throws the collected reasons, if there are any. */
  refuse(): void {
    if (this.list.length > 0) throw new Refusal(400, this.list);
  }
}

/**
 * The contract words reasons as ends of sentences, such as `must be at least 10`. The service returns them as whole
 * sentences.
 */
export const sentence = (reason: string): string => reason.charAt(0).toUpperCase() + reason.slice(1);

const said = (reason: string, field?: string): Reason => (field === undefined ? { reason } : { field, reason });
