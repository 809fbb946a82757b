import { camel, fieldsOf, holdsSecret } from "../../api";
import type { Bag } from "../../provider/engine/values";
import { nativeTypeOf, typeOf } from "../../provider/pulumi/handle";
import { stateSchema } from "../../provider/pulumi/state";
import { type KindName, kinds } from "../../provider/resources";
import type { ProviderType } from "../../stack/migration";
import type { State } from "../../testing/provider";

export interface InStack extends Pick<State, "id" | "inputs" | "outs"> {
  kind: KindName;
  name?: string;
  [field: string]: unknown;
}

/** The format in which `pulumi stack export` returns an encrypted secret. */
export const encrypted = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270", ciphertext: "v1:x" };

/** The output of `pulumi stack export` for a stack with the given resources. */
export const exported = (resources: readonly InStack[], { provider = "dynamic", stack = "dev" }: Options = {}) => ({
  name: `${stack}.json`,
  state: { version: 3, deployment: { manifest: {}, resources: resources.map((one) => rowOf(one, provider, stack)) } },
});

interface Options {
  provider?: ProviderType;
  stack?: string;
}

function rowOf({ kind, name = "thing", id, inputs, outs, ...more }: InStack, provider: ProviderType, stack: string) {
  const type = provider === "native" ? nativeTypeOf(kind) : typeOf(kind);
  const urn = `urn:pulumi:${stack}::shop::${type}::${name}`;
  return {
    urn,
    type,
    custom: true,
    id,
    inputs: kept(kind, inputs, provider),
    outputs: kept(kind, outs, provider),
    ...more,
  };
}

/**
 * Encrypts secrets, and for the native plugin removes `__provider` and `__stated`, which only dynamic resources store.
 */
function kept(kind: KindName, bag: Bag, provider: ProviderType): Bag {
  const secret = Object.entries(fieldsOf(stateSchema(kinds[kind]))).flatMap(([key, field]) =>
    holdsSecret(field) ? [camel(key)] : [],
  );
  const entries = Object.entries(bag)
    .filter(([key]) => provider === "dynamic" || !["__provider", "__stated"].includes(key))
    .map(([key, value]) => [key, secret.includes(key) && value !== null ? encrypted : value]);
  return Object.fromEntries(entries);
}
