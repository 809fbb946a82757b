import { z } from "zod";
import { camel, fieldsOf, fromWire, holdsSecret, innerOf, isRequired, layersOf, metaOf, sentence } from "../../../api";
import { fieldOf, type Kind } from "../../../provider/engine/definition";
import { defaultsOf } from "../../../provider/engine/naming";
import { operationsOf } from "../../../provider/engine/operations";
import { Settings } from "../../../provider/pulumi/settings";
import { stateSchema } from "../../../provider/pulumi/state";
import { apiPage, code, link, table } from "../markdown";
import { actingInputOf, boots, operationsIn } from "../policy";
import { absence, meaningOf } from "../schema";
import { limits, translated } from "../sentences";
import { sinceOf } from "../shape";
import { typeOf } from "../type-words";
import { type Field, fieldsIn } from "./fields";

type Schema = z.core.$ZodType;

export interface Documented {
  name: string;
  kind: Kind;
  /** The API's field names, in snake_case. Where descriptions mention them in backticks, they become camelCase. */
  names: ReadonlySet<string>;
}

/**
 * The inputs of a resource class as Markdown, a block for each with the required ones first. The first line of a block
 * has the name, the type and what a reader looks for first. Nested fields are folded, and only blocks describe what a
 * change does, because nested fields change together with their input.
 */
export function inputBlocks(documented: Documented): string {
  const { kind } = documented;
  const fields = [...fieldsIn(kind.inputs, true)];
  const blocks = Map.groupBy(fields, ({ key }) => key);
  const top = fields.filter(({ nested }) => !nested);
  const [needed, optional] = [true, false].map((wanted) => top.filter((field) => isNeeded(kind, field) === wanted));
  return [...(needed ?? []), ...(optional ?? [])]
    .map((field) => blockOf(documented, field, (blocks.get(field.key) ?? []).slice(1)))
    .join("\n\n");
}

function blockOf(documented: Documented, { path, field, key, nested }: Field, inside: readonly Field[]): string {
  const { name, kind, names } = documented;
  const about = aboutOf(field, names);
  const since = sinceOf(kind, field);
  const chips = [
    ...(isNeeded(kind, { field, key, nested }) ? ["required"] : []),
    ...(holdsSecret(field) ? ["secret"] : []),
    ...chipsOf(kind, key),
  ];
  const change = changeOf({ name, kind, names }, key);
  return [
    `<h3 id="${path.toLowerCase()}"><code>${path}</code> ${typeOf(field)}${chips.map((chip) => ` <kbd>${chip}</kbd>`).join("")}</h3>`,
    [about, ...clearing(field, about), ...(since === sinceOf(kind) ? [] : [`Since ${since}.`])].join(" "),
    facts(limits(field, about), ownInitial(kind, key, field)),
    change && `*Change:* ${change}`,
    ...folded(kind, inside, names),
  ]
    .filter(Boolean)
    .join("\n\n");
}

/** The effect of a change of the input in one word, such as `replaces`. */
function chipsOf(kind: Kind, key: string): string[] {
  const { change, replaceUnless } = fieldOf(kind, actingInputOf(kind, key));
  return [
    ...(change === "replace" && !replaceUnless ? ["replaces"] : []),
    ...(replaceUnless ? ["may replace"] : []),
    ...(boots(kind, actingInputOf(kind, key)) ? ["reboots"] : []),
    ...(change === "writeOnly" ? ["write-only"] : []),
  ];
}

function folded(kind: Kind, inside: readonly Field[], names: ReadonlySet<string>): string[] {
  if (!inside.length) return [];
  const items = inside.map(({ path, field, key, nested }) => {
    const about = aboutOf(field, names);
    const head = [
      code(path),
      `${typeOf(field)}${isNeeded(kind, { field, key, nested }) ? ", **required**" : ""}${holdsSecret(field) ? ", *secret*" : ""}`,
    ].join(" · ");
    return `- ${[`${head}.`, about, ...clearing(field, about), facts(limits(field, about), initialOf(field))].filter(Boolean).join(" ")}`;
  });
  return [
    `<details><summary>${inside.length === 1 ? "1 field" : `${inside.length} fields`}</summary>`,
    items.join("\n"),
    "</details>",
  ];
}

/** The constraints and the default of a field in one line. */
const facts = (allowed: readonly string[], initial: string): string =>
  [
    ...(allowed.length ? [`*Allowed:* ${allowed.join("; ")}.`] : []),
    ...(initial ? [`*Default:* ${initial}.`] : []),
  ].join(" ");

const isNeeded = (kind: Kind, { field, key, nested }: Omit<Field, "path">): boolean =>
  isRequired(field) && (nested || key !== kind.identity.autoname);

