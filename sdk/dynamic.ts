// This file is written by hand. The resource classes in this folder are generated.
import { createRequire } from "node:module";
import { join } from "node:path";
import type * as pulumi from "@pulumi/pulumi";
import * as handle from "../provider/pulumi/handle";
import type { Selection } from "../provider/pulumi/selection";
import { all, CustomResource, hasEngine, isDryRun, isSecret, Output, output, secret } from "./pulumi";

/**
 * The property that passes a resource's name to the provider, which generates the object's label from it. Pulumi's own
 * `__name` cannot be used, because Pulumi rejects inputs with that name.
 */
export const NAME = "__resourceName";

/**
 * The property that passes the option `customTimeouts` to the provider, because Pulumi passes it only to plugins.
 */
const TIMEOUTS = "__timeouts";

/** Data that a resource class needs about its properties at run time, for example which of them are secret. */
export interface Shape {
  kind: string;
  /** All inputs and outputs. Pulumi creates outputs only for properties that are passed to the constructor. */
  properties: readonly string[];
  secretInputs: readonly string[];
  /**
   * Secret inputs and outputs, passed to Pulumi as `additionalSecretOutputs`. Otherwise Pulumi encrypts only values
   * that it receives as secrets.
   */
  secretOutputs: readonly string[];
  /** Inputs that take a Pulumi asset. */
  assets?: readonly string[];
  /** Outputs that contain the value of an input, with the name of that input. */
  containing?: Readonly<Record<string, string>>;
  /** Inputs with objects to which the service adds fields, so that the output has more than the program declares. */
  completed?: readonly string[];
  /** Outputs that contain ids, which are strings in the plugin's responses and numbers in programs. */
  ids?: Readonly<Record<string, Selection>>;
  /** The ids in the result of each method of the class. */
  methods?: Readonly<Record<string, Readonly<Record<string, Selection>>>>;
}

/** The shape of each resource class. */
export const shapes = new WeakMap<object, Shape>();

export const typeOf = ({ kind }: Shape): string => handle.typeOf(kind);

/** The properties with which a resource is registered: the program's inputs, and properties that the provider needs. */
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
  // With `Volume.get`, Pulumi only reads the object and does not call `check`, which would remove the name.
  if (opts?.id === undefined) props[NAME] = name;
  if (opts?.customTimeouts) props[TIMEOUTS] = opts.customTimeouts;
  // Pulumi encrypts outputs with the name of a secret input. If an input is secret, the outputs that contain it are
  // encrypted as well.
  for (const [output, input] of Object.entries(shape.containing ?? {}))
    if (Output.isInstance(props[input])) props[output] = secretIfSecret(props[input]);
  if (isPreviewed(shape, opts)) props[DECLARED] = undefined;
  props.__provider = handle.handlerOf(shape.kind);
  return props;
}

/** An output of every managed resource. In a preview, it is unknown if the resource changes. */
const DECLARED = "__stated";

const isPreviewed = ({ completed }: Shape, opts?: pulumi.CustomResourceOptions): boolean =>
  completed !== undefined && opts?.id === undefined && hasEngine() && isDryRun();

/**
 * In a preview of a change, Pulumi passes the inputs of a dynamic resource to the program as outputs. The objects in
 * them lack the fields that the service adds, so they are made unknown, like all other outputs of the resource.
 */
export function completeOutputs(resource: CustomResource, shape: Shape, opts?: pulumi.CustomResourceOptions): void {
  if (!isPreviewed(shape, opts)) return;
  const outputs = resource as unknown as Record<string, pulumi.Output<unknown>>;
  for (const key of shape.completed ?? [])
    outputs[key] = all([outputs[key], outputs[DECLARED]]).apply(([value]) => value);
}

/**
 * The program's inputs, with secret ones marked, and all outputs as undefined, because Pulumi creates outputs only for
 * properties that are passed to the constructor.
 */
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
 * Throws if the provider cannot be loaded from the program's folder, from which Pulumi loads it. That is the case if
 * only a library depends on this package and the package manager is strict, such as pnpm.
 */
function requireProvider(): void {
  // Without an engine, as in tests with mocks, Pulumi does not load a provider.
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

/**
 * The error for the option `import`, which Pulumi does not support for dynamic resources. Pulumi's own message does not
 * explain what to do instead.
 */
const unimportable = ({ kind }: Shape, name: string, id: pulumi.ID): string =>
  `${kind} "${name}": the import option does not work for dynamic resources. ` +
  `Run "npx cloudinfra adopt ${kind} ${name} ${id}" instead, and remove the option.`;

/**
 * The path, text or URI of an asset. The asset itself is not passed to the provider, because Pulumi may store only its
 * hash.
 */
const plainAsset = (asset: pulumi.Input<Partial<Record<"path" | "text" | "uri", pulumi.Input<string>>> | undefined>) =>
  asset && output(asset).apply((given) => given && output({ path: given.path, text: given.text, uri: given.uri }));

/**
 * The program's resource options, with the names of secret outputs and the resource type of earlier versions added.
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

/** Compares types and not classes, because a program can contain two copies of this package. */
export const isOfType = (type: string, value: unknown): boolean =>
  CustomResource.isInstance(value) && (value as { __pulumiType?: string }).__pulumiType === type;

export const isOfKind = (shape: Shape, value: unknown): boolean => isOfType(typeOf(shape), value);

/**
 * Makes stack traces cheaper while a resource is constructed. Call the returned function afterwards; it adds the stack
 * trace to an error that was thrown in between.
 *
 * Pulumi takes a stack trace for each promise of each property, which takes a third of the time of a preview: these are
 * switched off. Pulumi also stores in the state where the program declares the resource: without the frames of Node and
 * of Pulumi itself, the state is a quarter smaller and faster to write.
 */
export function pauseStackTraces(): <E>(error?: E) => E | undefined {
  // With this variable, Pulumi prints where promises that never end were created.
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

/** Omits the frames that called the program, such as Node's loader. All are kept for a program in `node_modules`. */
function programFrames(frames: NodeJS.CallSite[]): NodeJS.CallSite[] {
  const isProgram = (file: string): boolean => !/^node:|[\\/]node_modules[\\/]/.test(file);
  const last = frames.findLastIndex((frame) => isProgram(frame.getFileName() ?? "node:"));
  return last < 0 ? frames : frames.slice(0, last + 1);
}
