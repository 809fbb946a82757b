/** Helpers for tests: the real Pulumi CLI, a provider that is called without the CLI, and an emulator for both. */
export { type Cloud, cloud } from "./cloud";
export * from "./engine";
export { CheckError, type Failure, type Inputs, Managed, type Plan, type State } from "./provider";
