/**
 * The exports of `pulumi-cloudinfra/client`. Their declarations do not depend on the schemas of the API, so that
 * programs compile fast.
 */

export { CloudInfra } from "./cloud-infra";
export * from "./errors";
export type * from "./generated/areas";
export type * from "./generated/records";
export type * from "./options";
