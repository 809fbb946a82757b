import type { z } from "zod";
import { type Operation, queryOf } from "../../api";
import type { Reason, Reasons } from "../core/error-response";
import type { World } from "../core/world";

type Schema = z.core.$ZodType;

/** Converts a record of the contract to the one that is written. */
export interface Written {
  /** `fields` are those of the contract, and `row` also has internal ones. */
  write(fields: unknown, row: unknown, world: World): unknown;
  /** Whether the result depends on more than the row. */
  live: boolean;
}

/** The body of a request in the contract's terms. */
export interface ReceivedBody {
  body: unknown;
  /** Stores what the contract has no field for, and returns the result with it. */
  keep?: (result: unknown) => unknown;
}

/** How the emulator's HTTP interface differs from the contract. */
export interface Vocabulary {
  /** Path of an operation, with its parameters. */
  path(operation: Operation): Operation["path"];
  /** Values of path parameters. */
  values(
    operation: Operation,
    values: Readonly<Record<string, string>>,
    world: World,
  ): Readonly<Record<string, string>>;
  /** Schema of the query parameters. */
  query(operation: Operation): Schema;
  /** A request body, in the contract's terms. */
  body(operation: Operation, body: unknown, world: World, reasons: Reasons): ReceivedBody;
  /** The header `X-Filter`, in the contract's names. */
  filter(operation: Operation, header: string | undefined): string | undefined;
  /** The conversion of a record or of an entry of a list before it is written. */
  result(schema: Schema): Written | undefined;
  /** The errors of a response. */
  reasons(operation: Operation | undefined, reasons: readonly Reason[]): readonly Reason[];
  /** A list of scopes, in a header. */
  scopes(list: string): string;
  /** The name of the product to which an unknown path belongs, such as "VPCs". */
  missing(path: string): string | undefined;
}

/** The contract's own names. */
export const contractVocabulary: Vocabulary = {
  path: ({ path }) => path,
  values: (_, values) => values,
  query: queryOf,
  body: (_, body) => ({ body }),
  filter: (_, header) => header,
  result: () => undefined,
  reasons: (_, reasons) => reasons,
  scopes: (list) => list,
  missing: () => undefined,
};
