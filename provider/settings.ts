import { z } from "zod";
import { Tag } from "../api/common";
import { fieldsOf } from "../api/meta";
import { type Problem, place, problemsOf } from "../api/problems";
import { guess } from "./engine/guess";
import { isBag } from "./engine/walk";
import { camel, toWire } from "./names";

/** Pulumi's configuration of a stack, all namespaces: what is no string is JSON. */
export type RawConfig = Readonly<Record<string, string>>;

const NAMESPACE = "cloudinfra:";

const Duration = z.string().regex(/^(\d+(\.\d+)?(ms|s|m|h))+$/, 'must be a duration such as "90s", "20m" or "1h30m"');

const limits = {
  create: Duration.optional().describe("How long a creation may take."),
  update: Duration.optional().describe("How long a change may take."),
  delete: Duration.optional().describe("How long a deletion may take."),
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
      "Address of the service, version segment included, e.g. `http://127.0.0.1:4108/v4`. The provider itself falls back to the environment's CLOUDINFRA_URL.",
    ),
  token: z
    .string()
    .optional()
    .meta({ secret: true })
    .describe("Access token. The provider itself falls back to the environment's CLOUDINFRA_TOKEN."),
  timeouts: Timeouts.optional().describe(
    'Time limits such as `{ "create": "20m", "Instance": { "update": "2h" } }`; a resource\'s `customTimeouts` come before them.',
  ),
  rate_limit: z
    .number()
    .gt(0, "must be more than 0")
    .optional()
    .describe("Most requests a second; the service's own limits are learnt from its answers and kept anyway."),
  default_tags: z.array(Tag).optional().describe("Tags of every resource that has tags, beside its own."),
  allow_reboot: z
    .enum(["allow", "forbid"])
    .optional()
    .describe(
      "Whether updates may shut machines down and boot them; a resource's own `allowReboot` comes before it. Absent: `allow`.",
    ),
  label_prefix: z
    .string()
    .regex(/^[a-zA-Z][a-zA-Z0-9-]*$/, "must start with a letter and hold only letters, digits and dashes")
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
  const wire = toWire(Settings, given);
  const parsed = z.safeParse(Settings, wire, { reportInput: true });
  const problems = parsed.success ? [] : problemsOf(parsed.error.issues);
  const strangers = unknownIn(given.timeouts, [...Object.keys(limits), ...kinds], ["timeouts"]);
  if (parsed.success && !strangers.length) return parsed.data;
  // A kind that nobody knows need not be told to be an object as well.
  const told = problems.filter(({ path }) => !strangers.some((stranger) => place(stranger.path) === place(path)));
  throw new ConfigurationError([...told.map((problem) => named(problem, Object.keys(fields))), ...strangers]);
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
export class ConfigurationError extends Error {
  override readonly name = "ConfigurationError";

  constructor(readonly problems: readonly Problem[]) {
    super(problems.map(({ path, reason }) => `${NAMESPACE}${place(path)} ${reason}`).join("; "));
  }
}

/** A problem under the name that a user writes, with a guess where the name is unknown. */
function named({ path: [first, ...rest], reason }: Problem, known: readonly string[]): Problem {
  const name = camel(String(first));
  if (!rest.length && !known.includes(name)) return stranger([name], known);
  return { path: [name, ...rest], reason };
}

const unknownIn = (value: unknown, known: readonly string[], path: Problem["path"]): Problem[] =>
  isBag(value)
    ? Object.keys(value)
        .filter((key) => !known.includes(key))
        .map((key) => stranger([...path, key], known))
    : [];

const stranger = (path: Problem["path"], known: readonly string[]): Problem => ({
  path,
  reason: `is no setting of this provider${guess(String(path.at(-1)), known)}`,
});

/** `1h30m` in milliseconds. */
export function milliseconds(duration: string): number {
  const units = { h: 3_600_000, m: 60_000, s: 1000, ms: 1 } as const;
  return [...duration.matchAll(/([\d.]+)(ms|s|m|h)/g)].reduce(
    (sum, [, count, unit]) => sum + Number(count) * units[unit as keyof typeof units],
    0,
  );
}
