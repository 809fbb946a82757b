import type { Instance } from "../../api/instances";
import { isInDoubt } from "../client/errors";
import type { Host } from "../engine";
import { settle } from "../engine/settle";
import { timeoutOf } from "../engine/timeouts";
import { instance } from "./instance";
import { powered } from "./instance-power";

/** What this process knows of a machine whose parts it changes. */
interface Machine {
  /** The end of the last turn. */
  last: Promise<unknown>;
  /** How many wait for a turn in which it is off. */
  waiting: number;
  /** It ran before it was shut down: whoever has the last turn boots it again. */
  owed: boolean;
  /** The config that we booted it with; the service does not tell. */
  config?: number;
}

const machines = new WeakMap<Host["api"], Map<number, Machine>>();

export function machineOf({ api }: Pick<Host, "api">, computeId: number): Machine {
  const known = machines.get(api) ?? new Map<number, Machine>();
  machines.set(api, known);
  const machine = known.get(computeId) ?? { last: Promise.resolve(), waiting: 0, owed: false };
  known.set(computeId, machine);
  return machine;
}

/** The parts of a machine are changed one after the other: what one needs off another would boot. */
export function inTurn<T>(host: Host, computeId: number, work: (machine: Machine) => Promise<T>): Promise<T> {
  const machine = machineOf(host, computeId);
  const turn = machine.last.then(() => work(machine));
  machine.last = turn.catch(() => {});
  return turn;
}

/** The machine once it is on its way to nowhere. */
export const settled = async (host: Host, computeId: number): Promise<Instance> => {
  const deadline = host.now() + timeoutOf(instance, host, "update");
  const target = { kind: instance, host, path: { computeId }, want: {}, was: {}, purpose: "update" as const, deadline };
  return (await settle(target)) as Instance;
};

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
    if (!isInDoubt(error)) throw error;
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
  const input = { path: { computeId }, ...(configId !== undefined && { body: { config_id: configId } }) };
  const on = powered(await settled(host, computeId));
  const booted = on
    ? await sure(host, computeId, () => host.api.instances.reboot(input), ["rebooting"])
    : await sure(host, computeId, () => host.api.instances.boot(input), ["booting", "running"]);
  if (!powered(booted)) throw new Error(`Instance ${computeId} did not boot: it is ${booted.status}`);
}

export interface OffWork {
  host: Host;
  computeId: number;
  /** What is done, as a message names it. */
  what: string;
  /** Whether a machine that runs may be shut down for it. */
  allowed: boolean;
  /** An attempt before this one has shut the machine down and could not boot it. */
  resumes: boolean;
  /** Keeps for the next attempt whether the machine has still to boot. */
  learn(known: { resumes: boolean }): void;
  /** Whether there is something to boot from, afterwards. */
  isBootable?(): boolean;
}

/** Makes a change that needs the machine off, and leaves its power as it was. */
export function whileOff(work: OffWork, change: () => Promise<unknown>): Promise<void> {
  const { host, computeId, what, allowed, resumes, learn } = work;
  machineOf(host, computeId).waiting++;
  return inTurn(host, computeId, async (machine) => {
    machine.waiting--;
    machine.owed ||= resumes;
    try {
      const on = powered(await settled(host, computeId));
      if (on && !allowed) throw new Error(refusal(computeId, what));
      machine.owed ||= on;
      learn({ resumes: machine.owed });
      if (on) await shutDown(host, computeId);
      await change();
    } catch (error) {
      await leave(machine, work).catch(() => {});
      throw error;
    }
    await leave(machine, work);
  });
}

export const refusal = (computeId: number, what: string): string =>
  `${what}: instance ${computeId} must be off for that, and allowReboot is false: ` +
  "shut it down first, or set allowReboot to true";

/** Boots the machine if it ran, unless somebody waits who needs it off as well and boots it then. */
async function leave(machine: Machine, { host, computeId, learn, isBootable }: OffWork): Promise<void> {
  if (machine.owed && !machine.waiting) {
    if (!isBootable || isBootable()) await boot(host, computeId);
    else host.warn(`instance ${computeId} stays off: nothing is left to boot from`);
    machine.owed = false;
  }
  learn({ resumes: false });
}
