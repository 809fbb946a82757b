// Written by hand, unlike the rest of this folder.
import type * as pulumi from "@pulumi/pulumi";
import * as sdk from "../pulumi";

/** What a function takes, each part of which may come from a promise or another resource's output. */
export type Lazy<T> = { [K in keyof T]: pulumi.Input<Within<T[K]>> };

type Within<T> = T extends object ? { [K in keyof T]: pulumi.Input<Within<T[K]>> } : T;

/** How a function is called. */
export interface InvokeOptions {
  /** Resources that must be there before it looks. */
  dependsOn?: pulumi.Input<pulumi.Input<pulumi.Resource>[]> | pulumi.Input<pulumi.Resource> | undefined;
}

/** Calls a function in this process, with the stack's configuration; in a test with mocks, the mock of calls. */
export async function invoke<T>(name: string, args: object): Promise<T> {
  if (isMocked()) return sdk.invoke(`cloudinfra:index:${name}`, args);
  // Loaded when the first function is called: most programs call none, and pay nothing for the client.
  const provider = await import("../../provider/functions/index.js");
  try {
    return (await provider.invoke(name, args, sdk.allConfig())) as T;
  } catch (error) {
    // Pulumi shows such an error by its message, others with a stack, which tells a user nothing.
    throw Object.assign(new sdk.RunError(provider.textOf(error)), { cause: error });
  }
}

/** Whether `pulumi.runtime.setMocks` was called, which has a monitor of its own. */
const isMocked = (): boolean => "mocks" in Object(sdk.getMonitor());

/**
 * The same for what is not known yet. In a preview the answer stays unknown as long as a part of the input is, or a
 * resource is not there that a part comes from: what the program states is known before anything has it.
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
    .apply(([inputs, stated]) => sdk.all([inputs, stated].flat().map(existence)));
  const found = sdk.all([input, there]).apply(([known]) => invoke<T>(name, known));
  return (secret ? sdk.secret(found) : found) as pulumi.Output<T>;
}

/** The resources that an output comes from. Pulumi's own functions wait for them as well, but its types don't tell of them. */
async function sources(output: pulumi.Output<unknown>): Promise<pulumi.Resource[]> {
  const { allResources } = output as { allResources?: () => Promise<Iterable<pulumi.Resource>> };
  return [...((await allResources?.()) ?? [])];
}

/** Known once the resource is there. */
const existence = (resource: pulumi.Resource): pulumi.Output<string> =>
  sdk.CustomResource.isInstance(resource) ? resource.id : resource.urn;
