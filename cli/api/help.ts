import {
  type Area,
  allowed,
  callOptions,
  contentTypeOf,
  entryOf,
  filterableFields,
  isRequired,
  kebab,
  layersOf,
  metaOf,
  type Operation,
  operations,
  sentence,
} from "../../api";
import { aboutParameter, isWhole } from "../../provider/client/flat-input";
import { type CommonOption, commonOptions, type Flag, flagsOf } from "./flags";
import { areas, type Named, operationsOf } from "./names";
import { listed, styled } from "./style";

/** The output of `cloudinfra api` without arguments: all areas, such as `volumes`, with their operations. */
export function areasHelp(): string {
  const rows = areas().map(
    ({ name, value }) =>
      [
        name,
        operationsOf(value)
          .map(({ name }) => name)
          .join(", "),
      ] as const,
  );
  return page(
    "Call the API directly: every operation of the service is a command.",
    ["cloudinfra api <area> <operation> [flags]"],
    [
      ["Areas", listed(rows)],
      ["Options", commonOptionsHelp(["url", "token", "help"])],
    ],
    `${EXIT_CODES}\n\ncloudinfra api <area> lists its operations, cloudinfra api <area> <operation> --help shows the fields of one.`,
  );
}

/** The help of an area, such as `cloudinfra api volumes`. */
export function areaHelp({ name, value }: Named<Area>): string {
  const rows = operationsOf(value).map(
    (operation) =>
      [
        [operation.name, ...wordsOf(operation.value)].join(" "),
        withCommands(operation.value.summary) + remarks(operation.value),
      ] as const,
  );
  return page(
    `Operations of ${name}.`,
    [`cloudinfra api ${name} <operation> [flags]`],
    [["Operations", listed(rows, 44)]],
  );
}

/** The help of an operation, such as `cloudinfra api volumes attach --help`. */
export function operationHelp(area: Named<Area>, { name, value: operation }: Named<Operation>): string {
  const { summary, method, path, beta } = operation;
  const of = (part: Flag["part"]) => flagsOf(operation).filter((flag) => flag.part === part);
  const section = (title: string, flags: readonly Flag[]): Section[] =>
    flags.length ? [[title, listed(flags.map((flag) => [term(flag), flagDescription(flag)] as const))]] : [];
  const command = ["cloudinfra api", area.name, name, ...wordsOf(operation), "[flags]"].join(" ");
  return page(
    `${withCommands(summary)}${remarks(operation)}`,
    [command],
    [
      ...section("Arguments", of("path")),
      ...section("Fields", of("body")),
      ...bytesHelp(operation),
      ...section("Query", of("query")),
      ...listHelp(operation),
      [
        "Options",
        commonOptionsHelp(optionsOf(operation).filter((name) => name !== "file" || !isWhole(operation.body))),
      ],
      ["Needs", listed(needsOf(operation))],
    ],
    `${method} /v4${beta ? "beta" : ""}${path}\n${EXIT_CODES}`,
  );
}

type Section = readonly [title: string, text: string];

function page(description: string, usage: readonly string[], sections: readonly Section[], end = ""): string {
  const heads = sections.map(([title, text]) => `${styled("underline", title)}\n${text}`);
  return `${[description, usage.map((line) => `${styled("bold", "Usage:")} ${line}`).join("\n"), ...heads, ...(end ? [styled("dim", end)] : [])].join("\n\n")}\n`;
}

const wordsOf = (operation: Operation): string[] =>
  flagsOf(operation).flatMap(({ part, name }) => (part === "path" ? [`<${name.replace(/^path\./, "")}>`] : []));

const remarks = ({ deprecated, beta }: Operation): string =>
  `${beta ? " Beta: the operation may change." : ""}${deprecated ? " Deprecated: the API will remove it." : ""}`;

/** A text of the contract in which operations are named as commands: `firewalls update-rules`, not `firewalls.updateRules`. */
const withCommands = (text: string): string =>
  text.replaceAll(/`(\w+)\.(\w+)`/g, (name, area: string, operation: string) =>
    isOperation(area, operation) ? `\`cloudinfra api ${kebab(area)} ${kebab(operation)}\`` : name,
  );

const isOperation = (area: string, operation: string): boolean =>
  Object.entries<Area>(operations).some(([name, value]) => name === area && Object.hasOwn(value, operation));

