/**
 * Former names of resource classes, which states of earlier versions contain in types and in the code that loads the
 * provider.
 */
export const formerNames: Readonly<Record<string, string>> = { OAuthClient: "OauthClient", LkeNodeRecycle: "Recycle" };

/** The type of a resource of the native plugin. */
export const nativeTypeOf = (kind: string): string => `cloudinfra:index:${kind}`;

/**
 * The start of the command that adds an existing object to a stack, to which a name and an id are appended. A stack of
 * the native plugin has Pulumi's own command, and rejects `cloudinfra adopt`.
 */
export const adoptCommand = (kind: string, { isNative }: { isNative: boolean }): string =>
  isNative ? `pulumi import ${nativeTypeOf(kind)}` : `npx cloudinfra adopt ${kind}`;

const OWN_TYPE = /^(?:pulumi-nodejs:dynamic\/cloudinfra:|cloudinfra:index:)(\w+)$/;

/**
 * The resource class of a resource type, dynamic or native. Former names are converted to current ones. Undefined for
 * types of other packages.
 */
export function kindIn(type: string): string | undefined {
  const [, name] = OWN_TYPE.exec(type) ?? [];
  return Object.entries(formerNames).find(([, former]) => former === name)?.[0] ?? name;
}

/** The type of a dynamic resource. Pulumi uses its dynamic provider for all types with this prefix. */
export const typeOf = (kind: string): string => `pulumi-nodejs:dynamic/cloudinfra:${kind}`;

/**
 * The code in state that loads the provider of a dynamic resource. The code is one short line, because Pulumi stores it
 * twice with each resource. All versions of the package use the same line.
 */
export const handlerOf = (kind: string): string => `exports.handler=()=>require("pulumi-cloudinfra/provider").${kind}`;
