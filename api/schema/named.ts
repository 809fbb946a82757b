import type { Area, Operation } from "./operation";

/** An operation under its name, `volumes.create`. */
export interface NamedOperation {
  name: string;
  area: string;
  key: string;
  operation: Operation;
}

/** Every operation of a contract, area by area. */
export const namedOperations = (contract: Readonly<Record<string, Area>>): NamedOperation[] =>
  Object.entries(contract).flatMap(([area, all]) =>
    Object.entries(all).map(([key, operation]) => ({ name: `${area}.${key}`, area, key, operation })),
  );

/** `/v4/volumes`, the beta ones under their own version. */
export const fullPath = ({ path, beta }: Pick<Operation, "path" | "beta">): string =>
  `/${beta ? "v4beta" : "v4"}${path}`;
