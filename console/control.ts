/** Why the control interface has rejected a request, as a whole or because of a field. */
interface Reason {
  field?: string;
  reason: string;
}

/** The control interface has rejected a request. */
export class Rejected extends Error {
  constructor(
    readonly reasons: readonly Reason[],
    /** Status of the response. Omitted if there was none. */
    readonly status?: number,
  ) {
    super(textOf(reasons));
  }
}

export const textOf = (reasons: readonly Reason[]): string =>
  reasons.map(({ field, reason }) => (field ? `${field}: ${reason}` : reason)).join("\n");

/** Time limit of a request in seconds. A large account takes a few seconds to load. */
const MAX_SECONDS = 60;
const LATE = `The emulator did not respond within ${MAX_SECONDS} seconds. Check that it is not stopped or overloaded; a change may still take effect.`;

/** Sends a request to the control interface of the emulator. Throws `Rejected` with the reasons of an error. */
export async function send<T>(method: string, path: string, body?: unknown): Promise<T> {
  const isText = typeof body === "string" || body instanceof Blob;
  let response: Response;
  let result: unknown;
  try {
    response = await fetch(path, {
      method,
      signal: AbortSignal.timeout(MAX_SECONDS * 1000),
      ...(body !== undefined && {
        headers: { "content-type": "application/json" },
        body: isText ? body : JSON.stringify(body),
      }),
    });
    result = await response.json();
  } catch (error) {
    // A response that is not JSON is a fault of the emulator or of a proxy.
    if (error instanceof SyntaxError) throw error;
    const isLate = error instanceof DOMException && error.name === "TimeoutError";
    throw new Rejected([{ reason: isLate ? LATE : "The emulator does not respond. Check that it is running." }]);
  }
  if (response.ok) return result as T;
  const { errors = [] } = result as { errors?: Reason[] };
  throw new Rejected(errors, response.status);
}

/** The message of an error for users. */
export const messageOf = (error: unknown): string =>
  error instanceof Rejected ? error.message : `The console failed: ${String(error)} (please report this)`;
