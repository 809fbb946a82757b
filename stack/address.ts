import type { ConfigValue } from "./deployment";
import type { Pulumi } from "./pulumi";

const KEY = "cloudinfra:url";

type Config = Readonly<Record<string, ConfigValue>>;

/** The configuration with the API address of a stack. An address that is set there already is kept. */
export const withAddress = (config: Config, address: string): Config => ({
  [KEY]: { value: address, secret: false },
  ...config,
});

/**
 * Writes the API address into the stack's configuration unless it is set there, so that later commands with another
 * `CLOUDINFRA_URL` find the objects of the stack. Returns a message about it, or undefined if nothing was written.
 */
export async function writeAddress(pulumi: Pulumi, config: Config, address: string): Promise<string | undefined> {
  if (config[KEY]) return undefined;
  try {
    await pulumi.configure(KEY, address);
    return `${KEY} was set to ${address} in the stack's configuration.`;
  } catch (error) {
    return `warning: ${(error as Error).message}. Set the address with "pulumi config set ${KEY} ${address}".`;
  }
}
