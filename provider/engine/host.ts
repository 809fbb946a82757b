import type { Catalogue } from "../../api";
import type { Client } from "../client";
import type { ServerTime } from "../client/interceptors/clock";
import type { Time } from "../client/time";

/** The connection to one account, as resource definitions use it: API calls, clock, settings and user messages. */
export interface Host {
  api: Client["api"];
  reads: Client["reads"];
  data: Client["data"];
  catalogues: Catalogues;
  /** The account that the token belongs to, for messages: `account 63b09d26-… at http://127.0.0.1:4108/v4`. */
  account(): Promise<string>;
  /** The start of the command that adds an object of a kind to a stack, such as `npx cloudinfra adopt Volume`. */
  adoptCommand(kind: string): string;
  /** Address of the API, in one notation, so that it can be compared with the address in state. */
  address: string;
  /** The settings that contain the address and the token, for messages. */
  settingNames: Client["settingNames"];
  /** Whether the token has a scope such as `account:read_only`. Undefined until a response lists its scopes. */
  tokenHas: Client["tokenHas"];
  /** Key under which cached data about the account is stored, so that two connections never share a cache. */
  connection: object;
  /** The stack's configuration, except for the connection settings. */
  settings: Settings;
  /** The URN of the resource. Only the native plugin knows it. */
  urn?: string;
  /** The time limits that the program declares for this resource, such as `{ create: "20m" }`. */
  limits?: Partial<Record<LimitedOperation, string>>;
  /**
   * Records of create requests on disk. If the process is killed before Pulumi saves a new id in state, the next run
   * finds the object by its record.
   */
  attempts?: Attempts;
  /**
   * Ids of the instances that this or an earlier process has shut down for a change and not booted again, on disk. If
   * the process is killed, the next run boots them.
   */
  pendingBoots?: PendingBoots;
  /**
   * Aborted once the Pulumi process that waits for the result has ended, as after `kill -9`. Create requests and actions
   * are not sent any more then, because no state would record them, and the object of a lost response is left to the next
   * run. Updates and deletions in progress are completed, so that no instance stays off and no volume detached.
   */
  abandoned?: AbortSignal;
  /** End of the current operation, in milliseconds by this machine's clock. All requests and waits stop then. */
  deadline: number;
  /** The same connection with a slightly later deadline, to read the object after an operation has timed out. */
  grace(): Host;
  /** The promise's result, or an error if the deadline passes first. In its message, `what` names the awaited event. */
  withDeadline<T>(work: Promise<T>, what: string): Promise<T>;
  /** Milliseconds since 1970 by this machine's clock. */
  now(): number;
  timer: Time["timer"];
  /** Sleeps for the given milliseconds. */
  sleep(ms: number): Promise<void>;
  /** The time by the service's clock, or by this machine's clock before the first response. */
  serverTime(): ServerTime;
  /** Starts a poll schedule. Each call of the returned function sleeps until the next poll is due. */
  pollSchedule: Client["pollSchedule"];
  /** Shows a warning to the user, with the name of the resource. */
  warn(message: string): void;
  /** Shows the user how far a long wait has progressed. */
  progress(message: string): void;
}

export interface PendingBoots {
  has(computeId: number): boolean;
  add(computeId: number): void;
  delete(computeId: number): void;
}

/** A create request, with the data that identifies its object if the response is lost. `id` is set once it is known. */
export interface Attempt {
  /** Estimated time by the service's clock when the request was sent. */
  since: number;
  /**
   * The service's time in the last response before the request. The created object cannot be older, even if the
   * estimate in `since` is wrong.
   */
  lastSeen?: number;
  /**
   * The service's time when the create failed without a result, or the latest one if the run was interrupted. Its
   * request is not carried out long after that, so later objects are those of others.
   */
  until?: number;
  /** Ids of the objects that existed before the request. Only set if the API does not return creation times. */
  before?: string[];
  /** Declared inputs, such as the label, that an object must have to be recognized as the result of the request. */
  match: Record<string, unknown>;
  /** Declared inputs that are missing in `match`, because the program marks them as secret. */
  secret?: string[];
  /** Digests of the inputs that the API does not return, to detect that the program has changed them since. */
  digests?: Readonly<Record<string, string>>;
  id?: string;
}

export interface Attempts {
  /**
   * The last create request, if its object may exist although state does not have it: the run was interrupted, or the
   * response was lost.
   */
  earlier?: Attempt;
  /** The inputs in `match` of other such create requests for the resource class. */
  others?(): Attempt["match"][];
  begin(attempt: Attempt): void;
  /**
   * Adds to the record that the request may have created an object that was not found. `until` is the service's time.
   * The next create of the same resource looks for the object, also within this process.
   */
  lost(until: number): void;
  /**
   * Adds the id of the created object to the record of the create request on disk, and removes the digests of inputs
   * that an update will change.
   */
  created(id: string, changing?: readonly string[]): void;
  /** Removes the record of the create request from disk, because the API rejected the request and no object exists. */
  rejected(): void;
}

/** The service's catalogues: lists of the ids that inputs accept, such as all regions or all instance types. */
export interface Catalogues {
  /**
   * The reason why an id is not valid. Undefined if the service's list of valid ids, such as the list of regions,
   * contains the id, or if the token cannot read the list.
   */
  problem(catalogue: Catalogue, id: string): Promise<string | undefined>;
  /** The same lists of valid ids, but reading them from the API stops at the deadline of the given operation. */
  within(host: Pick<Host, "api" | "withDeadline">): Catalogues;
}

/** The settings in the stack's configuration that affect how resources are managed. */
export interface Settings {
  /**
   * Time limits for all resources. Under the name of a resource class, such as `Instance`, the limits for resources of
   * that class, which take precedence.
   */
  timeouts?: TimeoutSettings | undefined;
  default_tags?: readonly string[] | undefined;
  label_prefix?: string | undefined;
  allow_reboot?: "allow" | "forbid" | undefined;
}

export type Limits = { [L in LimitedOperation]?: string | undefined };
type TimeoutSettings = Limits & { readonly [kind: string]: Limits | string | undefined };

/** The operations with a time limit of their own. Checks, previews and refreshes use the limit of `read`. */
export type LimitedOperation = "create" | "update" | "delete" | "read";

/**
 * Returns a function that creates a value when it is first called for a connection, and returns the same value for that
 * connection afterwards.
 */
export function perConnection<T>(make: () => T): (host: Pick<Host, "connection">) => T {
  const values = new WeakMap<Host["connection"], { value: T }>();
  return ({ connection }) => {
    const entry = values.get(connection) ?? { value: make() };
    values.set(connection, entry);
    return entry.value;
  };
}
