// This file is written by hand. The resource classes in this folder are generated.
import type * as pulumi from "@pulumi/pulumi";
import * as sdk from "../pulumi";

/** The arguments of a function, in which each value can be a promise or an output of a resource. */
export type Lazy<T> = { [K in keyof T]: pulumi.Input<Within<T[K]>> };

type Within<T> = T extends object ? { [K in keyof T]: pulumi.Input<Within<T[K]>> } : T;

/** The options of a function such as `getVolumeOutput`. */
export interface InvokeOptions {
  /** Resources that must exist before the function runs. Of a component, all resources in it. */
  dependsOn?: pulumi.Input<pulumi.Input<pulumi.Resource>[]> | pulumi.Input<pulumi.Resource> | undefined;
}

/**
 * Runs a function such as `getVolume` in the program's process, with the stack's configuration. In tests with mocks, calls
 * the mock.
 */
export async function invoke<T>(name: string, args: object): Promise<T> {
  if (isMocked()) return sdk.invoke(`cloudinfra:index:${name}`, args);
  // The API client is loaded by the first call, because most programs call no function.
  const provider = await import("../../provider/functions/index.js");
  try {
    return (await provider.invoke(name, args, sdk.allConfig())) as T;
  } catch (error) {
    // Of a RunError, Pulumi prints only the message; of other errors also the stack trace, which does not help users.
    throw Object.assign(new sdk.RunError(provider.textOf(error)), { cause: error });
  }
}

/** Whether the program runs in a test that has called `pulumi.runtime.setMocks`. */
const isMocked = (): boolean => "mocks" in Object(sdk.getMonitor());

/**
 * Runs a function whose arguments can be outputs. In a preview, the result is unknown while an argument is unknown or
 * comes from a resource that does not exist yet, even if its value is known, such as a label.
 */
export function invokeOutput<T>(
  name: string,
  args: object,
  secret: boolean,
  { dependsOn = [] }: InvokeOptions = {},
): pulumi.Output<T> {
  const input = sdk.output(args);
  const there = sdk
    .all([sources(input), dependsOn])
    .apply(([inputs, declared]) => withChildren([inputs, declared].flat()))
    .apply((found) => sdk.all(found.map(existence)));
  const found = sdk.all([input, there]).apply(([known]) => invoke<T>(name, known));
  return (secret ? sdk.secret(found) : found) as pulumi.Output<T>;
}

/** The resources on which an output depends. Pulumi's types omit this method, although its own functions use it. */
async function sources(output: pulumi.Output<unknown>): Promise<pulumi.Resource[]> {
  const { allResources } = output as { allResources?: () => Promise<Iterable<pulumi.Resource>> };
  return [...((await allResources?.()) ?? [])];
}

/**
 * Adds the children of components, because a component is registered before its children exist. Pulumi does the same for
 * functions of plugins, but exports no function for it.
 */
async function withChildren(
  resources: Iterable<pulumi.Resource>,
  found = new Set<pulumi.Resource>(),
): Promise<pulumi.Resource[]> {
  for (const resource of resources) {
    if (found.has(resource)) continue;
    found.add(resource);
    if (!sdk.ComponentResource.isInstance(resource)) continue;
    const { __data, __childResources = [] } = resource as unknown as Component;
    // A component that creates its children asynchronously has all of them when it has its data.
    await __data;
    await withChildren(__childResources, found);
  }
  return [...found];
}

/** The properties of components that Pulumi's types omit. */
interface Component {
  __data?: Promise<unknown>;
  __childResources?: Iterable<pulumi.Resource>;
}

/** An output that is known when the resource exists. */
const existence = (resource: pulumi.Resource): pulumi.Output<string> =>
  sdk.CustomResource.isInstance(resource) ? resource.id : resource.urn;
