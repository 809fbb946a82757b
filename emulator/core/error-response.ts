import { breaches, type Rule, reasons } from "../../api";

/** One error in an error response. `field` is the dotted path of a field in the request body. */
export interface Reason {
  field?: string;
  reason: string;
}

/**
 * An error response, as an exception. Handlers throw it before they change anything, so that a rejected request has no
 * effect.
 */
export class ErrorResponse extends Error {
  override readonly name = "ErrorResponse";
  readonly status: number;
  readonly reasons: readonly Reason[];

  constructor(status: number, reasons: string | readonly Reason[], field?: string) {
    const list = typeof reasons === "string" ? [reasonOf(reasons, field)] : reasons;
    super(list.map(({ field, reason }) => (field ? `${field}: ${reason}` : reason)).join("; "));
    this.status = status;
    this.reasons = list;
  }
}

export const notFound = (): ErrorResponse => new ErrorResponse(404, reasons.notFound);

/** Collects the errors of a request, so that the response lists all of them. */
export class Reasons {
  readonly list: Reason[] = [];

  add(reason: string, field?: string): void {
    this.list.push(reasonOf(reason, field));
  }

  addUnless(holds: boolean, reason: string, field?: string): void {
    if (!holds) this.add(reason, field);
  }

  addBreaches<T>(rules: readonly Rule<T>[], value: T): void {
    for (const { field, reason } of breaches(rules, value)) this.add(sentence(reason), field);
  }

  /** Throws an error response with the collected errors, if there are any. */
  throwIfAny(): void {
    if (this.list.length > 0) throw new ErrorResponse(400, this.list);
  }
}

/** Capitalizes a reason such as `must be at least 10`, because the service returns whole sentences. */
export const sentence = (reason: string): string => reason.charAt(0).toUpperCase() + reason.slice(1);

const reasonOf = (reason: string, field?: string): Reason => (field === undefined ? { reason } : { field, reason });
