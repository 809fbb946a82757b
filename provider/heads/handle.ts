/** Names of kinds in stacks of earlier versions, which contain them in the types and handlers of resources. */
export const formerNames: Readonly<Record<string, string>> = { OAuthClient: "OauthClient", LkeNodeRecycle: "Recycle" };

/** The type of a resource that the native plugin manages. */
export const nativeTypeOf = (kind: string): string => `cloudinfra:index:${kind}`;

const OWN_TYPE = /^(?:pulumi-nodejs:dynamic\/cloudinfra:|cloudinfra:index:)(\w+)$/;

/** The kind that a type names, dynamic or native, by its current name; undefined for types of other packages. */
export function kindIn(type: string): string | undefined {
  const [, name] = OWN_TYPE.exec(type) ?? [];
  return Object.entries(formerNames).find(([, former]) => former === name)?.[0] ?? name;
}

/** Pulumi uses the dynamic provider for every type with this prefix. */
export const typeOf = (kind: string): string => `pulumi-nodejs:dynamic/cloudinfra:${kind}`;

/** Stored twice with each resource, so it is one short line that is the same in every version of the package. */
export const handlerOf = (kind: string): string => `exports.handler=()=>require("pulumi-cloudinfra/provider").${kind}`;
