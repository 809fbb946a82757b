// This file is written by hand. The resource classes in this folder are generated.
import type * as pulumi from "@pulumi/pulumi";
import { mapSelected, type Selection } from "../provider/pulumi/selection";
import { isOfType, pauseStackTraces, propsOf, type Shape, shapes } from "./dynamic";
import { CustomResource, call, invoke, invokeOutput, output, secret } from "./pulumi";

type ResourceClass = new (...args: never[]) => pulumi.CustomResource;

const tokenOf = (name: string): string => `cloudinfra:index:${name}`;

/** Returns a class whose resources the native plugin manages, with the name and types of the given dynamic class. */
export function nativeClass<C extends ResourceClass>(dynamic: C): C {
  const shape = shapes.get(dynamic) as Shape;
  const type = tokenOf(shape.kind);
  class Native extends CustomResource {
    static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): Native {
      return new Native(name, {}, { ...opts, id });
    }

    static override isInstance(value: unknown): value is Native {
      return isOfType(type, value);
    }

    constructor(name: string, args: object = {}, opts?: pulumi.CustomResourceOptions) {
      const props = propsOf(shape, args);
      const resume = pauseStackTraces();
      try {
        super(type, name, props, opts);
        numberIds(this, shape);
      } catch (error) {
        throw resume(error);
      }
      resume();
    }
  }
  Object.defineProperty(Native, "name", { value: shape.kind });
  for (const [name, ids] of Object.entries(shape.methods ?? {})) {
    const method = function (this: Native): pulumi.Output<unknown> {
      const result = call(`${type}/${name}`, { __self__: this }, this);
      return result.apply((known) => mapSelected(known, ids, numberId));
    };
    Object.defineProperty(Native.prototype, name, { value: method });
  }
  return Native as unknown as C;
}

/** The id as a number. In tests with mocks, an id can be another text, such as `web_id`. */
const numberId = (id: unknown): unknown => (typeof id === "string" && /^\d+$/.test(id) ? Number(id) : id);

/** Converts ids in outputs to numbers. Plugins return them as strings, which all languages accept. */
function numberIds(resource: pulumi.CustomResource, { ids = {} }: Shape): void {
  const outputs = resource as unknown as Record<string, pulumi.Output<unknown> | undefined>;
  for (const [key, parts] of Object.entries(ids))
    outputs[key] = outputs[key]?.apply((value) => mapSelected(value, parts, numberId));
}

/** The type of a function with an additional parameter for Pulumi's invoke options, such as `provider`. */
type WithOptions<F extends AnyFunction, Options> = (
  ...args: Parameters<F> extends []
    ? [args?: object, opts?: Options]
    : [] extends Parameters<F>
      ? [args?: Parameters<F>[0], opts?: Options]
      : [args: Parameters<F>[0], opts?: Options]
) => ReturnType<F>;

type AnyFunction = (...args: never[]) => unknown;

/** Returns a function that the native plugin runs, such as `getVolume`. `ids` are the paths of ids in its result. */
export function nativeFunction<F extends AnyFunction>(
  name: string,
  ids?: Selection,
): WithOptions<F, pulumi.InvokeOptions> {
  const invoked = async (args: object = {}, opts?: pulumi.InvokeOptions): Promise<unknown> =>
    mapSelected(await invoke(tokenOf(name), { ...args }, opts), ids, numberId);
  return invoked as unknown as WithOptions<F, pulumi.InvokeOptions>;
}

export function nativeOutput<F extends AnyFunction>(
  name: string,
  ids?: Selection,
): WithOptions<F, pulumi.InvokeOutputOptions> {
  const invoked = (args: object = {}, opts?: pulumi.InvokeOutputOptions): unknown =>
    invokeOutput(tokenOf(name), { ...args }, opts).apply((result) => mapSelected(result, ids, numberId));
  return invoked as WithOptions<F, pulumi.InvokeOutputOptions>;
}

/**
 * The inputs of an explicit provider. Pulumi requires strings, so other values are converted to JSON. Undefined ones are
 * omitted: as a secret, Pulumi would pass `undefined` as null.
 */
export const providerInputs = (args: object): pulumi.Inputs =>
  Object.fromEntries(
    Object.entries(args)
      .filter(([, value]) => value !== undefined)
      .map(([key, value]) => [
        key,
        output(key === "token" ? secret(value) : value).apply((known) =>
          known === undefined || typeof known === "string" ? known : JSON.stringify(known),
        ),
      ]),
  );
