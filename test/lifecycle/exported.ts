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

const [SIGNATURE, SECRET] = ["4dabf18193072939515e22adb298388d", "1b47061264138c4ac30d75fd1eb44270"];

/** The format in which `pulumi stack export` returns an encrypted secret. */
export const encrypted = { [SIGNATURE]: SECRET, ciphertext: "v1:x" };

/** The output of `pulumi stack export` for a stack with the given resources. */
export const exported = (resources: readonly InStack[], { stack = "dev", ...options }: Options = {}) => ({
  name: `${stack}.json`,
  state: {
    version: 3,
    deployment: { manifest: {}, resources: resources.map((one) => rowOf(one, { stack, ...options })) },
  },
});

interface Options {
  provider?: ProviderType;
  stack?: string;
  /** Whether secrets are in plain text, as after `pulumi stack export --show-secrets`. */
  showsSecrets?: boolean;
}

function rowOf({ kind, name = "thing", id, inputs, outs, ...more }: InStack, options: Options) {
  const { provider = "dynamic", stack } = options;
  const type = provider === "native" ? nativeTypeOf(kind) : typeOf(kind);
  const urn = `urn:pulumi:${stack}::shop::${type}::${name}`;
  return {
    urn,
    type,
    custom: true,
    id,
    inputs: stored(kind, inputs, options),
    outputs: stored(kind, outs, options),
    ...more,
  };
}

/**
 * Encrypts secrets, and for the native plugin removes `__provider` and `__stated`, which only dynamic resources store.
 */
function stored(kind: KindName, bag: Bag, { provider = "dynamic", showsSecrets = false }: Options): Bag {
  const secret = Object.entries(fieldsOf(stateSchema(kinds[kind]))).flatMap(([key, field]) =>
    holdsSecret(field) ? [camel(key)] : [],
  );
  const entries = Object.entries(bag)
    .filter(([key]) => provider === "dynamic" || !["__provider", "__stated"].includes(key))
    .map(([key, value]) => [
      key,
      secret.includes(key) && value !== null ? (showsSecrets ? shown(value) : encrypted) : value,
    ]);
  return Object.fromEntries(entries);
}

const shown = (value: unknown) => ({ [SIGNATURE]: SECRET, plaintext: JSON.stringify(value) });

/**
 * Replaces Pulumi's secret objects (`{ plaintext: "…" }`) by their values, as Pulumi's engine does before it calls a
 * provider.
 */
export const withoutSecrets = (bag: unknown): Bag =>
  JSON.parse(JSON.stringify(bag), (_, value) => ("plaintext" in Object(value) ? JSON.parse(value.plaintext) : value));
