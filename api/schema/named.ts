import type { Area, Operation } from "./operation";

/** An operation with its name, such as `volumes.create`. */
export interface NamedOperation {
  name: string;
  area: string;
  key: string;
  operation: Operation;
}

/** Every operation of the given areas, such as `volumes`, in the order in which the areas are given. */
export const namedOperations = (contract: Readonly<Record<string, Area>>): NamedOperation[] =>
  Object.entries(contract).flatMap(([area, all]) =>
    Object.entries(all).map(([key, operation]) => ({ name: `${area}.${key}`, area, key, operation })),
  );

/** The path with the API version, such as `/v4/volumes` or `/v4beta/…`. */
export const fullPath = ({ path, beta }: Pick<Operation, "path" | "beta">): string =>
  `/${beta ? "v4beta" : "v4"}${path}`;
