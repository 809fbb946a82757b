import { deviceNames, type InstanceConfig } from "../../api";
import { ApiError } from "../client/errors";
import type { CreateCheck } from "../engine/definition";
import type { Host } from "../engine/host";
import { instanceName } from "./instance-reboot";

interface Attachment {
  compute_id?: number | null | undefined;
  config_id?: number | undefined;
}

const configsOf = ({ api }: Host, computeId: number): Promise<InstanceConfig[]> =>
  Array.fromAsync(api.instanceConfigs.list.all({ path: { computeId } }));

/**
 * The declaration that the program needs so that a volume can be added to the instance's boot config. Undefined if the
 * boot config is certain, or if the configs cannot be read.
 */
async function advice(host: Host, { compute_id: computeId, config_id }: Attachment): Promise<string | undefined> {
  if (typeof computeId !== "number" || config_id !== undefined) return undefined;
  const configs = await configsOf(host, computeId).catch(() => undefined);
  return configs && choiceOf(host, computeId, configs);
}

async function choiceOf(
  { reads }: Host,
  computeId: number,
  configs: readonly InstanceConfig[],
): Promise<string | undefined> {
  if (configs.length === 1) return undefined;
  const name = await instanceName({ compute_id: computeId }, { reads });
  if (configs.length)
    return `${name} has several boot configs: set configId to ${configs.map(({ id }) => id).join(" or ")}`;
  return `${name} has no boot config to add the volume to: declare an InstanceConfig for it, and list the InstanceConfig in dependsOn of this resource`;
}

/** Warns that a volume cannot be attached. It does not reject the create, because the same update may create a boot config before. */
export const configCheck: CreateCheck<Attachment> = {
  warns: "if the instance has no boot config, or several of which none is declared",
  check: (want, host) => advice(host, want),
};

/** Adds to the API's error about the boot config, which the program need not declare, what it has to declare. */
export const withConfigAdvice = <T>(host: Host, want: Attachment, attaching: Promise<T>): Promise<T> =>
  attaching.catch(async (error) => {
    if (!(error instanceof ApiError) || !error.reasons.some(({ field }) => field === "config_id")) throw error;
    const hint = await advice(host, want);
    throw hint ? new ApiError(error.operation, error.status, error.reasons, hint) : error;
  });

/**
 * Throws if no boot config of the instance can have the volume. Called before the volume is detached, because the
 * service would then reject the attach request, and the volume would stay detached.
 */
export async function requireSlot(
  host: Host,
  { volumeId }: { volumeId: number },
  { compute_id: computeId, config_id: configId }: Attachment,
): Promise<void> {
  if (typeof computeId !== "number") return;
  const configs =
    configId === undefined
      ? await configsOf(host, computeId)
      : [await host.api.instanceConfigs.view({ path: { computeId, configId } })];
  const problem = (await choiceOf(host, computeId, configs)) ?? (await fullOf(host, computeId, configs[0], volumeId));
  if (problem) throw new Error(`volume ${volumeId} was not detached, because ${problem}`);
}

/** The problem if all device slots of a boot config contain other devices than the volume. */
async function fullOf(
  { reads }: Host,
  computeId: number,
  config: InstanceConfig | undefined,
  volumeId: number,
): Promise<string | undefined> {
  const isFree = (device: Partial<NonNullable<InstanceConfig["devices"]["sda"]>> | null | undefined): boolean =>
    !device?.disk_id && (!device?.volume_id || device.volume_id === volumeId);
  if (!config || deviceNames.some((name) => isFree(config.devices[name]))) return undefined;
  const name = await instanceName({ compute_id: computeId }, { reads });
  return `boot config ${config.id} of ${name} has no free device slot: remove a device from it, or set configId to another boot config`;
}

export const attachVolume = (
  host: Host,
  path: { volumeId: number },
  body: { compute_id: number; config_id?: number | undefined },
): Promise<unknown> => withConfigAdvice(host, body, host.api.volumes.attach({ path, body }));
