import type { Instance } from "../../api";
import { CloudInfraError, isInDoubt } from "../client/errors";
import { asPart, GoneError, type Host, isLate, WaitError } from "../engine";
import { wait } from "../engine/wait";
import { underWay } from "./instance-states";
import { Lock } from "./lock";

/** What this process knows of an instance that several resources change. */
interface Machine {
  lock: Lock;
  /** It ran before it was shut down for a change: whoever holds the lock last boots it again. */
  owed: boolean;
  /** The config that we booted it with; the API does not return it. */
  config?: number;
}

const machines = new WeakMap<Host["connection"], Map<number, Machine>>();

export function machineOf({ connection }: Pick<Host, "connection">, computeId: number): Machine {
  const known = machines.get(connection) ?? new Map<number, Machine>();
  machines.set(connection, known);
  const machine = known.get(computeId) ?? { lock: new Lock(`other changes of instance ${computeId}`), owed: false };
  known.set(computeId, machine);
  return machine;
}

/** The instance as others must see it: one that is off only for a change is on its way to running. */
export const seenAs = <R extends Pick<Instance, "status">>(host: Host, computeId: number, record: R): R =>
  machineOf(host, computeId).owed && !powered(record) ? { ...record, status: "booting" } : record;

/** Whether the machine runs or is about to. */
export const powered = ({ status }: Pick<Instance, "status">): boolean =>
  ["running", "booting", "rebooting"].includes(status);

/** The instance once it is in a state that it does not leave by itself. */
export const settled = (host: Host, computeId: number): Promise<Instance> =>
  wait({
    host,
    what: `Instance ${computeId}`,
    async look(host) {
      const seen = await host.reads.view("instances", { computeId }, { fresh: true });
      if (!seen) throw new GoneError(`Instance ${computeId}`);
      return seen;
    },
    missing({ status }) {
      const fate = underWay[status as keyof typeof underWay];
      if (fate === "failed") throw new WaitError(`Instance ${computeId}`, `state "${status}"`, 0);
      return fate && `instance ${computeId} in state "${status}"`;
    },
  });

/** Holds the machine for one change, from a moment at which it is settled: what one change needs off, another would boot. */
export function locked<T>(
  host: Host,
  computeId: number,
  work: (seen: Instance, machine: Machine) => Promise<T>,
): Promise<T> {
  const machine = machineOf(host, computeId);
  return machine.lock.hold(host, false, async () => {
    try {
      return await work(await settled(host, computeId), machine);
    } finally {
      // A change that waited for the machine to be off may have given up since.
      await bootAgain(leftOf(host), computeId).catch((error) => host.warn(error.message));
    }
  });
}

/** A change of the machine's power: once more where the answer was lost and nothing shows that it was carried out. */
async function sure(
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
  const { status } = await sure(host, computeId, act, ["shutting_down", "offline"]);
  if (status !== "offline") throw new Error(`Instance ${computeId} did not shut down: it is ${status}`);
}

/** Boots the machine, or reboots it if it runs, with the config that is named, else with the one that it booted last. */
export async function boot(host: Host, computeId: number, configId?: number): Promise<void> {
  const runs = powered(await settled(host, computeId));
  const input = { path: { computeId }, ...(configId !== undefined && { body: { config_id: configId } }) };
  const { status } = runs
    ? await sure(host, computeId, () => host.api.instances.reboot(input), ["rebooting"])
    : await sure(host, computeId, () => host.api.instances.boot(input), ["booting", "running"]);
  if (!powered({ status })) throw new Error(`Instance ${computeId} did not boot: it is ${status}`);
  machineOf(host, computeId).owed = false;
}

type Change = () => Promise<unknown>;

export interface OffWork {
  host: Host;
  computeId: number;
  /** What is done, as a message names it. */
  what: string;
  /** Whether a machine that runs may be shut down for it. */
  allowed: boolean;
  /** An earlier attempt shut the machine down and could not boot it. */
  resumes?: boolean;
  /** Keeps for the next attempt whether the machine has still to boot; a deletion has no next attempt that would know. */
  learn?(known: { resumes: boolean }): void;
  /** Why the machine is not booted afterwards, where it is not. */
  staysOff?(): "as declared" | "nothing is left to boot from" | undefined;
}

/**
 * Makes a change that needs the machine off, and leaves its power as it was. The change is prepared while the machine still
 * runs; without one, only the boot is made that an earlier attempt owes.
 */
export async function whileOff(work: OffWork, prepare?: () => Change | Promise<Change>): Promise<void> {
  const { host, computeId, resumes = false, learn = () => {} } = work;
  const machine = machineOf(host, computeId);
  let isEntered = false;
  const turn = machine.lock.hold(host, true, async () => {
    isEntered = true;
    machine.owed ||= resumes;
    const failure = prepare && (await failureOf(turnedOff(work, machine, prepare)));
    const offFailure = await failureOf(bootAgain(leftOf(host), computeId, work));
    learn({ resumes: offFailure !== undefined });
    if (offFailure) throw new OffError(computeId, failure, offFailure, work.learn !== undefined);
    if (failure) throw failure;
  });
  await turn.catch((error) => {
    // Whoever shut it down relied on this change to boot it afterwards.
    if (!isEntered && machine.owed) learn({ resumes: true });
    throw error;
  });
}

async function turnedOff(
  { host, computeId, what, allowed, learn }: OffWork,
  machine: Machine,
  prepare: () => Change | Promise<Change>,
): Promise<void> {
  const change = await prepare();
  const runs = powered(await settled(host, computeId));
  if (runs && !allowed) throw new Error(refusal(computeId, what));
  machine.owed ||= runs;
  learn?.({ resumes: machine.owed });
  if (runs) await shutDown(host, computeId);
  await change();
}

export const refusal = (computeId: number, what: string): string =>
  `${what}: instance ${computeId} must be off for that, and allowReboot is false: ` +
  "shut it down first, or set allowReboot to true";

/** Boots the machine if it ran before, unless a change in the queue needs it off as well and boots it then. */
async function bootAgain(host: Host, computeId: number, { staysOff }: Pick<OffWork, "staysOff"> = {}): Promise<void> {
  const machine = machineOf(host, computeId);
  if (!machine.owed || machine.lock.isWantedOff) return;
  const why = staysOff?.();
  try {
    if (why === undefined && !powered(await settled(host, computeId))) await boot(host, computeId);
  } finally {
    machine.owed = false;
  }
  if (why === "nothing is left to boot from") host.warn(`instance ${computeId} stays off: ${why}`);
}

/** A machine that a change has left off is booted even when the change took all the time. */
const leftOf = (host: Host): Host => (host.now() >= host.deadline ? host.grace() : host);

const failureOf = (work: Promise<unknown>): Promise<Error | undefined> =>
  work.then(
    () => undefined,
    (error: Error) => error,
  );

/** A change has left the machine off that ran before. */
class OffError extends CloudInfraError {
  override readonly name = "OffError";
  readonly timedOut: boolean;

  constructor(computeId: number, change: Error | undefined, boot: Error, isRetried: boolean) {
    const next = isRetried ? "the next update boots it" : "boot it";
    super(`${change ? `${asPart(change)}; ` : ""}instance ${computeId} is still off: ${asPart(boot)}; ${next}`);
    this.timedOut = isLate(change) || isLate(boot);
  }
}
