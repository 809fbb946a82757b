/**
 * The parts of JSON Schema that occur in the published OpenAPI 3.0 document or in the emulator's OpenAPI 3.1 document.
 */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  nullable?: boolean;
  readOnly?: boolean;
  enum?: unknown[];
  const?: unknown;
  allOf?: Schema[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  minimum?: number;
  minLength?: number;
  minItems?: number;
  maximum?: number;
  maxLength?: number;
  maxItems?: number;
}

/** The properties of a field that are compared between the published API contract and this project's contract. */
export interface Shape {
  type: string | undefined;
  nullable: boolean;
  required: boolean;
  readOnly: boolean;
  values: readonly unknown[] | undefined;
  bounds: string;
}

export type Resolve = (ref: string) => Schema;

/** All fields of a schema by path, such as `rules.inbound[].ports`. The path `""` is the schema itself. */
export function shapesOf(schema: Schema | undefined, resolve: Resolve): Map<string, Shape> {
  const shapes = new Map<string, Shape>();
  if (schema) collect(schema, "", resolve, shapes, []);
  return shapes;
}

function collect(sent: Schema, path: string, resolve: Resolve, shapes: Map<string, Shape>, above: Schema[]): void {
  const schema = sent.$ref ? resolve(sent.$ref) : sent;
  if (above.includes(schema)) return;
  const inner = [...above, schema];
  for (const part of schema.allOf ?? []) collect(part, path, resolve, shapes, inner);
  const choices = schema.anyOf ?? schema.oneOf;
  for (const choice of choices ?? []) if (choice.type !== "null") collect(choice, path, resolve, shapes, inner);
  const known = shapes.get(path);
  if (choices) {
    if (known && choices.some(({ type }) => type === "null")) known.nullable = true;
    return;
  }
  if (!schema.allOf || schema.properties) shapes.set(path, { ...known, ...shapeOf(schema, known) });
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    const at = path ? `${path}.${name}` : name;
    collect(field, at, resolve, shapes, inner);
    const shape = shapes.get(at);
    if (shape) Object.assign(shape, { required: schema.required?.includes(name) ?? false });
    if (shape && field.readOnly) shape.readOnly = true;
  }
  if (schema.items) collect(schema.items, `${path}[]`, resolve, shapes, inner);
}

function shapeOf(schema: Schema, before: Shape | undefined): Shape {
  const types = [schema.type ?? []].flat();
  const values = (schema.enum ?? (schema.const === undefined ? undefined : [schema.const]))?.filter((v) => v !== null);
  const [type] = types.filter((one) => one !== "null");
  const min = schema.minimum ?? schema.minLength ?? schema.minItems ?? "";
  const max = schema.maximum ?? schema.maxLength ?? schema.maxItems ?? "";
  return {
    type: type ?? (schema.properties ? "object" : values ? typeof values[0] : undefined),
    nullable: schema.nullable === true || types.includes("null"),
    required: false,
    readOnly: schema.readOnly === true,
    // For a union, the allowed values of all its variants are combined.
    values: values && before?.values ? [...new Set([...before.values, ...values])] : values,
    bounds: `${min}..${max === Number.MAX_SAFE_INTEGER ? "" : max}`,
  };
}
