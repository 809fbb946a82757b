export { Expression, literal, propertiesOf } from "./literal";
export { capital, identifier, reserved, unique } from "./names";
export { type Declared, type NeededSecret, programOf, secretInputs, secretsOf } from "./program";
export {
  type Adoption,
  type ConfigValue,
  conflictsIn,
  type Deployment,
  DYNAMIC_PROVIDER,
  defaultProvider,
  encrypted,
  isNative,
  type Named,
  nameIn,
  rawConfig,
  type StackName,
  type StateResource,
  secretNames,
  withAdopted,
} from "./state";
