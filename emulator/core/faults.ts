import { z } from "zod";
import { didYouMean } from "../../api";
import { ErrorResponse } from "./error-response";

export const faultKinds = [
  "status",
  "delay",
  "cut-before",
  "cut-after",
  "cut-mid",
  "cut-late",
  "stall-before",
  "stall-after",
  "html",
  "busy",
  "job-fail",
  "job-stall",
] as const;

/** A fault to inject: which requests it applies to, and what happens to them. */
export type FaultSpec = z.input<typeof FaultSpec>;
const Fields = z.strictObject({
  method: z
    .enum(["GET", "POST", "PUT", "DELETE"])
    .optional()
    .describe("Method of the requests. If omitted, every method matches."),
  path: z
    .string()
    .optional()
    .describe(
      "Requests that match: a path such as `/v4/volumes/*` (`*` matches within a segment, `**` also across segments) or an operation such as `volumes.create`. If omitted, every path matches.",
    ),
  nth: z
    .int()
    .min(1)
    .default(1)
    .describe("Position of the first matching request that the fault affects. 1 is the next matching request."),
  times: z.int().min(1).default(1).describe("Number of matching requests that the fault affects."),
  kind: z.enum(faultKinds),
  status: z
    .int()
    .min(400)
    .max(599)
    .default(500)
    .describe("Status code of the response. Only for faults of the kinds `status` and `html`."),
  reason: z
    .string()
    .min(1)
    .optional()
    .describe("Reason in the error response, such as `Compute busy.`. Only for faults of the kind `status`."),
  retryAfter: z
    .int()
    .min(0)
    .optional()
    .describe("Value of the response header `Retry-After`, in seconds. Only for faults of the kind `status`."),
  delay: z
    .int()
    .min(0)
    .max(600_000)
    .default(1000)
    .describe(
      "Delay in milliseconds: of the response for faults of the kind `delay`, and of the effect for those of the kind `cut-late`.",
    ),
});

export const FaultSpec = Fields.superRefine(({ kind, reason, retryAfter }, { addIssue }) => {
  for (const [field, value] of Object.entries({ reason, retryAfter }))
    if (value !== undefined && kind !== "status")
      addIssue({
        code: "custom",
        path: [field],
        message: `only applies to faults of the kind "status", not "${kind}"`,
      });
});

export type Fault = z.output<typeof FaultSpec> & { id: number; seen: number; hits: number };

/**
 * How a fault interrupts a request. The connection is closed before or after the request is handled, or in the middle
 * of the response. With `cut-late`, the request is handled some time after that. With `stall`, it stays open without a response.
 */
export type Cut = "before" | "after" | "mid" | "stall";

export const cuts: Partial<Record<Fault["kind"], { when: "before" | "after"; cut: Cut }>> = {
  "cut-before": { when: "before", cut: "before" },
  "cut-after": { when: "after", cut: "after" },
  "cut-mid": { when: "after", cut: "mid" },
  "cut-late": { when: "before", cut: "before" },
  "stall-before": { when: "before", cut: "stall" },
  "stall-after": { when: "after", cut: "stall" },
};

export class Faults {
  #faults: (Fault & { matches: (request: Request) => boolean })[] = [];
  #next = 1;
  readonly #cleared: () => void;
  readonly #operations: readonly string[];
  /** Beginnings of the paths of uploads and downloads. */
  readonly #dataPrefixes: readonly string[];
  /**
   * Called when a fault is added. A test with a virtual clock sets this callback, to count pending requests only if a
   * fault can stall them.
   */
  added = (_fault: Fault): void => {};
  /**
   * Called when a fault stalls a request. A test with a virtual clock sets it, to advance the clock to the request's
   * timeout.
   */
  stalls = (): void => {};

  constructor(cleared: () => void, operations: readonly string[], dataPrefixes: readonly string[]) {
    this.#cleared = cleared;
    this.#operations = operations;
    this.#dataPrefixes = dataPrefixes;
  }

  add(spec: FaultSpec): Fault {
    const fault = z.parse(FaultSpec, spec);
    this.#requireOperation(fault.path);
    this.#rejectLateData(fault);
    const full = { ...fault, id: this.#next++, seen: 0, hits: 0, matches: matcher(fault) };
    this.#faults.push(full);
    this.added(full);
    return withoutMatcher(full);
  }

  /** Throws a 400 for the name of an operation that does not exist, because the fault would never have an effect. */
  #requireOperation(path: string | undefined): void {
    if (path === undefined || path.startsWith("/")) return;
    const pattern = glob(path);
    if (this.#operations.some((name) => pattern.test(name))) return;
    throw new ErrorResponse(
      400,
      `There is no operation ${JSON.stringify(path)}${didYouMean(path, this.#operations)}`,
      "path",
    );
  }

  /** Throws a 400 for uploads and downloads that would be carried out late, because their bodies are not stored. */
  #rejectLateData({ kind, path }: z.output<typeof FaultSpec>): void {
    if (kind !== "cut-late" || !this.#dataPrefixes.some((prefix) => path?.startsWith(prefix))) return;
    throw new ErrorResponse(
      400,
      `Must not be "cut-late" for ${JSON.stringify(path)}: uploads and downloads cannot be carried out late, because their bodies are not stored; use "cut-before" or "cut-after"`,
      "kind",
    );
  }

  list(): Fault[] {
    return this.#faults.map(withoutMatcher);
  }

  /** Removes all faults, and continues the jobs that a fault has stalled. */
  clear(): void {
    this.#faults = [];
    this.#cleared();
  }

  /**
   * Returns the fault to inject into the request. The request is counted for every fault whose method and path match,
   * because a fault with `nth: 2` starts with the second matching request.
   */
  hit(request: Request): Fault | undefined {
    let hit: Fault | undefined;
    for (const fault of this.#faults) {
      if (!fault.matches(request)) continue;
      fault.seen++;
      if (hit || fault.seen < fault.nth || fault.hits >= fault.times) continue;
      fault.hits++;
      hit = fault;
    }
    return hit;
  }
}

interface Request {
  method: string;
  path: string;
  /** The operation that the request calls; undefined for unknown paths. */
  operation: string | undefined;
}

const withoutMatcher = ({ matches: _, ...fault }: Fault & { matches: unknown }): Fault => fault;

function matcher({ method, path }: z.output<typeof FaultSpec>): (request: Request) => boolean {
  const pattern = path === undefined ? undefined : glob(path);
  const byPath = path?.startsWith("/");
  return (request) => {
    if (method && method !== request.method) return false;
    if (!pattern) return true;
    return byPath
      ? pattern.test(request.path) || pattern.test(request.path.replace(/^\/v4(beta)?(?=\/)/, ""))
      : request.operation !== undefined && pattern.test(request.operation);
  };
}

function glob(text: string): RegExp {
  const escaped = text.replace(/[.+?^${}()|[\]\\]/g, "\\$&");
  return new RegExp(`^${escaped.replace(/\*+/g, (stars) => (stars.length > 1 ? ".*" : "[^/]*"))}$`);
}
