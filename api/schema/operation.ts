import type { z } from "zod";
import type { EventAction } from "./event-actions";

/** One REST operation, as data: the client, the emulator's routes, the CLI and the docs all derive from it. */
export interface Operation {
  /** What it does, in one sentence. */
  summary: string;
  method: "GET" | "POST" | "PUT" | "DELETE";
  /** Path after the version segment. */
  path: `/${string}`;
  /** Scopes that the token needs, all of them; empty where no token is needed. */
  scopes: readonly Scope[];
  /** Answers without a token too, with what everybody may see; a token, if sent, needs the scopes. */
  public?: true;
  /** What a restricted user needs besides the scope. */
  grant?: Grant;
  /** Path parameters that are not integer ids. */
  params?: Record<string, z.core.$ZodType>;
  query?: z.core.$ZodObject;
  /** The fields of a JSON body, or what bytes are sent instead. */
  body?: z.core.$ZodObject | Bytes;
  result: z.core.$ZodType;
  /** The event that a success puts into the account's history; absent means silent. */
  event?: EventAction;
  /** Only the beta version of the path exists. */
  beta?: true;
  deprecated?: true;
  /** Needs the instance of its path idle: refused as busy while a job runs or waits on it. */
  idle?: true;
  /** Answers 503 with this reason while the object is too young to have it. */
  unready?: string;
  /** What was chosen where the documents say nothing, a sentence each; docs/api.md shows them. */
  decided?: readonly string[];
  /** Where the documents describe it, e.g. `part 1 · Endpoints · Volumes`. */
  source: string;
}

/** A body of bytes; its `contentType` says which. */
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

/** What a caller sends: fields with a default are still optional. */
export type Sent<O extends Operation> = ([Names<O["path"]>] extends [never] ? unknown : { path: Path<O> }) &
  (O extends { query: infer Q } ? { query?: z.input<Q> } : unknown) &
  (O extends { body: infer B } ? (object extends z.input<B> ? { body?: z.input<B> } : { body: z.input<B> }) : unknown);

/** What a handler receives: parsed, with defaults filled in. */
export type Received<O extends Operation> = {
  path: Path<O>;
  query: O extends { query: infer Q } ? z.output<Q> : undefined;
  body: O extends { body: infer B } ? z.output<B> : undefined;
};

export type Result<O extends Operation> = z.output<O["result"]>;

/** The names of the path parameters, in order. */
export const pathNames = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string);
