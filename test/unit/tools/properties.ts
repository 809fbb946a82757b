import type { PackageSchema, Properties } from "../../../tools/generate/model";

/** All properties in the package schema, grouped by the resource, type or function that contains them. */
export function* propertiesOf({
  resources,
  types,
  functions,
  config,
  provider,
}: PackageSchema): Iterable<[where: string, properties: Properties, required: readonly string[]]> {
  for (const [name, { inputProperties, requiredInputs, properties, required }] of Object.entries(resources)) {
    yield [`${name} inputs`, inputProperties, requiredInputs];
    yield [`${name} outputs`, properties, required];
  }
  for (const [name, type] of Object.entries(types))
    if ("properties" in type) yield [name, type.properties, type.required ?? []];
  for (const [name, { inputs, outputs }] of Object.entries(functions)) {
    yield [`${name} inputs`, inputs.properties, inputs.required ?? []];
    yield [`${name} outputs`, outputs.properties, outputs.required];
  }
  yield ["configuration", config.variables, []];
  yield ["provider", provider.inputProperties, []];
}
