import { type FunctionSpec, nameIn, type PackageSchema, type Properties } from "./model";

/**
 * Names properties for C#, which rejects a member with the name of its class, such as `Domain` in the class `Domain`.
 * The names end with `Name`, as in Pulumi's provider for Linode. An input has the name of the output.
 */
export const withCsharpNames = (schema: PackageSchema): PackageSchema => ({
  ...schema,
  resources: mapValues(schema.resources, (name, spec) => {
    const classes = [name, `${name}Args`, `${name}State`];
    return {
      ...spec,
      properties: named(spec.properties, classes),
      inputProperties: named(spec.inputProperties, classes),
    };
  }),
  types: mapValues(schema.types, (name, spec) =>
    "properties" in spec ? { ...spec, properties: named(spec.properties, [name, `${name}Args`]) } : spec,
  ),
  functions: mapValues(schema.functions, (name, spec): FunctionSpec => {
    // The result of a method belongs to the names of both: `Instance/getStats` returns an `InstanceGetStatsResult`.
    const base = name.split("/").map(propertyName).join("");
    return {
      ...spec,
      inputs: { ...spec.inputs, properties: named(spec.inputs.properties, [`${base}Args`, `${base}InvokeArgs`]) },
      outputs: { ...spec.outputs, properties: named(spec.outputs.properties, [`${base}Result`]) },
    };
  }),
});

/** The name of a property in Pulumi's SDK for C#. */
const propertyName = (name: string): string => `${name.charAt(0).toUpperCase()}${name.slice(1)}`;

const named = (properties: Properties, classes: readonly string[]): Properties =>
  Object.fromEntries(
    Object.entries(properties).map(([key, property]) => {
      const name = propertyName(key);
      if (!classes.includes(name)) return [key, property];
      return [key, { ...property, language: { ...property.language, csharp: { name: `${name}Name` } } }];
    }),
  );

const mapValues = <T>(specs: Record<string, T>, map: (name: string, spec: T) => T): Record<string, T> =>
  Object.fromEntries(Object.entries(specs).map(([token, spec]) => [token, map(nameIn(token), spec)]));
