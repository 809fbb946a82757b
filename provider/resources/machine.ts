import type { Instance } from "../../api";
import { CloudInfraError, isInDoubt } from "../client/errors";
import { asPart, isLate, MissingError, WaitError } from "../engine/errors";
import { type Host, type PendingBoots, perConnection } from "../engine/host";
import { poll } from "../engine/wait";
import { type Powered, powered, powerOf, underWay } from "./machine-status";

interface Ticket {
  needsOff: boolean;
  enter(): void;
}

/** A lock for an instance: one change holds it, and others wait in the order of arrival, until their deadline. */
class Lock {
  /** The change that holds the lock, followed by the changes that wait for it. */
  #queue: Ticket[] = [];

  constructor(readonly name: string) {}

  /** Whether a change that waits for the lock requires that the instance is offline. */
  get isWantedOff(): boolean {
    return this.#queue.slice(1).some(({ needsOff }) => needsOff);
  }

  async hold<T>({ withDeadline }: Pick<Host, "withDeadline">, needsOff: boolean, work: () => Promise<T>): Promise<T> {
    const { promise: turn, resolve: enter } = Promise.withResolvers<void>();
    const ticket: Ticket = { needsOff, enter };
    this.#queue.push(ticket);
    try {
      if (this.#queue[0] !== ticket) await withDeadline(turn, this.name);
      return await work();
    } finally {
      const wasFirst = this.#queue[0] === ticket;
      this.#queue = this.#queue.filter((other) => other !== ticket);
      if (wasFirst) this.#queue[0]?.enter();
    }
  }
}

/** The data about one instance that all resources in this process share, so that their changes do not interfere. */
class Machine {
  readonly lock: Lock;
  /** The boot config with which this process last booted the instance. The API does not return which one was booted. */
  config?: number;
  /** Whether an earlier process was killed before it booted the instance again. */
  isLeftOff = false;
  /** The record of the boot on disk. Undefined until a resource of a program uses the instance. */
  #boots: PendingBoots | undefined;
  #isBootPending = false;

  constructor(readonly id: number) {
    this.lock = new Lock(`other changes of instance ${id}`);
  }

  /** Whether the instance was running before a change shut it down, and must be booted again. */
  get isBootPending(): boolean {
    return this.#isBootPending;
  }

  set isBootPending(isBootPending: boolean) {
    this.#isBootPending = isBootPending;
    this.isLeftOff = false;
    if (isBootPending) this.#boots?.add(this.id);
    else this.#boots?.delete(this.id);
  }

