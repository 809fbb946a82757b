/** Why the control interface has rejected a request, as a whole or because of a field. */
interface Reason {
  field?: string;
  reason: string;
}

/** The control interface has rejected a request. */
export class Rejected extends Error {
  constructor(readonly reasons: readonly Reason[]) {
    super(textOf(reasons));
  }
}

export const textOf = (reasons: readonly Reason[]): string =>
  reasons.map(({ field, reason }) => (field ? `${field}: ${reason}` : reason)).join("\n");

/** Sends a request to the control interface of the emulator. Throws `Rejected` with the reasons of an error. */
export async function send<T>(method: string, path: string, body?: unknown): Promise<T> {
  const isText = typeof body === "string" || body instanceof Blob;
  let response: Response;
  try {
    response = await fetch(path, {
      method,
      ...(body !== undefined && {
        headers: { "content-type": "application/json" },
        body: isText ? body : JSON.stringify(body),
      }),
    });
  } catch {
    throw new Rejected([{ reason: "The emulator does not respond. Check that it is running." }]);
  }
  const result = await response.json();
  if (response.ok) return result as T;
  const { errors = [] } = result as { errors?: Reason[] };
  throw new Rejected(errors);
}

/** The message of an error for users. */
export const messageOf = (error: unknown): string =>
  error instanceof Rejected ? error.message : `The console failed: ${String(error)} (please report this)`;
