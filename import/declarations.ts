import { z } from "zod";
import { camel, fieldsOf, holdsSecret, innerOf } from "../api";
import type { AdoptedResource } from "../provider/dynamic/provider";
import { kinds } from "../provider/resources";
import type { Named } from "../stack/edit";
import { libraries } from "../stack/migration";
import { capital, identifier, unique } from "./identifiers";
import { Expression, literal, propertiesOf } from "./literal";

/** An object that the printed program declares. */
export type Declared = Named & { resource: Pick<AdoptedResource, "id" | "program" | "withheld" | "hidden"> };

/** A secret value that the program reads from the stack's configuration. */
export interface NeededSecret {
  /** Key in the configuration, without the project's name. */
  key: string;
  kind: Named["kind"];
  name: string;
  input: string;
}

/**
 * The secrets that a program reads from the configuration, in the order of the program. Each secret gets a
 * configuration key that is not in use yet.
 */
export function secretsOf(objects: readonly Declared[], used = new Set<string>()): NeededSecret[] {
  return objects.flatMap(({ kind, name, resource }) =>
    resource.withheld
      .filter((input) => holdsSecret(fieldOf(kind, input)))
      .map((input) => ({ key: unique(`${identifier(name)}${capital(input)}`, used), kind, name, input })),
  );
}

/** Prints a TypeScript program that declares the objects with their current values, with the classes of a library. */
export function programOf(
  objects: readonly Declared[],
  library: string = libraries.dynamic,
  secrets: readonly NeededSecret[] = secretsOf(objects),
): string {
  const classes = [...new Set(objects.map(({ kind }) => kind))].sort();
  return [
    [
      ...(secrets.length ? [`import * as pulumi from "@pulumi/pulumi";`] : []),
      `import { ${classes.join(", ")} } from ${literal(library)};`,
    ].join("\n"),
    ...(secrets.length ? ["const config = new pulumi.Config();"] : []),
    ...objects.map((object) => {
      const own = secrets.filter(({ kind, name }) => kind === object.kind && name === object.name);
      return declaration(object, own);
    }),
  ]
    .join("\n\n")
    .concat("\n");
}

/** Declares an object without a variable, because nothing in the printed program refers to it. */
function declaration({ kind, name, resource }: Declared, secrets: readonly NeededSecret[]): string {
  const { program, withheld, hidden } = resource;
  const unread = withheld.filter((input) => !secrets.some((secret) => secret.input === input));
  const comments = [
    `${kind} ${resource.id}`,
    ...secrets.map(({ input, key }) => `${input} is not returned by the API: pulumi config set --secret ${key}`),
    ...unread.map((input) => `${input} is not returned by the API; it is required only to create the object again.`),
    ...(hidden.length ? [`Not declared, because the API does not return a value: ${hidden.join(", ")}.`] : []),
  ];
  const inputs = propertiesOf({ ...program, ...secretInputs(secrets) }, 2);
  const options = [
    "protect: true",
    ...(secrets.length ? [`ignoreChanges: ${literal(secrets.map(({ input }) => input))}`] : []),
  ];
  return [
    ...comments.map((comment) => `// ${printable(comment)}`),
    `new ${kind}(`,
    `  ${literal(name)},`,
    ...(inputs.length ? ["  {", ...inputs.map((input) => `    ${input}`), "  },"] : ["  {},"]),
    `  { ${options.join(", ")} },`,
    ");",
  ].join("\n");
}

/**
 * The secret inputs of an object, each with an expression that reads it from the configuration, such as
 * `config.requireSecret("password")`. `config` is the variable with the configuration.
 */
export const secretInputs = (secrets: readonly NeededSecret[], config = "config"): Record<string, Expression> =>
  Object.fromEntries(
    secrets.map(({ kind, input, key }) => [
      input,
      new Expression(`${config}.${getterOf(fieldOf(kind, input))}(${literal(key)})`),
    ]),
  );

function fieldOf(kind: Named["kind"], input: string): z.core.$ZodType {
  const fields = Object.entries(fieldsOf(kinds[kind].inputs));
  return fields.find(([key]) => camel(key) === input)?.[1] ?? z.unknown();
}

const getterOf = (field: z.core.$ZodType): string =>
  innerOf(field) instanceof z.core.$ZodString ? "requireSecret" : "requireSecretObject";

/** Escapes line breaks and control characters, because a comment must stay on one line. */
const printable = (text: string): string => literal(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("\\'", "'");
