import type { z } from "zod";
import type { EventAction } from "./event-actions";

/** One REST operation, as data: the client, the emulator's routes, the CLI and the docs all derive from it. */
export interface Operation {
  summary: string;
  method: "GET" | "POST" | "PUT" | "DELETE";
  /** Path without the version segment. */
  path: `/${string}`;
  /** All scopes that the token must have. Empty if no token is required. */
  scopes: readonly Scope[];
  /**
   * The operation can be called without a token, and then returns public objects only. A token, if sent, must have the
   * scopes.
   */
  public?: true;
  /** The grant that a restricted user requires in addition to the scope. */
  grant?: Grant;
  /** Schemas of the path parameters that are not integer ids. */
  params?: Record<string, z.core.$ZodType>;
  query?: z.core.$ZodObject;
  /** The fields of a JSON body, or the schema of a binary body. */
  body?: z.core.$ZodObject | Bytes;
  result: z.core.$ZodType;
  /** The event that a successful request adds to the account's history. Omitted if there is none. */
  event?: EventAction;
  /** The operation exists only in the beta version of the API. */
  beta?: true;
  deprecated?: true;
  /**
   * The operation requires an idle instance. It fails with the busy error while a job runs on the instance or is
   * queued.
   */
  idle?: true;
  /**
   * Error reason of the 503 response that the operation returns while the service still sets up what it operates on,
   * such as the kubeconfig of a new cluster.
   */
  unready?: string;
  /**
   * Behavior in cases that the API documentation leaves open, one sentence each. The behavior is this project's choice;
   * the pages in docs/api/ list it.
   */
  decided?: readonly string[];
  /** Section of the API documentation that describes the operation, such as `part 1 · Endpoints · Volumes`. */
  source: string;
}

/** Schema of a binary request body. The schema's metadata contains the media type, in `contentType`. */
export type Bytes = z.core.$ZodType<Uint8Array, Uint8Array>;

export type Area = Record<string, Operation>;

const scoped = [
  "account",
  "computes",
  "domains",
  "events",
  "firewall",
  "images",
  "ips",
  "lke",
  "maintenance",
  "nodebalancers",
  "object_storage",
  "volumes",
] as const;

export type Scope = `${(typeof scoped)[number]}:${"read_only" | "read_write"}`;

export const scopes: readonly Scope[] = scoped.flatMap((name): Scope[] => [`${name}:read_only`, `${name}:read_write`]);

export type Grant =
  | "read_only"
  | "read_write"
  | "unrestricted"
  | `add_${"computes" | "volumes" | "domains" | "images" | "nodebalancers" | "firewalls" | "clusters"}`;

type Names<P extends string> = P extends `${string}{${infer N}}${infer Rest}` ? N | Names<Rest> : never;
type Param<O extends Operation, N> = N extends keyof O["params"] ? z.output<O["params"][N]> : number;
type Path<O extends Operation> = { [N in Names<O["path"]>]: Param<O, N> };

/** The path parameters, query and body of an operation as callers pass them. Fields with a default can be omitted. */
export type Sent<O extends Operation> = ([Names<O["path"]>] extends [never] ? unknown : { path: Path<O> }) &
  (O extends { query: infer Q } ? { query?: z.input<Q> } : unknown) &
  (O extends { body: infer B } ? (object extends z.input<B> ? { body?: z.input<B> } : { body: z.input<B> }) : unknown);

/** The path parameters, query and body of an operation after validation. Fields with a default are filled in. */
export type Received<O extends Operation> = {
  path: Path<O>;
  query: O extends { query: infer Q } ? z.output<Q> : undefined;
  body: O extends { body: infer B } ? z.output<B> : undefined;
};

export type Result<O extends Operation> = z.output<O["result"]>;

/** The names of the parameters in a path, in order. */
export const pathNames = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string);
