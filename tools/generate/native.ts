import { idsIn } from "./ids";
import { MARK } from "./mark";
import { functionsOf, nameIn, type PackageSchema } from "./model";
import { inputFields } from "./typescript";

/**
 * Generates the entry point `pulumi-cloudinfra/native`, whose exports have the same names as those of
 * `pulumi-cloudinfra`, but use the native plugin instead of dynamic resources.
 */
export function nativeFile(schema: PackageSchema): Record<string, string> {
  const functions = functionsOf(schema).map(([token, { outputs }]) => {
    const ids = idsIn(schema, outputs.properties);
    const name = nameIn(token);
    return { name, callArguments: Object.keys(ids).length ? `"${name}", ${JSON.stringify(ids)}` : `"${name}"` };
  });
  const resources = Object.keys(schema.resources).map(nameIn);
  if (!functions.length) return {};
  const { description, inputProperties } = schema.provider;
  return {
    "sdk/native.ts": `${MARK}import type * as pulumi from "@pulumi/pulumi";
import * as dynamic from "./index";
import { nativeClass, nativeFunction, nativeOutput, providerInputs } from "./plugin";
import { ProviderResource } from "./pulumi";

export type * from "./index";

${resources.map((name) => `export const ${name} = nativeClass(dynamic.${name});\nexport type ${name} = dynamic.${name};`).join("\n")}

${functions
  .map(
    ({ name, callArguments }) =>
      `export const ${name} = nativeFunction<typeof dynamic.${name}>(${callArguments});\nexport const ${name}Output = nativeOutput<typeof dynamic.${name}Output>(${callArguments});`,
  )
  .join("\n")}

/** ${description} A resource uses it through the option \`provider\`. */
export class Provider extends ProviderResource {
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
