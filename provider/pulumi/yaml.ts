/**
 * The reason why the aliases of a YAML document cannot be resolved, as the end of a sentence. Undefined if the error has
 * another cause.
 */
export function aliasProblem(error: unknown): string | undefined {
  if (!(error instanceof ReferenceError)) return undefined;
  const isBomb = error.message.startsWith("Excessive");
  return isBomb ? "its aliases expand to too many values" : "has an alias without an anchor";
}
