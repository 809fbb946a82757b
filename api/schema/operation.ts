import type { z } from "zod";
import type { EventAction } from "./event-actions";

/** One REST operation, as data: the client, the emulator's routes, the CLI and the docs all derive from it. */
export interface Operation {
  /** Summary in one sentence. */
  summary: string;
  method: "GET" | "POST" | "PUT" | "DELETE";
  /** Path after the version segment. */
  path: `/${string}`;
  /** All scopes that the token must have; empty if no token is required. */
  scopes: readonly Scope[];
  /** Also returns public objects without a token; a token, if sent, must have the scopes. */
  public?: true;
  /** The grant that a restricted user requires in addition to the scope. */
  grant?: Grant;
  /** Path parameters that are not integer ids. */
  params?: Record<string, z.core.$ZodType>;
  query?: z.core.$ZodObject;
  /** The fields of a JSON body, or the schema of a body of bytes. */
  body?: z.core.$ZodObject | Bytes;
  result: z.core.$ZodType;
  /** The event that a success adds to the account's history; omitted if there is none. */
  event?: EventAction;
  /** Only the beta version of the path exists. */
  beta?: true;
  deprecated?: true;
  /** Requires an idle instance: returns the busy error while a job runs or waits on it. */
  idle?: true;
  /** Returns 503 with this reason while the object is too new. */
  unready?: string;
  /** Decisions where the documents do not specify the behavior, one sentence each; listed in docs/api/. */
  decided?: readonly string[];
  /** Where the documents describe it, e.g. `part 1 · Endpoints · Volumes`. */
  source: string;
}

/** A body of bytes, with its media type in `contentType`. */
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

/** Every scope that a token can have. */
export const scopes: readonly Scope[] = scoped.flatMap((name): Scope[] => [`${name}:read_only`, `${name}:read_write`]);

export type Grant =
  | "read_only"
  | "read_write"
  | "unrestricted"
  | `add_${"computes" | "volumes" | "domains" | "images" | "nodebalancers" | "firewalls" | "clusters"}`;

type Names<P extends string> = P extends `${string}{${infer N}}${infer Rest}` ? N | Names<Rest> : never;
type Param<O extends Operation, N> = N extends keyof O["params"] ? z.output<O["params"][N]> : number;
type Path<O extends Operation> = { [N in Names<O["path"]>]: Param<O, N> };

/** Input of a caller: fields with a default are optional. */
export type Sent<O extends Operation> = ([Names<O["path"]>] extends [never] ? unknown : { path: Path<O> }) &
  (O extends { query: infer Q } ? { query?: z.input<Q> } : unknown) &
  (O extends { body: infer B } ? (object extends z.input<B> ? { body?: z.input<B> } : { body: z.input<B> }) : unknown);

/** Input of a handler: parsed, with defaults filled in. */
export type Received<O extends Operation> = {
  path: Path<O>;
  query: O extends { query: infer Q } ? z.output<Q> : undefined;
  body: O extends { body: infer B } ? z.output<B> : undefined;
};

export type Result<O extends Operation> = z.output<O["result"]>;

/** The names of the path parameters, in order. */
export const pathNames = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string);