/** A flag as help texts show it: `--size <number>`, `--[no-]booted`. */
const term = ({ name, value, part, path }: Flag): string =>
  `${"  ".repeat(part === "body" ? path.length - 1 : 0)}--${value === undefined ? "[no-]" : ""}${name}${value ? ` ${value}` : ""}`;

function flagDescription({ part, schema, repeats, path }: Flag): string {
  const { description = part === "path" ? aboutParameter(path.join()) : "", secret, deprecated } = metaOf(schema);
  const { nullable, initial } = layersOf(schema);
  const bounds = allowed(schema).filter((text) => text !== "at least 1" && !description.includes(text));
  return [
    withCommands(description),
    bounds.join("; "),
    isRequired(schema) ? (path.length > 1 ? "Required if another field of the same object is set" : "Required") : "",
    repeats ? "Can be repeated" : "",
    nullable && initial !== null ? "`null` clears it" : "",
    initial === undefined || initial === null
      ? ""
      : `Default: \`${typeof initial === "string" ? initial : JSON.stringify(initial)}\``,
    secret ? "Secret" : "",
    deprecated ? "Deprecated" : "",
  ]
    .filter(Boolean)
    .map(sentence)
    .join(" ");
}

/**
 * The options that an operation has in addition to the flags for its own fields, such as `--all` for a list and
 * `--file` for a request with a body.
 */
export function optionsOf(operation: Operation): CommonOption[] {
  const absent: CommonOption[] = [];
  if (!entryOf(operation)) absent.push("all", "filter", "order-by", "desc");
  if (!operation.body) absent.push("file");
  if (contentTypeOf(operation.result)) absent.push("json", "jq", "columns");
  return callOptions.filter((name) => !absent.includes(name));
}

const bytesHelp = ({ body }: Operation): Section[] =>
  body && isWhole(body)
    ? [
        [
          "Body",
          listed([
            [
              "--file <file>",
              `${metaOf(body).description ?? "Bytes."} Path of a file; - reads standard input. Required.`,
            ],
          ]),
        ],
      ]
    : [];

function listHelp(operation: Operation): Section[] {
  const entry = entryOf(operation);
  const fields = entry ? [...filterableFields(entry).keys()].map((name) => `\`${name}\``).join(", ") : "";
  if (!entry) return [];
  return [["Filters", listed([["by", fields || "This list cannot be filtered, and can be sorted only by `id`."]])]];
}

const commonOptionsHelp = (names: readonly CommonOption[]): string =>
  listed(
    names.map(
      (name) =>
        [`--${name}${commonOptions[name] ? ` ${commonOptions[name]}` : ""}`, commonOptionDescriptions[name]] as const,
    ),
  );

/** The help text of each option that belongs to the command itself, not to a field of an operation. */
export const commonOptionDescriptions: Record<CommonOption, string> = {
  all: "Fetch all pages.",
  filter:
    "Only entries that match: `field=value`, `field!=value`, `field~part`, or a comparison with `<`, `<=`, `>` or `>=`, in quotes. Can be repeated; all conditions must hold. Also accepts JSON.",
  "order-by": "Field to sort by.",
  desc: "Sort in descending order.",
  file: "JSON or YAML file with the body; - reads standard input. Flags override its fields.",
  output: "File to write the response to.",
  json: "Print JSON instead of a table. This is the default in pipes.",
  jq: "Filter the JSON with jq syntax: `.data[] | select(.size > 20) | .label`. Strings are printed without quotes.",
  columns: "Print a table of these fields, such as `id,label,alerts.cpu`, also in pipes.",
  url: "Base URL of the API, including the version. Defaults to CLOUDINFRA_URL.",
  token: "Access token. Prefer the environment variable CLOUDINFRA_TOKEN, which other users of the machine cannot see.",
  timeout: "Time limit for the call in seconds, including retries. Defaults to 120.",
  verbose: "Log requests and responses, without secrets.",
  help: "Show this help.",
};

function needsOf({ scopes, grant, public: open }: Operation): (readonly [string, string])[] {
  return [
    [
      "scope",
      scopes.length
        ? scopes.map((scope) => `\`${scope}\``).join(" and ") +
          (open ? "; without a token, only public objects are returned." : "")
        : "None: no token is required.",
    ],
    ...(grant ? [["grant", `\`${grant}\`, required for restricted users.`] as const] : []),
  ];
}

const EXIT_CODES =
  "Exit codes: 0 success, 1 error from the service, 2 usage error, 3 no valid response, 130 interrupted.";
