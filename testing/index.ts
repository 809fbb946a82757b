/** Helpers for tests: the real Pulumi CLI, a provider without the CLI, and the emulated service that both work with. */
export { type Cloud, cloud } from "./cloud";
export * from "./engine";
export { CheckError, type Failure, type Inputs, Managed, type Plan, type State } from "./provider";
