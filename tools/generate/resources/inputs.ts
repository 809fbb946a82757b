import { z } from "zod";
import { camel, fieldsOf, fromWire, holdsSecret, innerOf, isRequired, layersOf, metaOf, sentence } from "../../../api";
import { fieldOf, type Kind } from "../../../provider/engine/definition";
import { defaultsOf } from "../../../provider/engine/identity";
import { Settings } from "../../../provider/heads/settings";
import { stateSchema } from "../../../provider/heads/state";
import { anchor, code, link, table } from "../markdown";
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
  /** Field names that texts may mention. */
  names: ReadonlySet<string>;
}

/** A line for each input and each field of one. Those of the object say what a change does; what lies in it changes with it. */
export function inputsTable({ name, kind, names }: Documented): string {
  const rows = [...fieldsIn(kind.inputs, true)].map(({ path, field, key, nested }) => {
    const about = aboutOf(field, names);
    return [
      isNeeded(kind, { field, key, nested }) ? `**${code(path)}**` : code(path),
      typeOf(field),
      limits(field, about).join("; "),
      nested ? initialOf(field) : ownInitial(kind, key, field),
      nested ? "" : changeOf({ name, kind, names }, key),
      holdsSecret(field) ? "secret" : "",
      nested && !metaOf(field).since ? "" : sinceOf(kind, field),
      [about, ...clearing(field, about)].join(" "),
    ];
  });
  return table(["Input", "Type", "Allowed", "Default", "A change", "Secret", "Since", "About"], rows);
}

const isNeeded = (kind: Kind, { field, key, nested }: Omit<Field, "path">): boolean =>
  isRequired(field) && (nested || key !== kind.identity.autoname);

const initialOf = (field: Schema): string => {
  const { initial } = layersOf(field);
  return initial === undefined ? "" : code(JSON.stringify(fromWire(field, initial)));
};

/** What the kind itself states where nothing else is said. */
const beginning = (kind: Kind, key: string, field: Schema): string => {
  const initial = defaultsOf(kind, {}, {})[key];
  return initial === undefined ? "" : code(JSON.stringify(fromWire(field, initial)));
};

const ownInitial = (kind: Kind, key: string, field: Schema): string =>
  [
    ...absence(kind, key).map((text) => text.replace(/^Absent: /, "")),
    initialOf(field) || beginning(kind, key, field),
    ...configuredBy(kind, key).map((setting) => `as ${setting} says`),
  ]
    .filter(Boolean)
    .join("; ");

/** The settings that can state the input, found by trying every choice that a stack has. */
const configuredBy = (kind: Kind, key: string): string[] =>
  Object.entries(fieldsOf(Settings)).flatMap(([setting, field]) => {
    const choices =
      innerOf(field) instanceof z.core.$ZodEnum ? [...(innerOf(field) as z.core.$ZodEnum)._zod.values] : [];
    const unset = key in defaultsOf(kind, {}, {});
    const states = !unset && choices.some((choice) => key in defaultsOf(kind, { [setting]: choice }, {}));
    const adds = setting === "default_tags" && key === "tags";
    return states || adds ? [link(code(`cloudinfra:${camel(setting)}`), "../configuration.md")] : [];
  });

/** What a change does, and by which operations, each with a link to what the contract says of it. */
function changeOf({ name, kind, names }: Documented, key: string): string {
  // A file changes what its hash, which check fills in, tells of it.
  const acting = metaOf(fieldsOf(kind.inputs)[key] as Schema).toldBy ?? key;
  const { change, note } = fieldOf(kind, acting);
  const step = kind.steps?.[change];
  const by = operationsOf(kind, acting).map(code).join(", ");
  const how = [by, change === "writeOnly" ? "" : note].filter(Boolean).join("; ");
  return [
    sentence(`${meaningOf(name, kind, key)}${how ? `: ${how}` : ""}`),
    ...(step?.preview ? ["The preview says what comes with it."] : []),
    ...(step?.awaitInputs ? ["Waits until it is so."] : []),
  ]
    .map((text) => linked(translated(text, names)))
    .join(" ");
}

const linked = (text: string): string =>
  operationsIn(text).reduce(
    (so, operation) => so.replace(code(operation), link(code(operation), `../api.md${anchor(operation)}`)),
    text,
  );

const aboutOf = (field: Schema, names: ReadonlySet<string>): string => {
  const { description = "", deprecated } = metaOf(field);
  const text = translated(description, names);
  return [...(deprecated ? ["*Deprecated.*"] : []), ...(text ? [sentence(text)] : [])].join(" ");
};

/** What null does, where neither the text nor the default tells. */
function clearing(field: Schema, about: string): string[] {
  const { nullable, initial } = layersOf(field);
  return nullable && initial !== null && !about.includes("null") ? ["`null` clears it."] : [];
}

/** What a program reads beside its own inputs; undefined when that is nothing. */
export function outputsTable({ kind, names }: Documented): string | undefined {
  const rows = outputsOf(kind).kept.map(({ path, field }) => [
    code(path),
    typeOf(field),
    holdsSecret(field) ? "secret" : "",
    aboutOf(field, names),
  ]);
  return rows.length ? table(["Output", "Type", "Secret", "About"], rows) : undefined;
}

/** The outputs that are no inputs: those that state keeps, and those that move by themselves. */
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
