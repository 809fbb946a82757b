import { z } from "zod";
import { camel, didYouMean, fieldsOf, isObject, type Problem, pathText, problemsOf, Tag, toWire } from "../../api";
import { CloudInfraError } from "../client/errors";
import { type Bag, pick } from "../engine/values";

/** Pulumi's configuration of a stack, all namespaces: what is no string is JSON. */
export type RawConfig = Readonly<Record<string, string>>;

const NAMESPACE = "cloudinfra:";

const Duration = z.string().regex(/^(\d+(\.\d+)?(ms|s|m|h))+$/, 'must be a duration such as "90s", "20m" or "1h30m"');

const limits = {
  create: Duration.optional().describe("How long a creation may take."),
  update: Duration.optional().describe("How long a change may take."),
  delete: Duration.optional().describe("How long a deletion may take."),
  read: Duration.optional().describe(
    "How long a refresh of one resource may take, its check, and its part of a preview.",
  ),
};

const Limits = z.strictObject(limits);

/** Time limits of all resources, and under a kind's name those of its own resources. */
const Timeouts = z.object(limits).catchall(Limits);

/** What a stack can configure. */
export const Settings = z.strictObject({
  url: z
    .string()
    .optional()
    .describe(
      "Address of the service, version segment included, e.g. `http://127.0.0.1:4108/v4`. If it is not set, CLOUDINFRA_URL is used.",
    ),
  token: z
    .string()
    .optional()
    .meta({ secret: true })
    .describe("Access token. If it is not set, CLOUDINFRA_TOKEN is used."),
  timeouts: Timeouts.optional().describe(
    'Time limits such as `{ "create": "20m", "Instance": { "update": "2h" } }`; a resource\'s `customTimeouts` come before them.',
  ),
  rate_limit: z
    .number()
    .positive()
    .optional()
    .describe("Most requests a second; the service's own limits are learnt from its answers and kept anyway."),
  max_retries: z
    .int()
    .min(0)
    .max(20)
    .optional()
    .describe(
      "How often a call is repeated after failures of the service or the network; 4 when absent. Being sent away by a limit of the service, or as the machine is busy, does not count.",
    ),
  default_tags: z.array(Tag).optional().describe("Tags of every resource that has tags, beside its own."),
  allow_reboot: z
    .enum(["allow", "forbid"])
    .optional()
    .describe(
      "Whether updates may shut machines down and boot them; a resource's own `allowReboot` comes before it. Absent: `allow`.",
    ),
  label_prefix: z
    .string()
    .regex(/^[a-zA-Z][a-zA-Z0-9-]*$/, "must start with a letter and contain only letters, digits and dashes")
    .max(20)
    .optional()
    .describe("Begin of the labels that are made from resources' names."),
});

export type Settings = z.output<typeof Settings>;

/** What the configuration says, checked as a whole; `kinds` are the names that time limits can be stated for. */
export function settingsFrom(config: RawConfig, kinds: readonly string[]): Settings {
  const own = Object.entries(config).filter(([key]) => key.startsWith(NAMESPACE));
  const fields = Object.fromEntries(Object.entries(fieldsOf(Settings)).map(([key, field]) => [camel(key), field]));
  const given = Object.fromEntries(
    own.map(([key, text]) => {
      const name = key.slice(NAMESPACE.length);
      return [name, parsedAs(fields[name], text)];
    }),
  );
  const strangers = unknownIn(given, Object.keys(fields), kinds);
  const parsed = z.safeParse(Settings, toWire(Settings, pick(given, Object.keys(fields))), { reportInput: true });
  const problems = parsed.success ? [] : problemsOf(parsed.error.issues).map(camelled);
  if (parsed.success && !strangers.length) return parsed.data;
  // What nobody knows need not be well-formed as well.
  const told = problems.filter(
    ({ path }) => !strangers.some((other) => pathText(path).startsWith(pathText(other.path))),
  );
  throw new ConfigurationError([...strangers, ...told]);
}

/** Pulumi keeps objects, numbers and booleans as JSON, and texts as they are. */
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

/** The stack's configuration can't be used; all that is wrong with it. */
export class ConfigurationError extends CloudInfraError {
  override readonly name = "ConfigurationError";

  constructor(readonly problems: readonly Problem[]) {
    super(problems.map(({ path, reason }) => `${NAMESPACE}${pathText(path)} ${reason}`).join("; "));
  }
}

const camelled = ({ path: [first, ...rest], reason }: Problem): Problem => ({
  path: [camel(String(first)), ...rest],
  reason,
});

/** Names that are no setting, and in the time limits those that are no kind or operation. */
function unknownIn(given: Bag, settings: readonly string[], kinds: readonly string[]): Problem[] {
  const operations = Object.keys(limits);
  const strangers = (value: unknown, known: readonly string[], path: Problem["path"]): Problem[] =>
    Object.keys(isObject(value) ? value : {})
      .filter((key) => !known.includes(key))
      .map((key) => ({ path: [...path, key], reason: `is no setting of this provider${didYouMean(key, known)}` }));
  const { timeouts } = given;
  const ofKinds = Object.entries(isObject(timeouts) ? timeouts : {}).filter(([name]) => kinds.includes(name));
  return [
    ...strangers(given, settings, []),
    ...strangers(timeouts, [...operations, ...kinds], ["timeouts"]),
    ...ofKinds.flatMap(([name, those]) => strangers(those, operations, ["timeouts", name])),
  ];
}
