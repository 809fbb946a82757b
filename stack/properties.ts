import { camel, fieldsOf, HIDDEN, isObject, metaOf } from "../api";
import type { Kind } from "../provider/engine/definition";
import { diff } from "../provider/engine/diff";
import { type Bag, containsSecretValue, declaredPaths, isSecretValue, pick } from "../provider/engine/values";
import { withTextIds } from "../provider/plugin/values";
import { handlerOf } from "../provider/pulumi/handle";
import {
  AUTONAMED,
  PROVIDER,
  TIMEOUTS,
  UNFINISHED,
  VERSION,
  withoutOwnProperties,
  withoutPlaceholders,
} from "../provider/pulumi/own-properties";
import { declaredProperties, stateIn, toApiNames, toProgramNames } from "../provider/pulumi/properties";
import { stateSchema } from "../provider/pulumi/state";
import { assetWithoutMarker } from "../provider/resources/content/asset";

/** The inputs and outputs of a resource in a stack's state. Secrets are encrypted. */
export interface Stored {
  inputs: Bag;
  outputs: Bag;
}

/** Converts the properties of a dynamic resource to the format of the native plugin. */
export function nativeProperties(kind: Kind, { inputs, outputs }: Stored, isUnfinished: boolean): Stored {
  const [ownInputs, ownOutputs] = [
    withoutOwnProperties(withoutPlaceholders(kind, inputs)),
    withoutOwnProperties(outputs),
  ].map((bag) => texts(kind, bag));
  return {
    inputs: { ...ownInputs, ...pick(inputs, [AUTONAMED]) },
    outputs: { ...ownOutputs, ...(isUnfinished && { [UNFINISHED]: true }), ...pick(outputs, [VERSION, UNFINISHED]) },
  };
}

/** Converts ids to strings, as the native plugin stores them. Dynamic resources store numbers. */
const texts = (kind: Kind, bag: Bag): Bag => withTextIds(stateSchema(kind), bag) as Bag;

const numbers = (kind: Kind, bag: Bag): Bag => toProgramNames(kind, toApiNames(kind, bag));

/** Converts the properties of a native resource to the format of dynamic resources. `timeouts` are in seconds. */
export function dynamicProperties(kind: Kind, { inputs, outputs }: Stored, timeouts: Bag): Stored {
  const limits = Object.entries(timeouts).map(([operation, seconds]) => [operation, `${seconds}s`]);
  const ownProperties = {
    ...pick(inputs, [AUTONAMED]),
    ...(limits.length && { [TIMEOUTS]: Object.fromEntries(limits) }),
    [PROVIDER]: handlerOf(kind.name),
  };
  const [ownInputs, ownOutputs] = [inputs, outputs].map((bag) => withPlainAssets(kind, numbers(kind, bag)));
  return {
    inputs: { ...ownInputs, ...ownProperties },
    outputs: { ...ownOutputs, ...pick(outputs, [VERSION, UNFINISHED]), ...ownProperties },
  };
}

/**
 * Properties that dynamic resources store in addition, because Pulumi does not pass inputs to their refresh: the paths
 * that the program declares, and the inputs that have not been applied yet.
 */
export function declarations(kind: Kind, { inputs, outputs }: Stored): Bag {
  const readable = Object.fromEntries(Object.entries(inputs).filter(([, value]) => !containsSecretValue(value)));
  const outs = stateIn(kind, concealSecrets(outputs) as Bag);
  const want = toApiNames(kind, readable);
  const { changed: unmet } = diff(kind, outs, want);
  const declared = declaredPaths(kind.inputs, toApiNames(kind, concealSecrets(inputs) as Bag));
  return declaredProperties(kind, { outs, inputs: want, declared, unmet });
}

/** Replaces encrypted values by a placeholder, because the declared paths can be determined without their contents. */
function concealSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(concealSecrets);
  if (!isObject(value)) return value;
  if (isSecretValue(value)) return HIDDEN;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, concealSecrets(item)]));
}

/** Converts assets to the format of dynamic resources, which does not contain Pulumi's signature and hash. */
function withPlainAssets({ inputs }: Kind, bag: Bag): Bag {
  const assets = Object.entries(fieldsOf(inputs)).flatMap(([key, field]) => (metaOf(field).asset ? [camel(key)] : []));
  return Object.fromEntries(
    Object.entries(bag).map(([key, value]) => [
      key,
      assets.includes(key) && isObject(value) && !isSecretValue(value) ? assetWithoutMarker(value) : value,
    ]),
  );
}
