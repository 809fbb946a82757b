import { type Area, type Operation, operations } from "../../api";

/** An operation under its name, `volumes.create`. */
export interface NamedOperation {
  name: string;
  area: string;
  key: string;
  operation: Operation;
}

/** Every area with its operations. */
export const areas: readonly { area: string; all: readonly NamedOperation[] }[] = Object.entries<Area>(operations).map(
  ([area, named]) => ({
    area,
    all: Object.entries(named).map(([key, operation]) => ({ name: `${area}.${key}`, area, key, operation })),
  }),
);

/** `lkeClusters` as files and command lines write it: `lke-clusters`. */
export const kebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** `/v4/volumes`, the beta ones under their own version. */
export const fullPath = ({ path, beta }: Operation): string => `/${beta ? "v4beta" : "v4"}${path}`;
