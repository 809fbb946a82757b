// Written by hand, unlike the rest of this folder.
import { createRequire } from "node:module";
import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import * as handle from "../provider/heads/handle";

/**
 * Under this key a resource's own name travels to the provider, which names the object after it and drops the key.
 * Pulumi's own `__name` is taken: a resource has a field of that name, and an input of the same name is refused.
 */
export const NAME = "__resourceName";

/** Under this key a resource's own time limits travel to the provider: Pulumi gives them to plugins only. */
const TIMEOUTS = "__timeouts";

/** What a class has to know at run time; its types are gone by then. */
export interface Shape {
  kind: string;
  /** All properties, which must exist from the beginning to become outputs. */
  properties: readonly string[];
  secretInputs: readonly string[];
  /** Pulumi encrypts only what came in as a secret; the rest has to be named. */
  secretOutputs: readonly string[];
  /** Inputs that programs give as assets. */
  assets?: readonly string[];
  /** Outputs in which the value of an input stands, by that input. */
  containing?: Readonly<Record<string, string>>;
}

/** What each class of this package stands for. */
export const shapes = new WeakMap<object, Shape>();

export const typeOf = ({ kind }: Shape): string => handle.typeOf(kind);

/** What a resource is registered with: the program's inputs, and what the provider needs besides. */
export function dynamicProps(
  shape: Shape,
  name: string,
  args: object | undefined,
  opts?: pulumi.CustomResourceOptions,
): pulumi.Inputs {
  requireProvider();
  if (opts?.import !== undefined) throw new Error(unimportable(shape, name, opts.import));
  const props: pulumi.Inputs = Object.fromEntries(shape.properties.map((key) => [key, undefined]));
  for (const [key, given] of Object.entries(args ?? {})) {
    const value = shape.assets?.includes(key) ? plainAsset(given) : given;
    props[key] = shape.secretInputs.includes(key) && value != null ? pulumi.secret(value) : value;
  }
  // What exists already is read by its id: nothing checks its inputs, so nothing would take the name out of them.
  if (opts?.id === undefined) props[NAME] = name;
  if (opts?.customTimeouts) props[TIMEOUTS] = opts.customTimeouts;
  // Pulumi encrypts an output that is named like a secret input: where an input is secret, so are the outputs that hold it.
  for (const [output, input] of Object.entries(shape.containing ?? {}))
    if (pulumi.Output.isInstance(props[input])) props[output] = secretIfSecret(props[input]);
  props.__provider = handle.handlerOf(shape.kind);
  return props;
}

const secretIfSecret = (value: pulumi.Output<unknown>): pulumi.Output<unknown> =>
  pulumi.output(pulumi.isSecret(value)).apply((secret) => (secret ? pulumi.secret("") : undefined));

let isFound = false;

/**
 * Pulumi loads the provider from the program's folder, wherever the class comes from: where a library brings it, a strict
 * package manager hides it there.
 */
function requireProvider(): void {
  // Without an engine, as in tests with mocks, no provider is loaded; inline programs run in a folder of their own.
  if (isFound || !pulumi.runtime.hasEngine()) return;
  const folder = process.cwd();
  try {
    createRequire(join(folder, "index.js")).resolve("pulumi-cloudinfra/provider");
    isFound = true;
  } catch {
    throw new Error(
      `pulumi-cloudinfra cannot be loaded from ${folder}: add it to the dependencies of the program's own package.json and install it there`,
    );
  }
}

/** Pulumi's own message would be about its internals. */
const unimportable = ({ kind }: Shape, name: string, id: pulumi.ID): string =>
  `${kind} "${name}": the import option does not work for dynamic resources. ` +
  `Run "npx cloudinfra adopt ${kind} ${name} ${id}" instead, and remove the option.`;

/** How an asset was given: of an asset itself the engine may keep no more than a hash, which can't be read back. */
const plainAsset = (asset: pulumi.Input<Partial<Record<"path" | "text" | "uri", pulumi.Input<string>>> | undefined>) =>
  asset &&
  pulumi.output(asset).apply((given) => given && pulumi.output({ path: given.path, text: given.text, uri: given.uri }));

/** The program's options, and what the class adds: which outputs are secret, and the type that the kind had before. */
export function dynamicOptions(
  { kind, secretOutputs }: Shape,
  opts: pulumi.CustomResourceOptions = {},
): pulumi.CustomResourceOptions {
  const former = handle.formerNames[kind];
  return {
    ...opts,
    ...(secretOutputs.length && {
      additionalSecretOutputs: [...secretOutputs, ...(opts.additionalSecretOutputs ?? [])],
    }),
    ...(former && { aliases: [...(opts.aliases ?? []), { type: handle.typeOf(former) }] }),
  };
}

/** Compares names, not classes: a program can hold two copies of this package. */
export const isOfKind = (shape: Shape, value: unknown): boolean =>
  pulumi.CustomResource.isInstance(value) && (value as { __pulumiType?: string }).__pulumiType === typeOf(shape);

/**
 * Pulumi takes a stack trace for each promise of each property of a resource, in case the promise never ends. Mapping them to
 * TypeScript takes a third of the time of a preview, so none are taken while a resource is constructed. The trace that shows
 * where the program declares the resource is taken all the same: Pulumi sets a limit of its own for it. The function that is
 * returned ends the pause, and gives an error that was thrown meanwhile its stack trace.
 */
export function pauseStackTraces(): <E>(error?: E) => E | undefined {
  // Whoever looks for promises that never end needs the traces.
  if (process.env.PULUMI_DEBUG_PROMISE_LEAKS) return (error) => error;
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 0;
  return (error) => {
    Error.stackTraceLimit = limit;
    if (error instanceof Error) Error.captureStackTrace(error);
    return error;
  };
}
