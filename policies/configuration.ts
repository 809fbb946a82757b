import type { Policy, PolicyConfigSchema } from "@pulumi/policy";

/** Where a policy gets its configuration from. */
interface Configured {
  getConfig<T extends object>(): T;
}

/** The configuration schema of a policy whose properties all have a default. */
export type Schema<C> = PolicyConfigSchema & {
  properties: { [K in keyof C]: PolicyConfigSchema["properties"][string] & { default: C[K] } };
};

/**
 * The configuration of a policy. Pulumi checks the values against the schema and adds the defaults, but it ignores
 * unknown properties, which are typing errors.
 */
export function configurationOf<C extends object>(
  { name, configSchema }: Pick<Policy, "name"> & { configSchema: Schema<C> },
  args: Configured,
): C {
  const configured = args.getConfig<C>();
  const known = Object.keys(configSchema.properties);
  const unknown = Object.keys(configured).filter((key) => !known.includes(key));
  if (unknown.length)
    throw new ConfigurationError(
      `policy "${name}" has no configuration property ${unknown.map((key) => `"${key}"`).join(", ")}. Its properties are: enforcementLevel, ${known.join(", ")}`,
    );
  const defaults = Object.entries<{ default: unknown }>(configSchema.properties);
  return { ...Object.fromEntries(defaults.map(([key, property]) => [key, property.default])), ...configured };
}

/** Pulumi prints the stack trace of an error in a policy, which would hide the message. */
class ConfigurationError extends Error {
  constructor(message: string) {
    super(message);
    this.stack = message;
  }
}

/** A list of texts, without duplicates. It is empty by default. */
export const texts = (description: string, lengths: { minLength?: number; maxLength?: number } = {}) => ({
  type: "array" as const,
  items: { type: "string" as const, minLength: 1, ...lengths },
  uniqueItems: true,
  default: [],
  description,
});

/** A list of some of the given values, without duplicates. */
export const choices = <const T extends string>(description: string, values: readonly T[], defaults: readonly T[]) => ({
  type: "array" as const,
  items: { type: "string" as const, enum: [...values] },
  uniqueItems: true,
  default: [...defaults],
  description,
});
