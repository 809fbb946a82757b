import { ApiError } from "../client/errors";
import type { CreateCheck } from "../engine/definition";
import type { Host } from "../engine/host";
import { instanceName } from "./instance-reboot";

interface Attachment {
  compute_id?: number | null | undefined;
  config_id?: number | undefined;
}

/**
 * The declaration that the program needs so that a volume can be added to the instance's boot config. Undefined if the
 * boot config is certain, or if the configs cannot be read.
 */
async function advice({ api, reads }: Host, { compute_id: computeId, config_id }: Attachment) {
  if (typeof computeId !== "number" || config_id !== undefined) return undefined;
  const configs = await Array.fromAsync(api.instanceConfigs.list.all({ path: { computeId } })).catch(() => undefined);
  if (!configs || configs.length === 1) return undefined;
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

/** Throws if the boot config does not belong to the instance. Called before a volume is detached, which could then not be attached. */
export async function requireConfig(
  { api }: Host,
  { compute_id: computeId, config_id: configId }: Attachment,
): Promise<void> {
  if (typeof computeId === "number" && configId !== undefined)
    await api.instanceConfigs.view({ path: { computeId, configId } });
}

export const attachVolume = (
  host: Host,
  path: { volumeId: number },
  body: { compute_id: number; config_id?: number | undefined },
): Promise<unknown> => withConfigAdvice(host, body, host.api.volumes.attach({ path, body }));
