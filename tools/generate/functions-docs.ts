import { camel, elementOf, fieldsOf, holdsSecret, layersOf } from "../../api";
import type { ReadFunction } from "../../provider/functions/functions";
import { records } from "./api-docs";
import { examples } from "./functions-examples";
import type { Files } from "./mark";
import { apiPage, code, link, recordPage, table } from "./markdown";

/** Generates docs/functions.md: the functions that read from the API. */
export function functionsFile(functions: readonly ReadFunction[]): Files {
  if (!functions.length) return {};
  const areas = [...new Set(functions.map(({ area }) => area))];
  const text = [
    "# Functions",
    "Functions read from the API; written by `make generate` from the contract. Every operation that only reads is a function, in two forms: " +
      "`getX(…)` returns a promise; `getXOutput(…)` accepts outputs of resources and returns an output. " +
      `There are ${functions.length} functions.`,
    examples,
    "## Conventions",
    conventions.map((line) => `- ${line}`).join("\n"),
    "## All functions",
    "Parameters in **bold** are required; of two with *or* between them, exactly one. Results marked *secret* are secret outputs. Each name links to its operation, " +
      "which lists constraints, the grant and the source in the documents.",
    ...areas.flatMap((area) => [
      `### ${area}`,
      table(
        ["Function", "Parameters", "Result", "Filter by", "Scopes"],
        functions.filter((fn) => fn.area === area).map(row),
      ),
    ]),
  ];
  return { "docs/functions.md": `${text.join("\n\n")}\n` };
}

const conventions = [
  "Functions use the address and token of the stack: `cloudinfra:url` and `cloudinfra:token`, or the environment variables `CLOUDINFRA_URL` and `CLOUDINFRA_TOKEN`.",
  "Functions also run in previews. If an input of `getXOutput` is unknown in a preview, no request is sent and the result is unknown.",
  "Ids are numbers or the `id` of a resource; the `id` of a nested resource, such as `7/12`, can be passed unchanged.",
  "Lists read all pages and return the entries under their name: `{ volumes: […] }`.",
  "`filter` maps fields to values or to comparisons: `{ created: { gte: … } }` with `neq`, `gt`, `gte`, `lt`, `lte` and, for text, `contains`. " +
    "All fields must match; `and` and `or` combine lists of filters. For a field that is a list, at least one entry must match. `orderBy` and `descending` sort the entries.",
  "Where the service can filter by name, pass the name in place of the id. It is an error if no object or several objects have that name.",
  "Invalid input is reported before a request is sent, all problems at once. A missing object is an error that names the function and the id.",
  "If a result contains a secret, the whole output is secret. A promise holds it in plain text, so use the `Output` form for values that become inputs or outputs.",
  "Functions that need only the id of a resource are also its methods: `cluster.getKubeconfig()` is `getLkeKubeconfigOutput({ clusterId: cluster.id })`. The page of each kind lists them.",
  "Use `getXOutput(…, { dependsOn })` to wait for resources that its input does not refer to.",
  'In tests with `pulumi.runtime.setMocks`, the mock\'s `call` returns the result. Tokens are names such as `"cloudinfra:index:getVolume"`.',
];

function row(fn: ReadFunction): string[] {
  const { name, area, key, operation, filters } = fn;
  const marks = [...(operation.deprecated ? ["*deprecated*"] : []), ...(operation.beta ? ["*beta*"] : [])];
  return [
    [link(code(name), apiPage(`${area}.${key}`)), ...marks].join(" "),
    parameters(fn) || "–",
    resultCell(fn),
    [...filters.keys()].map(code).join(", ") || "–",
    operation.scopes.map(code).join(", ") || "–",
  ];
}

/** Parameters of every list function. They are explained once and omitted in the tables. */
const ofLists: ReadonlySet<string> = new Set(["filter", "order_by", "descending"]);

function parameters({ inputs, lookup }: ReadFunction): string {
  const either = lookup ? `**${code(lookup.id)}** *or* **${code(camel(lookup.by))}**` : "";
  return Object.entries(fieldsOf(inputs))
    .filter(([key]) => !ofLists.has(key) && key !== lookup?.by)
    .map(([key, field]) => {
      if (key === lookup?.id) return either;
      const { optional, initial } = layersOf(field);
      return optional || initial !== undefined ? code(camel(key)) : `**${code(camel(key))}**`;
    })
    .join(", ");
}

function resultCell({ result, items }: ReadFunction): string {
  const list = items === undefined ? undefined : fieldsOf(result)[items];
  const shown = (list && elementOf(list)) ?? result;
  const record = records.get(shown);
  const fields = Object.keys(fieldsOf(shown)).map((key) => code(camel(key)));
  const one = record ? link(record, recordPage(record)) : fields.join(", ");
  const secret = holdsSecret(result) ? " *secret*" : "";
  return `${items === undefined ? one : `${code(items)}: list of ${one}`}${secret}`;
}
