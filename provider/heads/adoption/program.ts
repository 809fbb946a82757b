import { z } from "zod";
import { camel, fieldsOf, holdsSecret, innerOf } from "../../../api";
import { kinds } from "../../resources";
import type { AdoptedResource } from "../dynamic";
import { literal } from "./literal";
import type { Named } from "./state";

/** An object that a program is printed for. */
export type Declared = Named & { resource: Pick<AdoptedResource, "id" | "program" | "withheld" | "hidden"> };

/** A secret that the program reads from the stack's configuration. */
export interface NeededSecret {
  /** The key, without the project's name. */
  key: string;
  kind: string;
  name: string;
  input: string;
}

/** The secrets that {@link programOf} reads from the configuration, in its order. */
export function secretsOf(objects: readonly Declared[]): NeededSecret[] {
  const taken = new Set<string>();
  return objects.flatMap(({ kind, name, resource }) =>
    resource.withheld
      .filter((input) => holdsSecret(fieldOf(kind, input)))
      .map((input) => ({ key: unique(`${identifier(name)}${capital(input)}`, taken), kind, name, input })),
  );
}

/** A TypeScript program that declares the objects with their current values. */
export function programOf(objects: readonly Declared[]): string {
  const secrets = secretsOf(objects);
  const classes = [...new Set(objects.map(({ kind }) => kind))].sort();
  const taken = new Set<string>([...classes, ...reserved, "config", "pulumi"]);
  return [
    [
      ...(secrets.length ? [`import * as pulumi from "@pulumi/pulumi";`] : []),
      `import { ${classes.join(", ")} } from "pulumi-cloudinfra";`,
    ].join("\n"),
    ...(secrets.length ? ["const config = new pulumi.Config();"] : []),
    ...objects.map((object) => {
      const own = secrets.filter(({ kind, name }) => kind === object.kind && name === object.name);
      return declaration(object, unique(identifier(object.name), taken), own);
    }),
  ]
    .join("\n\n")
    .concat("\n");
}

function declaration({ kind, name, resource }: Declared, variable: string, secrets: readonly NeededSecret[]): string {
  const { program, withheld, hidden } = resource;
  const unread = withheld.filter((input) => !secrets.some((secret) => secret.input === input));
  const comments = [
    `${kind} ${resource.id}`,
    ...secrets.map(({ input, key }) => `${input} is not returned by the API: pulumi config set --secret ${key} …`),
    ...unread.map((input) => `${input} is not returned by the API; it is required only to create the object again.`),
    ...(hidden.length ? [`Not declared, as the API returns no value: ${hidden.join(", ")}.`] : []),
  ];
  const inputs = [
    ...Object.entries(program).map(([key, value]) => `${key}: ${literal(value, 2)},`),
    ...secrets.map(({ input, key }) => `${input}: config.${getterOf(fieldOf(kind, input))}(${literal(key)}),`),
  ];
  const options = [
    "protect: true",
    ...(secrets.length ? [`ignoreChanges: ${literal(secrets.map(({ input }) => input))}`] : []),
  ];
  return [
    ...comments.map((comment) => `// ${printable(comment)}`),
    `const ${variable} = new ${kind}(`,
    `  ${literal(name)},`,
    ...(inputs.length ? ["  {", ...inputs.map((input) => `    ${input}`), "  },"] : ["  {},"]),
    `  { ${options.join(", ")} },`,
    ");",
  ].join("\n");
}

function fieldOf(kind: Named["kind"], input: string): z.core.$ZodType {
  const fields = Object.entries(fieldsOf(kinds[kind].inputs));
  return fields.find(([key]) => camel(key) === input)?.[1] ?? z.unknown();
}

const getterOf = (field: z.core.$ZodType): string =>
  innerOf(field) instanceof z.core.$ZodString ? "requireSecret" : "requireSecretObject";

/** A description of the text, on one line of a terminal. */
const printable = (text: string): string => literal(text).slice(1, -1).replaceAll('\\"', '"');

/** `web-1` as a variable of a program: `web1`. */
function identifier(name: string): string {
  const [first = "", ...rest] = name.split(/[^a-zA-Z0-9]+/).filter(Boolean);
  const whole = `${first.slice(0, 1).toLowerCase()}${first.slice(1)}${rest.map(capital).join("")}`;
  return /^[a-z]/.test(whole) ? whole : `object${capital(whole)}`;
}

const capital = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1);

function unique(wanted: string, taken: Set<string>): string {
  let name = wanted;
  for (let nth = 2; taken.has(name); nth++) name = `${wanted}${nth}`;
  taken.add(name);
  return name;
}

/** Words that a strict program cannot use as the name of a variable. */
const reserved =
  "arguments await break case catch class const continue debugger default delete do else enum eval export extends false finally for function if implements import in instanceof interface let new null package private protected public return static super switch this throw true try typeof undefined var void while with yield".split(
    " ",
  );
