/** Names that kinds had in stacks of earlier versions, which hold them in the types and handlers of resources. */
export const formerNames: Readonly<Record<string, string>> = { OAuthClient: "OauthClient", LkeNodeRecycle: "Recycle" };

/** Pulumi runs the dynamic provider for every type that begins like this. */
export const typeOf = (kind: string): string => `pulumi-nodejs:dynamic/cloudinfra:${kind}`;

/** Stored with each resource twice, so it is one short line, the same in every version of the package. */
export const handlerOf = (kind: string): string => `exports.handler=()=>require("pulumi-cloudinfra/provider").${kind}`;
