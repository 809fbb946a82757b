import { shellWord } from "../api";
import { defaultsFor } from "../provider/client/environment";
import type { ConfigValue } from "./deployment";
import type { Pulumi } from "./pulumi";

/** The option for the stack of a command, because another stack can be the selected one: ` --stack prod`. */
export const stackOption = ({ stack }: Pick<Pulumi, "stack">): string =>
  stack === undefined ? "" : ` --stack ${shellWord(stack)}`;

type Config = Readonly<Record<string, ConfigValue>>;

/** The settings of the connection that the configuration lacks, because they are from the environment. */
function missingSettings(config: Config, address: string): [key: string, value: string][] {
  const { dialect } = defaultsFor(config["cloudinfra:dialect"]?.value);
  const settings = { "cloudinfra:url": address, ...(dialect && { "cloudinfra:dialect": dialect }) };
  return Object.entries(settings).filter(([key]) => !config[key]);
}

/** The configuration with the API address and the dialect of a stack. Values that are set there already are kept. */
export const withAddress = (config: Config, address: string): Config => ({
  ...Object.fromEntries(missingSettings(config, address).map(([key, value]) => [key, { value, secret: false }])),
  ...config,
});

/**
 * Writes the API address and the dialect into the stack's configuration unless they are set there, so that later
 * commands in another environment find the objects of the stack. Returns a message about it, or undefined if nothing was
 * written.
 */
export async function writeAddress(pulumi: Pulumi, config: Config, address: string): Promise<string | undefined> {
  const lines: string[] = [];
  for (const [key, value] of missingSettings(config, address)) {
    try {
      await pulumi.configure(key, value);
      lines.push(`${key} was set to ${value} in the stack's configuration.`);
    } catch (error) {
      lines.push(
        `warning: ${(error as Error).message}. Set it with "pulumi config set ${key} ${value}${stackOption(pulumi)}".`,
      );
    }
  }
  return lines.length ? lines.join("\n") : undefined;
}
