/** What programs import as `pulumi-cloudinfra/client`; its declarations know nothing of the contract's schemas. */
export type * from "./areas";
export { CloudInfra } from "./cloud-infra";
export * from "./errors";
export type * from "./options";
export type * from "./records";
