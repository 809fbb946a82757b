/** The exports of `pulumi-cloudinfra/client`; its declarations do not use the contract's schemas. */
export type * from "./areas";
export { CloudInfra } from "./cloud-infra";
export * from "./errors";
export type * from "./options";
export type * from "./records";
