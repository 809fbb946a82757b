// Written by hand, unlike the rest of this folder.
import { createRequire } from "node:module";
import { join } from "node:path";
import type * as pulumi from "@pulumi/pulumi";
import * as handle from "../provider/heads/handle";
import type { Parts } from "../provider/heads/parts";
import { CustomResource, hasEngine, isSecret, Output, output, secret } from "./pulumi";

/**
 * The key under which a resource's own name is passed to the provider, which names the object after it and drops the
 * key. Pulumi's own `__name` cannot be used: a resource has a field of that name, and an input of the same name is
 * rejected.
 */
export const NAME = "__resourceName";

/**
 * The key under which a resource's own time limits are passed to the provider, because Pulumi passes them only to
 * plugins.
 */
const TIMEOUTS = "__timeouts";

/** What a class must know at run time, because its types do not exist then. */
export interface Shape {
  kind: string;
  /** All properties. They must exist from the beginning to become outputs. */
  properties: readonly string[];
  secretInputs: readonly string[];
  /**
   * Secret inputs and outputs. Pulumi encrypts only values that were passed as secrets, so the others must be listed.
   */
  secretOutputs: readonly string[];
  /** Inputs that programs set to assets. */
  assets?: readonly string[];
  /** Outputs that contain the value of an input, by that input. */
  containing?: Readonly<Record<string, string>>;
  /** Ids in outputs: strings in the plugin's responses, numbers in programs. */
  ids?: Readonly<Record<string, Parts>>;
  /** The ids in the result of each method. */
  methods?: Readonly<Record<string, Readonly<Record<string, Parts>>>>;
}

/** The specification of each class of this package. */
export const shapes = new WeakMap<object, Shape>();

export const typeOf = ({ kind }: Shape): string => handle.typeOf(kind);

/** The properties with which a resource is registered: the program's inputs, and additional ones for the provider. */
export function dynamicProps(
  shape: Shape,
  name: string,
  args: object | undefined,
  opts?: pulumi.CustomResourceOptions,
): pulumi.Inputs {
  requireProvider();
  if (opts?.import !== undefined) throw new Error(unimportable(shape, name, opts.import));
  const given = Object.entries(args ?? {}).map(([key, value]) => [
    key,
    shape.assets?.includes(key) ? plainAsset(value) : value,
  ]);
  const props = propsOf(shape, Object.fromEntries(given));
  // An existing object is read by its id. Its inputs are not checked, so the check would not remove the name from them.
  if (opts?.id === undefined) props[NAME] = name;
  if (opts?.customTimeouts) props[TIMEOUTS] = opts.customTimeouts;
  // Pulumi encrypts outputs with the name of a secret input. If an input is secret, the outputs that contain it are
  // encrypted as well.
  for (const [output, input] of Object.entries(shape.containing ?? {}))
    if (Output.isInstance(props[input])) props[output] = secretIfSecret(props[input]);
  props.__provider = handle.handlerOf(shape.kind);
  return props;
}

/** The program's inputs, secret ones marked, and all other properties: only those that exist at construction become outputs. */
export function propsOf({ properties, secretInputs }: Shape, args: object): pulumi.Inputs {
  const given = Object.entries(args).map(([key, value]) => [
    key,
    secretInputs.includes(key) && value != null ? secret(value) : value,
  ]);
  return { ...Object.fromEntries(properties.map((key) => [key, undefined])), ...Object.fromEntries(given) };
}

const secretIfSecret = (value: pulumi.Output<unknown>): pulumi.Output<unknown> =>
  output(isSecret(value)).apply((isSecretValue) => (isSecretValue ? secret("") : undefined));

let isFound = false;

/**
 * Pulumi loads the provider from the program's folder, wherever the class comes from. If a library depends on this
 * package, a strict package manager does not make it available there.
 */
function requireProvider(): void {
  // Without an engine, as in tests with mocks, no provider is loaded. Inline programs run in a temporary folder.
  if (isFound || !hasEngine()) return;
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

/** Pulumi's own message would describe its internals. */
const unimportable = ({ kind }: Shape, name: string, id: pulumi.ID): string =>
  `${kind} "${name}": the import option does not work for dynamic resources. ` +
  `Run "npx cloudinfra adopt ${kind} ${name} ${id}" instead, and remove the option.`;

/**
 * How an asset was created. Of the asset itself, the engine may store only a hash, from which the content cannot be
 * read.
 */
const plainAsset = (asset: pulumi.Input<Partial<Record<"path" | "text" | "uri", pulumi.Input<string>>> | undefined>) =>
  asset && output(asset).apply((given) => given && output({ path: given.path, text: given.text, uri: given.uri }));

/**
 * The program's options and those that the class adds: which outputs are secret, and the type that the kind had in
 * earlier versions.
 */
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
export const isOfType = (type: string, value: unknown): boolean =>
  CustomResource.isInstance(value) && (value as { __pulumiType?: string }).__pulumiType === type;

export const isOfKind = (shape: Shape, value: unknown): boolean => isOfType(typeOf(shape), value);

/**
 * Shortens stack traces while a resource is constructed. Pulumi takes one for each promise of each property, in case the
 * promise never ends, and mapping them to TypeScript takes a third of the time of a preview: these are paused. The trace
 * that shows where the program declares the resource becomes part of the state, which Pulumi writes before and after
 * each step; without the frames of Node and of Pulumi's launcher, a state is a quarter smaller. Call the returned function
 * afterwards; it adds the stack trace to an error that was thrown in between.
 */
export function pauseStackTraces(): <E>(error?: E) => E | undefined {
  // The traces are needed to find promises that never end.
  if (process.env.PULUMI_DEBUG_PROMISE_LEAKS) return (error) => error;
  const { stackTraceLimit: limit, prepareStackTrace: prepare } = Error;
  Error.stackTraceLimit = 0;
  if (prepare) Error.prepareStackTrace = (error, frames) => prepare(error, programFrames(frames));
  return (error) => {
    Error.stackTraceLimit = limit;
    if (prepare) Error.prepareStackTrace = prepare;
    if (error instanceof Error) Error.captureStackTrace(error);
    return error;
  };
}

/** The frames down to the last one of the program; all of them if the program is in an installed package. */
function programFrames(frames: NodeJS.CallSite[]): NodeJS.CallSite[] {
  const isProgram = (file: string): boolean => !/^node:|[\\/]node_modules[\\/]/.test(file);
  const last = frames.findLastIndex((frame) => isProgram(frame.getFileName() ?? "node:"));
  return last < 0 ? frames : frames.slice(0, last + 1);
}