const initialOf = (field: Schema): string => {
  const { initial } = layersOf(field);
  return initial === undefined ? "" : code(JSON.stringify(fromWire(field, initial)));
};

/** The default of an input as Markdown, if the resource class sets it and not the schema. Otherwise empty. */
const beginning = (kind: Kind, key: string, field: Schema): string => {
  const initial = defaultsOf(kind, {}, {})[key];
  return initial === undefined ? "" : code(JSON.stringify(fromWire(field, initial)));
};

const ownInitial = (kind: Kind, key: string, field: Schema): string =>
  [
    ...absence(kind, key).map((text) => text.replace(/^Defaults to /, "")),
    initialOf(field) || beginning(kind, key, field),
    ...configuredBy(kind, key).map((setting) => `from ${setting}`),
  ]
    .filter(Boolean)
    .join("; ");

/**
 * The stack settings that can set the input if the program omits it, such as `cloudinfra:allowReboot`. Found by
 * computing the default with every value of every setting.
 */
const configuredBy = (kind: Kind, key: string): string[] =>
  Object.entries(fieldsOf(Settings)).flatMap(([setting, field]) => {
    const choices =
      innerOf(field) instanceof z.core.$ZodEnum ? [...(innerOf(field) as z.core.$ZodEnum)._zod.values] : [];
    const unset = key in defaultsOf(kind, {}, {});
    const states = !unset && choices.some((choice) => key in defaultsOf(kind, { [setting]: choice }, {}));
    const adds = setting === "default_tags" && key === "tags";
    return states || adds ? [link(code(`cloudinfra:${camel(setting)}`), "../configuration.md")] : [];
  });

/**
 * The effect of changing an input, as Markdown: for example "in place: `volumes.resize`" with a link to the operation.
 */
function changeOf({ name, kind, names }: Documented, key: string): string {
  const actingInput = actingInputOf(kind, key);
  const { change, note, replaceUnless } = fieldOf(kind, actingInput);
  const step = kind.steps?.[change];
  const by = operationsOf(kind, actingInput).map(code).join(", ");
  const inPlace = replaceUnless && by ? `Otherwise in place: ${by}` : "";
  return [
    `${meaningOf(name, kind, key)}${by && !inPlace ? `: ${by}` : ""}`,
    inPlace,
    change === "writeOnly" ? "" : (note ?? ""),
    step?.preview ? "The preview reports side effects" : "",
    step?.awaitInputs ? "Waits until the change is complete" : "",
  ]
    .filter(Boolean)
    .map(sentence)
    .map((text) => linked(translated(text, names)))
    .join(" ");
}

const linked = (text: string): string =>
  operationsIn(text).reduce(
    (so, operation) => so.replace(code(operation), link(code(operation), `../${apiPage(operation)}`)),
    text,
  );

const aboutOf = (field: Schema, names: ReadonlySet<string>): string => {
  const { description = "", deprecated } = metaOf(field);
  const text = translated(description, names);
  return [...(deprecated ? ["*Deprecated.*"] : []), ...(text ? [sentence(text)] : [])].join(" ");
};

/** A sentence about setting the input to null, unless its description already mentions null. */
function clearing(field: Schema, about: string): string[] {
  const { nullable, initial } = layersOf(field);
  return nullable && initial !== null && !about.includes("null") ? ["Set to `null` to clear it."] : [];
}

export function outputsTable({ kind, names }: Documented): string | undefined {
  const rows = outputsOf(kind).stored.map(({ path, field }) => [
    code(path),
    typeOf(field),
    holdsSecret(field) ? "secret" : "",
    aboutOf(field, names),
  ]);
  return rows.length ? table(["Output", "Type", "Secret", "Description"], rows) : undefined;
}

/**
 * The outputs that are not inputs: `stored` are stored in state. `volatile` are volatile, which means that they change
 * without an update, so they are not stored.
 */
export function outputsOf(kind: Kind): { stored: Field[]; volatile: Field[] } {
  const inputPaths = new Set([...fieldsIn(kind.inputs)].map(({ path }) => path));
  const own = [...fieldsIn(stateSchema(kind))].filter(({ path }) => path !== "id" && !inputPaths.has(path));
  const volatile = own.filter(({ field }) => metaOf(field).volatile);
  const moves = ({ path }: Field) =>
    volatile.some(
      (outer) => path === outer.path || path.startsWith(`${outer.path}.`) || path.startsWith(`${outer.path}[`),
    );
  return {
    stored: own.filter((field) => !moves(field)),
    volatile: volatile.filter(({ nested, key }) => !nested || key in fieldsOf(kind.outputs)),
  };
}
