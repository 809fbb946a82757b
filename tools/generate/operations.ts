import { type NamedOperation, namedOperations, operations } from "../../api";

/** Every area with its operations. */
export const areas: readonly { area: string; all: readonly NamedOperation[] }[] = Object.entries(operations).map(
  ([area, named]) => ({ area, all: namedOperations({ [area]: named }) }),
);
