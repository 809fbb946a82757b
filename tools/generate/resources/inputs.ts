import { z } from "zod";
import { camel, fieldsOf, fromWire, holdsSecret, innerOf, isRequired, layersOf, metaOf, sentence } from "../../../api";
import { fieldOf, type Kind } from "../../../provider/engine/definition";
import { defaultsOf } from "../../../provider/engine/identity";
import { Settings } from "../../../provider/heads/settings";
import { stateSchema } from "../../../provider/heads/state";
import { apiPage, code, link, table } from "../markdown";
import { operationsIn, operationsOf } from "../policy";
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
 * The Markdown table of a resource class's inputs, with a row for each nested field too. Only rows of top-level inputs
 * describe what a change does, because nested fields change together with them.
 */
export function inputsTable({ name, kind, names }: Documented): string {
  const rows = [...fieldsIn(kind.inputs, true)].map(({ path, field, key, nested }) => {
    const about = aboutOf(field, names);
    const since = sinceOf(kind, field);
    return [
      isNeeded(kind, { field, key, nested }) ? `**${code(path)}**` : code(path),
      [
        about,
        ...clearing(field, about),
        ...(holdsSecret(field) ? ["*Secret.*"] : []),
        ...(since === sinceOf(kind) ? [] : [`Since ${since}.`]),
      ].join(" "),
      typeOf(field),
      limits(field, about).join("; "),
      nested ? initialOf(field) : ownInitial(kind, key, field),
      nested ? "" : changeOf({ name, kind, names }, key),
    ];
  });
  return table(["Input", "Description", "Type", "Allowed", "Default", "Change"], rows);
}

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
  // The provider detects the change of a file by its hash, which is a hidden input. That input defines what the change
  // does.
  const acting = metaOf(fieldsOf(kind.inputs)[key] as Schema).hashedIn ?? key;
  const { change, note, replaceUnless } = fieldOf(kind, acting);
  const step = kind.steps?.[change];
  const by = operationsOf(kind, acting).map(code).join(", ");
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
  const rows = outputsOf(kind).kept.map(({ path, field }) => [
    code(path),
    typeOf(field),
    holdsSecret(field) ? "secret" : "",
    aboutOf(field, names),
  ]);
  return rows.length ? table(["Output", "Type", "Secret", "Description"], rows) : undefined;
}

/**
 * The outputs that are not inputs: `kept` are stored in state. `moving` are volatile, which means that they change
 * without an update, so they are not stored.
 */
export function outputsOf(kind: Kind): { kept: Field[]; moving: Field[] } {
  const stated = new Set([...fieldsIn(kind.inputs)].map(({ path }) => path));
  const own = [...fieldsIn(stateSchema(kind))].filter(({ path }) => path !== "id" && !stated.has(path));
  const moving = own.filter(({ field }) => metaOf(field).volatile);
  const moves = ({ path }: Field) =>
    moving.some(
      (outer) => path === outer.path || path.startsWith(`${outer.path}.`) || path.startsWith(`${outer.path}[`),
    );
  return {
    kept: own.filter((field) => !moves(field)),
    moving: moving.filter(({ nested, key }) => !nested || key in fieldsOf(kind.outputs)),
  };
}
