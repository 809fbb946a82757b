import { camel, elementOf, fieldsOf, holdsSecret, layersOf } from "../../api";
import type { ReadFunction } from "../../provider/functions/functions";
import { records } from "./api-docs";
import { examples } from "./functions-examples";
import type { Files } from "./mark";
import { anchor, code, link, table } from "./markdown";

/** docs/functions.md: what programs can ask the service for. */
export function functionsFile(functions: readonly ReadFunction[]): Files {
  if (!functions.length) return {};
  const areas = [...new Set(functions.map(({ area }) => area))];
  const text = [
    "# Functions",
    "What a program can ask the service for; written by `make generate` from the contract. Every operation that only reads is a function, in two forms: " +
      "`getX(…)` is a promise, for what is known when the program starts; `getXOutput(…)` takes outputs of other resources and is an output itself. " +
      `There are ${functions.length} of them.`,
    examples,
    "## What holds for all",
    conventions.map((line) => `- ${line}`).join("\n"),
    "## All functions",
    "Parameters in **bold** are required; of two with *or* between them, one is. What is *secret* is secret as an output. Each name leads to its operation, " +
      "which tells the bounds, the grant and the place in the documents.",
    ...areas.flatMap((area) => [
      `### ${area}`,
      table(
        ["Function", "Parameters", "Answers", "Filter by", "Scopes"],
        functions.filter((called) => called.area === area).map(row),
      ),
    ]),
  ];
  return { "docs/functions.md": `${text.join("\n\n")}\n` };
}

const conventions = [
  "Address and token are the stack's: `cloudinfra:url` and `cloudinfra:token`, else the environment's `CLOUDINFRA_URL` and `CLOUDINFRA_TOKEN`.",
  "They run in previews too, since they change nothing. An output that depends on what is not known yet is not known either, and the service is not asked.",
  "Ids are numbers or the `id` of a resource; that of a resource within another, such as `7/12`, can be passed on as it is.",
  "Lists answer all entries under their name, `{ volumes: […] }`, however many pages they take.",
  "`filter` holds the values that fields must have, or what they are compared with: `{ created: { gte: … } }` with `neq`, `gt`, `gte`, `lt`, `lte` and, for text, `contains`. " +
    "Several fields must all fit; `and` and `or` hold lists of filters. Of fields that are lists, one entry must fit. `orderBy` and `descending` put the entries in order.",
  "Where the service filters by what a thing is called, that finds it in place of its id; it is an error when none is called so, or several are.",
  "Wrong input is refused before anything is sent, all of it at once. What is not there is an error that names the function and the id.",
  "An answer with a secret in it is a secret output as a whole. The promise holds it in plain, so use the output for what ends up in an output or an input.",
  "`getXOutput(…, { dependsOn })` waits for resources that its input does not name.",
  'In tests with `pulumi.runtime.setMocks` the mock\'s `call` answers, by a name like `"cloudinfra:index:getVolume"`.',
];

function row(called: ReadFunction): string[] {
  const { name, area, key, operation, filters } = called;
  const marks = [...(operation.deprecated ? ["*deprecated*"] : []), ...(operation.beta ? ["*beta*"] : [])];
  return [
    [link(code(name), `api.md${anchor(`${area}.${key}`)}`), ...marks].join(" "),
    parameters(called) || "–",
    answer(called),
    [...filters.keys()].map(code).join(", ") || "–",
    operation.scopes.map(code).join(", ") || "–",
  ];
}

/** All but what every list takes. */
const ofLists: ReadonlySet<string> = new Set(["filter", "order_by", "descending"]);

function parameters({ inputs, named }: ReadFunction): string {
  const either = named ? `**${code(named.id)}** *or* **${code(camel(named.by))}**` : "";
  return Object.entries(fieldsOf(inputs))
    .filter(([key]) => !ofLists.has(key) && key !== named?.by)
    .map(([key, field]) => {
      if (key === named?.id) return either;
      const { optional, initial } = layersOf(field);
      return optional || initial !== undefined ? code(camel(key)) : `**${code(camel(key))}**`;
    })
    .join(", ");
}

function answer({ result, items }: ReadFunction): string {
  const list = items === undefined ? undefined : fieldsOf(result)[items];
  const shown = (list && elementOf(list)) ?? result;
  const record = records.get(shown);
  const fields = Object.keys(fieldsOf(shown)).map((key) => code(camel(key)));
  const one = record ? link(record, `api.md${anchor(record)}`) : fields.join(", ");
  const secret = holdsSecret(result) ? " *secret*" : "";
  return `${items === undefined ? one : `${code(items)}: list of ${one}`}${secret}`;
}
