import { isDeepStrictEqual } from "node:util";
import type { ServiceError } from "@grpc/grpc-js";
import type { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import * as pb from "@pulumi/pulumi/proto/provider_pb";
import { Status } from "@pulumi/pulumi/proto/status_pb";
import type { Empty } from "google-protobuf/google/protobuf/empty_pb";
import type { Host } from "../provider/engine/host";
import { type Bag, isUnknown } from "../provider/engine/values";
import { fromStruct, secretsIn, toStruct } from "../provider/plugin/values";
import { toApiNames, toProgramNames } from "../provider/pulumi/properties";
import { stateSchema } from "../provider/pulumi/state";
import { type KindName, kinds } from "../provider/resources";
import { type Callback, pluginFor, responseTo, type Traffic } from "./native-plugin";
import { withoutUndefined } from "./properties";
import type { ResourceProvider } from "./resource-provider";

/** Calls a native plugin that runs in this process and manages a single resource. */
export function nativeProvider(
  kind: KindName,
  host: () => Host,
  name = "thing",
  options: Pick<PluginOptions, "isStateCurrent"> = {},
): ResourceProvider {
  let plugin: Promise<ResourceProviderClient> | undefined;
  return pluginProvider(kind, () => (plugin ??= pluginFor(host)), { name, ...options });
}

/** Calls a native plugin that runs in this process and manages many resources. `traffic` counts pending calls. */
export function sharedPlugin(host: () => Host, traffic: Traffic): (kind: KindName) => ResourceProvider {
  const plugin = pluginFor(host, undefined, undefined, traffic);
  return (kind) => pluginProvider(kind, () => plugin, { traffic });
}

/**
 * Pulumi's placeholders for unknown booleans, numbers, lists, objects, assets and archives. Only Pulumi's engine knows
 * them; a program would use them as values.
 */
const typedPlaceholders = [
  "1c4a061d-8072-4f0a-a4cb-0ff528b18fe7",
  "3eeb2bf0-c639-47a8-9e75-3b44932eb421",
  "6a19a0b0-7e62-4c92-b797-7f8e31da9cc2",
  "dd056dcd-154b-4c76-9bd3-c8f88648b5ff",
  "030794c1-ac77-496b-92df-f27374a8bd58",
  "e48ece36-62e2-4504-bad9-02848725956a",
];

interface PluginOptions {
  name?: string;
  traffic?: Traffic;
  /**
   * Whether all requests succeeded and their results are in state. If a response was lost, or the object was changed
   * outside the program, a preview cannot know all outputs, so previews are not compared with results.
   */
  isStateCurrent?: boolean;
}

/**
 * Makes the calls of Pulumi's engine to a native plugin over gRPC. Before each create and update, it requests a preview
 * and checks that the outputs match.
 */
export function pluginProvider(
  kind: KindName,
  plugin: () => Promise<ResourceProviderClient>,
  { name = "thing", traffic, isStateCurrent = true }: PluginOptions = {},
): ResourceProvider {
  const urnOf = (name: string): string => `urn:pulumi:test::test::cloudinfra:index:${kind}::${name}`;
  let urn = urnOf(name);

  async function call<Response>(
    work: (client: ResourceProviderClient, callback: Callback<Response>) => unknown,
  ): Promise<Response> {
    traffic?.started();
    const client = await plugin();
    return responseTo<Response>((callback) => work(client, callback))
      .catch((error) => {
        throw thrown(error);
      })
      .finally(traffic?.ended);
  }

  const secrets = secretsIn(stateSchema(kinds[kind]));
  const wrapped = (bag: Bag) => toStruct(bag, secrets);
  function unwrapped(struct: Parameters<typeof fromStruct>[0]): Bag {
    const { bag } = fromStruct(struct);
    const text = JSON.stringify(struct?.toJavaScript());
    if (JSON.stringify(wrapped(bag).toJavaScript()).length > text.length)
      throw new Error(`the plugin sent a secret in plain: ${text}`);
    const typed = typedPlaceholders.find((placeholder) => text.includes(placeholder));
    if (typed) throw new Error(`the plugin sent a placeholder that SDKs do not know, ${typed}: ${text}`);
    // The plugin sends ids as strings, which are converted to numbers, as in TypeScript programs.
    return { ...bag, ...toProgramNames(kinds[kind], toApiNames(kinds[kind], bag)) };
  }

  const provider: ResourceProvider = {
    async check(name, olds, inputs) {
      urn = urnOf(name);
      const request = new pb.CheckRequest().setUrn(urn).setOlds(wrapped(olds));
      const response = await call<pb.CheckResponse>((client, callback) =>
        client.check(request.setNews(wrapped(withoutUndefined(inputs))), callback),
      );
      const failures = response.getFailuresList().map((failure) => failure.toObject());
      return { inputs: unwrapped(response.getInputs()), failures };
    },
    async diff({ id, inputs, outs }, news) {
      const request = new pb.DiffRequest().setUrn(urn).setId(id).setNews(wrapped(news));
      const response = await call<pb.DiffResponse>((client, callback) =>
        client.diff(request.setOlds(wrapped(outs)).setOldInputs(wrapped(inputs)), callback),
      );
      const { DIFF_SOME } = pb.DiffResponse.DiffChanges;
      const diffs = [...response.getDetaileddiffMap().keys()].map((path) => path.replace(/[.[].*/, ""));
      return {
        differs: response.getChanges() === DIFF_SOME,
        diffs: [...new Set(diffs)],
        replaces: response.getReplacesList(),
        deleteBeforeReplace: response.getDeletebeforereplace(),
      };
    },
    async create(inputs) {
      const request = () => new pb.CreateRequest().setUrn(urn).setProperties(wrapped(inputs));
      const preview = await call<pb.CreateResponse>((client, callback) =>
        client.create(request().setPreview(true), callback),
      );
      const response = await call<pb.CreateResponse>((client, callback) => client.create(request(), callback));
      const outs = unwrapped(response.getProperties());
      if (isStateCurrent) expectPredicted(unwrapped(preview.getProperties()), outs);
      return { id: response.getId(), outs };
    },
    async update({ id, inputs, outs: olds }, news) {
      const request = () =>
        new pb.UpdateRequest()
          .setUrn(urn)
          .setId(id)
          .setOlds(wrapped(olds))
          .setOldInputs(wrapped(inputs))
          .setNews(wrapped(news));
      const preview = await call<pb.UpdateResponse>((client, callback) =>
        client.update(request().setPreview(true), callback),
      );
      const outs = unwrapped(
        (await call<pb.UpdateResponse>((client, callback) => client.update(request(), callback))).getProperties(),
      );
      if (isStateCurrent) expectPredicted(unwrapped(preview.getProperties()), outs);
      return outs;
    },
    async read({ id, inputs, outs }) {
      const request = new pb.ReadRequest()
        .setUrn(urn)
        .setId(id)
        .setProperties(wrapped(outs))
        .setInputs(wrapped(inputs));
      const response = await call<pb.ReadResponse>((client, callback) => client.read(request, callback));
      if (!response.getId()) return undefined;
      return {
        id: response.getId(),
        inputs: unwrapped(response.getInputs()),
        outs: unwrapped(response.getProperties()),
      };
    },
    async delete({ id, inputs, outs }) {
      const request = new pb.DeleteRequest().setUrn(urn).setId(id).setOldInputs(wrapped(inputs));
      await call<Empty>((client, callback) => client.delete(request.setProperties(wrapped(outs)), callback));
    },
    /** Reads an existing object and checks its inputs, as `pulumi import` does. */
    async adopt(name, id) {
      urn = urnOf(name);
      const response = await call<pb.ReadResponse>((client, callback) =>
        client.read(new pb.ReadRequest().setUrn(urn).setId(id), callback),
      );
      if (!response.getId()) return undefined;
      const program = unwrapped(response.getInputs());
      const { inputs } = await provider.check(name, program, program);
      const outs = unwrapped(response.getProperties());
      const unknown = { withheld: [], hidden: [], differing: [], replacing: [] };
      const adopted = { id: response.getId(), program, inputs, outputs: outs, ...unknown };
      return { id: adopted.id, inputs, outs, adopted };
    },
  };
  return provider;
}

/**
 * Throws if the outputs that a preview has shown differ from the outputs after the operation. Unknown outputs are
 * ignored.
 */
function expectPredicted(predicted: unknown, outs: unknown, path = "outputs"): void {
  if (isUnknown(predicted)) return;
  const isBag = (value: unknown): value is Bag => typeof value === "object" && value !== null;
  if (isBag(predicted) && isBag(outs)) {
    for (const key of new Set([...Object.keys(predicted), ...Object.keys(outs)]))
      expectPredicted(predicted[key], outs[key], `${path}.${key}`);
    return;
  }
  if (!isDeepStrictEqual(predicted ?? null, outs ?? null))
    throw new Error(
      `the preview says ${path} is ${JSON.stringify(predicted)}, it is ${JSON.stringify(outs)}: ` +
        "if a change of an input changes this output, `touches` of the input's field lists it",
    );
}

/**
 * Converts a gRPC error. If its details contain an object that was created but is not ready, the error has the object's
 * `id`, `properties` and `reasons`.
 */
function thrown(error: ServiceError): Error {
  const [details] = error.metadata?.get("grpc-status-details-bin") ?? [];
  const message = error.details;
  if (!details) return new Error(message);
  const [any] = Status.deserializeBinary(Buffer.from(details as Buffer)).getDetailsList();
  const failed = pb.ErrorResourceInitFailed.deserializeBinary(any?.getValue_asU8() ?? new Uint8Array());
  const properties = fromStruct(failed.getProperties()).bag;
  return Object.assign(new Error(message), { id: failed.getId(), properties, reasons: failed.getReasonsList() });
}
