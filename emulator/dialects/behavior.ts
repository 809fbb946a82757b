import type { z } from "zod";
import type { Area, Operation } from "../../api";
import type { Tables } from "../core/store";
import type { World } from "../core/world";
import type { RecordBehavior, RecordFields } from "./newer-fields";

/** The differences of a public service from the API documentation, as data. */
export interface Behavior {
  records: readonly RecordBehavior[];
  /** Operations whose requests have newer fields, but whose result is not a record. */
  requests: readonly (readonly [Operation, RecordFields])[];
  /** Path parameters that clients write otherwise. */
  parameters: readonly (readonly [schema: z.core.$ZodType, value: (text: string, world: World) => string])[];
  /** Rows that a new account has in addition, such as newer regions. */
  catalogue: { readonly [T in keyof Tables]?: readonly Tables[T][] };
  /** Operations that came later and that clients call when they start or read an object. */
  operations: Readonly<Record<string, Area>>;
  areas: Readonly<Record<string, { handlers: object }>>;
  /** Products that do not exist here, by the beginning of their paths, such as `/vpcs`. */
  products: Readonly<Record<string, string>>;
}
