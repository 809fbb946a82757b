import { CloudInfraError } from "../client/errors";
import type { Kind } from "../engine/definition";
import { idFormatWithExample } from "../engine/identity";

/** The program or a command names an object that does not exist. */
export class NotFoundError extends CloudInfraError {
  override readonly name = "NotFoundError";
}

/**
 * The error for an id that no object has. Unlike Pulumi's own error, it explains the format of ids. `input` is the name
 * of an input that can be used instead of the id.
 */
export function noObject(kind: Kind, text: string, input?: string): NotFoundError {
  const names = input ? `id or ${input}` : "id";
  return new NotFoundError(
    `${kind.name}: no object has the ${names} "${text}"; an id looks like ${idFormatWithExample(kind)}`,
  );
}
