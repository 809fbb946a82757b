import { type NamedOperation, namedOperations, operations } from "../../api";

/** The groups of API operations, such as `volumes`, with their operations. */
export const areas: readonly { area: string; all: readonly NamedOperation[] }[] = Object.entries(operations).map(
  ([area, named]) => ({ area, all: namedOperations({ [area]: named }) }),
);
