import { MARK } from "./mark";
import { nameIn, type PackageSchema } from "./model";
import { inputFields } from "./typescript";

/** The exports of `pulumi-cloudinfra/native`: the names of `pulumi-cloudinfra`, for resources that the plugin manages. */
export function nativeFile(schema: PackageSchema): Record<string, string> {
  const functions = Object.keys(schema.functions).map(nameIn);
  const resources = Object.keys(schema.resources).map(nameIn);
  if (!functions.length) return {};
  const { description, inputProperties } = schema.provider;
  return {
    "sdk/native.ts": `${MARK}import * as pulumi from "@pulumi/pulumi";
import * as dynamic from "./index";
import { nativeClass, nativeFunction, nativeOutput, providerInputs } from "./plugin";

export type * from "./index";

${resources.map((name) => `export const ${name} = nativeClass(dynamic.${name});\nexport type ${name} = dynamic.${name};`).join("\n")}

${functions
  .map(
    (name) =>
      `export const ${name} = nativeFunction<typeof dynamic.${name}>("${name}");\nexport const ${name}Output = nativeOutput<typeof dynamic.${name}Output>("${name}");`,
  )
  .join("\n")}

/** ${description} A resource uses it through the option \`provider\`. */
export class Provider extends pulumi.ProviderResource {
  constructor(name: string, args: ProviderArgs = {}, opts?: pulumi.ResourceOptions) {
    super("cloudinfra", name, providerInputs(args), opts);
  }
}

/** The arguments of a {@link Provider}. */
export interface ProviderArgs {
  ${inputFields(schema, inputProperties, [], "")}
}
`,
  };
}
