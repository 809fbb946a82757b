import * as pb from "@pulumi/pulumi/proto/provider_pb";
import { camel, fieldsOf, isObject } from "../../api";
import { printable } from "../client/printable";
import type { Host } from "../engine/host";
import { type Bag, isUnknown, UNKNOWN } from "../engine/values";
import type { ReadFunction } from "../functions/functions";
import type { Method } from "../functions/methods";
import { propertyPath } from "../pulumi/property-path";
import { unimplemented } from "./failure";
import { fromStruct, secretsIn, toStruct, withTextIds } from "./values";

type Api = Host["api"];

// The code of functions such as `getVolume` is loaded when one is first called, because loading it takes a tenth of the
// plugin's start time.

export async function invoke(name: string, request: pb.InvokeRequest, api: Api): Promise<pb.InvokeResponse> {
  const { functionNamed } = await import("../functions/functions.js");
  const { InputError } = await import("../functions/check.js");
  const fn = functionNamed(name);
  try {
    const result = await resultOf(fn, api, fromStruct(request.getArgs()).bag);
    return new pb.InvokeResponse().setReturn(toStruct(result, secretsIn(fn.result)));
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return new pb.InvokeResponse().setFailuresList(
      error.problems.map(({ path, reason }) =>
        new pb.CheckFailure().setProperty(propertyPath(path)).setReason(printable(reason)),
      ),
    );
  }
}

/** Calls a method of a resource, which is a function with the resource's id as an argument. */
export async function callMethod(
  method: Method | undefined,
  request: pb.CallRequest,
  api: Api,
): Promise<pb.CallResponse> {
  if (!method) throw unimplemented(`method ${request.getTok()}`);
  const { fn, id } = method;
  const self = fromStruct(request.getArgs()).bag.__self__;
  const ownId = isObject(self) ? self.id : undefined;
  // In a preview, a new resource does not have an id yet, so the result of the method is unknown.
  const result = !ownId || isUnknown(ownId) ? unknownResult(fn) : await resultOf(fn, api, { [camel(id)]: ownId });
  return new pb.CallResponse().setReturn(toStruct(result, secretsIn(fn.result)));
}

const unknownResult = ({ result }: ReadFunction): Bag =>
  Object.fromEntries(Object.keys(fieldsOf(result)).map((key) => [camel(key), UNKNOWN]));

async function resultOf(fn: ReadFunction, api: Api, args: Bag): Promise<Bag> {
  const { call } = await import("../functions/call.js");
  return withTextIds(fn.result, await call(fn, api, args)) as Bag;
}
