export { type Declared, type NeededSecret, programOf, secretsOf } from "./program";
export {
  type ConfigValue,
  conflictIn,
  type Deployment,
  type Named,
  nameIn,
  type StackName,
  type StateResource,
  secretNames,
  withAdopted,
} from "./state";