  recordIn(boots: PendingBoots | undefined): void {
    if (!boots || this.#boots) return;
    this.#boots = boots;
    this.isLeftOff = !this.#isBootPending && boots.has(this.id);
  }
}

const machines = perConnection(() => new Map<number, Machine>());

export function machineOf(host: Pick<Host, "connection" | "pendingBoots">, computeId: number): Machine {
  const known = machines(host);
  const machine = known.get(computeId) ?? new Machine(computeId);
  machine.recordIn(host.pendingBoots);
  known.set(computeId, machine);
  return machine;
}

/** Whether an earlier update left the instance offline, by its state or because it was killed. */
export function isLeftOff(
  host: Host,
  computeId: number,
  state: { resumes?: unknown },
  record?: Powered,
): true | undefined {
  const machine = machineOf(host, computeId);
  // The instance was booted outside Pulumi in the meantime.
  if (machine.isLeftOff && record && powerOf(record)) machine.isBootPending = false;
  return state.resumes === true || machine.isLeftOff || undefined;
}

/** Shows an instance that is offline only during a change as `booting`, so that other resources wait for it. */
export const withStatusDuringChange = <R extends Powered>(host: Host, computeId: number, record: R): R =>
  machineOf(host, computeId).isBootPending && powerOf(record) === false ? { ...record, status: "booting" } : record;

/** Waits until no job, such as a boot or a migration, is in progress on the instance. */
export const settled = (host: Host, computeId: number): Promise<Instance> =>
  poll({
    host,
    what: `Instance ${computeId}`,
    collection: "instances",
    async get(host) {
      const observed = await host.reads.view("instances", { computeId }, { age: "now" });
      if (!observed) throw new MissingError(`Instance ${computeId}`);
      return observed;
    },
    unmet({ status }) {
      const readying = underWay[status as keyof typeof underWay];
      if (readying === "failed") throw new WaitError(`Instance ${computeId}`, `state "${status}"`, 0);
      return readying && `instance ${computeId} in state "${status}"`;
    },
  });

/**
 * Locks the instance for a change, and waits until its jobs have ended. Without the lock, a change could boot the
 * instance while another change requires the instance to be offline.
 */
export function locked<T>(
  host: Host,
  computeId: number,
  work: (observed: Instance, machine: Machine) => Promise<T>,
): Promise<T> {
  const machine = machineOf(host, computeId);
  return machine.lock.hold(host, false, async () => {
    machine.isBootPending ||= machine.isLeftOff;
    try {
      return await work(await settled(host, computeId), machine);
    } finally {
      // Boots an instance that stayed offline for a later change, if that change has timed out waiting for the lock.
      await bootAgain(leftOf(host), computeId).catch((error) => host.warn(error.message));
    }
  });
}

/**
 * Sends a request that changes the power state. If the response is lost and the status does not show that the change
 * has begun, sends the request again.
 */
async function surely(
  host: Host,
  computeId: number,
  act: () => Promise<unknown>,
  shows: readonly Instance["status"][],
): Promise<Instance> {
  try {
    await act();
  } catch (error) {
    if (!isInDoubt(error) || host.now() >= host.deadline) throw error;
    const { status } = await host.api.instances.view({ path: { computeId } });
    if (!shows.includes(status)) await act();
  }
  return settled(host, computeId);
}

export async function shutDown(host: Host, computeId: number): Promise<void> {
  const act = () => host.api.instances.shutdown({ path: { computeId } });
  const { status } = await surely(host, computeId, act, ["shutting_down", "offline"]);
  if (status !== "offline") throw new Error(`Instance ${computeId} did not shut down: its status is "${status}"`);
}

/** Boots the instance, or reboots it if it is running. Defaults to the boot config that was used last. */
export async function boot(host: Host, computeId: number, configId?: number): Promise<void> {
  const runs = powered(await settled(host, computeId));
  const input = { path: { computeId }, ...(configId !== undefined && { body: { config_id: configId } }) };
  const { status } = runs
    ? await surely(host, computeId, () => host.api.instances.reboot(input), ["rebooting"])
    : await surely(host, computeId, () => host.api.instances.boot(input), ["booting", "running"]);
  if (!powered({ status })) throw new Error(`Instance ${computeId} did not boot: its status is "${status}"`);
  machineOf(host, computeId).isBootPending = false;
}

type Change = () => Promise<unknown>;

export interface OffWork {
  host: Host;
  computeId: number;
  /** Name of the change in messages. */
  what: string;
  /** Whether a running instance may be shut down for the change. */
  allowed: boolean;
  /** Whether an earlier attempt has shut the instance down without booting it again. */
  resumes?: boolean;
  /** Stores in state, for the next attempt, whether the instance must be booted. Omitted for deletions. */
  setState?(values: { resumes: boolean }): void;
  /** The reason why the instance stays offline after the change. Undefined if it is booted again. */
  staysOff?(): "as declared" | "it has no disk left to boot from" | undefined;
}

/**
 * Shuts an instance down, changes it, and restores its power state. `prepare` is called while the instance is still
 * running, and returns the change. Without it, the function only boots the instance if an earlier attempt has left it
 * offline.
 */
export async function whileOff(work: OffWork, prepare?: () => Change | Promise<Change>): Promise<void> {
  const { host, computeId, resumes = false, setState = () => {} } = work;
  const machine = machineOf(host, computeId);
  let isEntered = false;
  const turn = machine.lock.hold(host, true, async () => {
    isEntered = true;
    machine.isBootPending ||= resumes || machine.isLeftOff;
    const failure = prepare && (await failureOf(turnedOff(work, machine, prepare)));
    const offFailure = await failureOf(bootAgain(leftOf(host), computeId, work));
    setState({ resumes: offFailure !== undefined });
    // An instance that was deleted meanwhile is not to be booted.
    if (offFailure instanceof MissingError) throw failure ?? offFailure;
    if (offFailure) throw new OffError(computeId, failure, offFailure, work.setState !== undefined);
    if (failure) throw failure;
  });
  await turn.catch((error) => {
    // The instance stayed offline for this change, which timed out waiting for the lock. The next update boots it.
    if (!isEntered && machine.isBootPending) setState({ resumes: true });
    throw error;
  });
}

async function turnedOff(
  { host, computeId, what, allowed, setState }: OffWork,
  machine: Machine,
  prepare: () => Change | Promise<Change>,
): Promise<void> {
  const change = await prepare();
  const runs = powered(await settled(host, computeId));
  if (runs && !allowed) throw new Error(rejection(computeId, what));
  machine.isBootPending ||= runs;
  setState?.({ resumes: machine.isBootPending });
  if (runs) await shutDown(host, computeId);
  await change();
}

export const rejection = (computeId: number, what: string): string =>
  `instance ${computeId} must be off before ${what}, but allowReboot is false: ` +
  "shut it down first, or set allowReboot to true";

/** Boots the instance if it was running before, unless a waiting change needs it offline and boots it afterwards. */
async function bootAgain(host: Host, computeId: number, { staysOff }: Pick<OffWork, "staysOff"> = {}): Promise<void> {
  const machine = machineOf(host, computeId);
  if (!machine.isBootPending || machine.lock.isWantedOff) return;
  const why = staysOff?.();
  try {
    if (why === undefined && !powered(await settled(host, computeId))) await boot(host, computeId);
  } finally {
    machine.isBootPending = false;
  }
  if (why === "it has no disk left to boot from") host.warn(`instance ${computeId} stays off: ${why}`);
}

/** Grants additional time if the deadline has passed, for example so that the instance can still be booted. */
export const leftOf = (host: Host): Host => (host.now() >= host.deadline ? host.grace() : host);

const failureOf = (work: Promise<unknown>): Promise<Error | undefined> =>
  work.then(
    () => undefined,
    (error: Error) => error,
  );

/** The error for an instance that was running before a change and is offline afterwards. */
class OffError extends CloudInfraError {
  override readonly name = "OffError";
  readonly keepsState = true;
  readonly timedOut: boolean;

  constructor(computeId: number, change: Error | undefined, boot: Error, isRetried: boolean) {
    const next = isRetried ? "the next update boots it" : "boot it";
    super(`${change ? `${asPart(change)}; ` : ""}instance ${computeId} is still off: ${asPart(boot)}; ${next}`);
    this.timedOut = isLate(change) || isLate(boot);
  }
}
