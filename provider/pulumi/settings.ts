import { z } from "zod";
import {
  camel,
  dialectNames,
  didYouMean,
  fieldsOf,
  isObject,
  isWithin,
  type Problem,
  pathText,
  problemsOf,
  Tag,
  toWire,
} from "../../api";
import { CloudInfraError } from "../client/errors";
import { DURATION } from "../engine/time-limits";
import { type Bag, pick } from "../engine/values";

/** A stack's configuration as Pulumi passes it, for all namespaces. Values other than strings are JSON. */
export type RawConfig = Readonly<Record<string, string>>;

const NAMESPACE = "cloudinfra:";

const Duration = z.string().regex(DURATION, 'must be a duration such as "90s", "20m" or "1h30m"');

const limits = {
  create: Duration.optional().describe("Timeout of create operations, such as `20m`."),
  update: Duration.optional().describe("Timeout of update operations, such as `1h30m`."),
  delete: Duration.optional().describe("Timeout of delete operations, such as `20m`."),
  read: Duration.optional().describe("Timeout of the refresh, the check and the preview of a resource, such as `90s`."),
};

const Limits = z.strictObject(limits);

/**
 * Time limits for all resources. Under the name of a resource class, such as `Instance`, the limits for resources of
 * that class, which take precedence.
 */
const Timeouts = z.object(limits).catchall(Limits);

/** The settings of this package in a stack's configuration. */
export const Settings = z.strictObject({
  url: z
    .string()
    .optional()
    .describe(
      "Address of the API with its version, such as `http://127.0.0.1:4108/v4`. Defaults to the environment variable CLOUDINFRA_URL.",
    ),
  token: z
    .string()
    .optional()
    .meta({ secret: true })
    .describe("Access token. Defaults to the environment variable CLOUDINFRA_TOKEN."),
  dialect: z
    .enum(dialectNames)
    .optional()
    .describe(
      "Public service at the address, if its names differ from those of this package: `linode` for the Linode API, whose address is then the default. Programs and state keep the names of this package. Defaults to the environment variable CLOUDINFRA_DIALECT.",
    ),
  timeouts: Timeouts.optional().describe(
    'Timeouts for all resources or by kind, such as `{ "create": "20m", "Instance": { "update": "2h" } }`. The `customTimeouts` of a resource take precedence.',
  ),
  rate_limit: z
    .number()
    .positive()
    .optional()
    .describe("Maximum number of requests per second. The rate limits of the service always apply."),
  max_retries: z
    .int()
    .min(0)
    .max(20)
    .optional()
    .describe(
      "Maximum number of retries after failures of the service or the network. Defaults to 4. Retries because of a rate limit or a busy instance do not count.",
    ),
  default_tags: z.array(Tag).optional().describe("Tags to add to every resource that supports tags."),
  allow_reboot: z
    .enum(["allow", "forbid"])
    .optional()
    .describe(
      "Whether updates may shut down and boot instances: `allow` or `forbid`. The `allowReboot` input of a resource takes precedence. Defaults to `allow`.",
    ),
  label_prefix: z
    .string()
    .regex(/^[a-zA-Z][a-zA-Z0-9-]*$/, "must start with a letter and contain only letters, digits and dashes")
    .max(20)
    .optional()
    .describe(
      "Prefix of the labels that are generated from resource names. Labels that `pulumi:autonaming` generates do not get it.",
    ),
});

export type Settings = z.output<typeof Settings>;

/** Validates the settings. `kinds` are the names of the resource classes for which timeouts can be set. */
export function settingsFrom(config: RawConfig, kinds: readonly string[]): Settings {
  const own = Object.entries(config).filter(([key]) => key.startsWith(NAMESPACE));
  const fields = Object.fromEntries(Object.entries(fieldsOf(Settings)).map(([key, field]) => [camel(key), field]));
  const values = Object.fromEntries(
    own.map(([key, text]) => {
      const name = key.slice(NAMESPACE.length);
      return [name, parsedAs(fields[name], text)];
    }),
  );
  const unknownKeys = unknownSettings(values, Object.keys(fields), kinds);
  const parsed = z.safeParse(Settings, toWire(Settings, pick(values, Object.keys(fields))), { reportInput: true });
  const problems = parsed.success ? [] : problemsOf(parsed.error.issues).map(camelKeys);
  if (parsed.success && !unknownKeys.length) return parsed.data;
  // If a setting is unknown, only that is reported, and not the problems of its value.
  const unknown = unknownKeys.map(({ path }) => path);
  throw new ConfigurationError([...unknownKeys, ...problems.filter(({ path }) => !isWithin(path, unknown))]);
}

/** Parses a value. Pulumi passes objects, numbers and booleans as JSON, and strings unchanged. */
function parsedAs(field: z.core.$ZodType | undefined, text: string): unknown {
  if (!field || bareOf(field) instanceof z.core.$ZodString) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const bareOf = (field: z.core.$ZodType): z.core.$ZodType =>
  field instanceof z.core.$ZodOptional ? field._zod.def.innerType : field;

/** The stack's configuration is not valid. The message lists all problems. */
export class ConfigurationError extends CloudInfraError {
  override readonly name = "ConfigurationError";

  constructor(readonly problems: readonly Problem[]) {
    super(problems.map(({ path, reason }) => `${NAMESPACE}${pathText(path)} ${reason}`).join("; "));
  }
}

const camelKeys = ({ path: [first, ...rest], reason }: Problem): Problem => ({
  path: [camel(String(first)), ...rest],
  reason,
});

/** Reports unknown settings, and unknown resource classes and operations in the timeouts. */
function unknownSettings(values: Bag, settings: readonly string[], kinds: readonly string[]): Problem[] {
  const operations = Object.keys(limits);
  const unknownKeys = (value: unknown, knownKeys: readonly string[], path: Problem["path"]): Problem[] =>
    Object.keys(isObject(value) ? value : {})
      .filter((key) => !knownKeys.includes(key))
      .map((key) => ({
        path: [...path, key],
        reason: `is not a setting of this provider${didYouMean(key, knownKeys).replace('"', path.length ? '"' : `"${NAMESPACE}`)}`,
      }));
  const { timeouts } = values;
  const byKind = Object.entries(isObject(timeouts) ? timeouts : {}).filter(([name]) => kinds.includes(name));
  return [
    ...unknownKeys(values, settings, []),
    ...unknownKeys(timeouts, [...operations, ...kinds], ["timeouts"]),
    ...byKind.flatMap(([name, limitsOfKind]) => unknownKeys(limitsOfKind, operations, ["timeouts", name])),
  ];
}
