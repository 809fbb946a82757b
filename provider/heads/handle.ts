/** Names of kinds in stacks of earlier versions, which contain them in the types and handlers of resources. */
export const formerNames: Readonly<Record<string, string>> = { OAuthClient: "OauthClient", LkeNodeRecycle: "Recycle" };

/** Pulumi uses the dynamic provider for every type with this prefix. */
export const typeOf = (kind: string): string => `pulumi-nodejs:dynamic/cloudinfra:${kind}`;

/** Stored twice with each resource, so it is one short line that is the same in every version of the package. */
export const handlerOf = (kind: string): string => `exports.handler=()=>require("pulumi-cloudinfra/provider").${kind}`;
