import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { LogSeverity } from "@pulumi/pulumi/proto/engine_pb";
import type { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import * as pb from "@pulumi/pulumi/proto/provider_pb";
import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { connectPlugin, responseTo, startEngineServer } from "../testing/native-plugin";
import { Child } from "./child";

/**
 * Starts the native plugin in a process of its own, and a server that receives its log messages in place of Pulumi's
 * engine. `failed` receives errors that the plugin logs.
 */
export async function startPlugin(url: string, failed: (error: Error) => void) {
  const folder = await mkdtemp(join(tmpdir(), "soak-"));
  const engineAddress = await startEngineServer((message) => {
    // If a request fails, the plugin returns the error in the response. It logs with severity ERROR only errors that it
    // did not catch.
    if (message.getSeverity() === LogSeverity.ERROR) failed(new Error(message.getMessage()));
  });
  const { child, line } = await Child.start("pulumi-resource-cloudinfra", [engineAddress], { XDG_CACHE_HOME: folder });
  const client = await connectPlugin(line, { url, token: "emulator" });
  return {
    child,
    client,
    async [Symbol.asyncDispose]() {
      client.close();
      await child[Symbol.asyncDispose]();
      await rm(folder, { recursive: true });
    },
  };
}

/**
 * Sends the plugin requests that do not change resources: calls functions, lists volumes and reads the schema. Also
 * cancels two requests before their responses.
 */
export async function callOthers(client: ResourceProviderClient): Promise<void> {
  const invoke = (name: string) => new pb.InvokeRequest().setTok(`cloudinfra:index:${name}`).setArgs(new Struct());
  const read = new pb.ReadRequest().setUrn("urn:pulumi:a::b::cloudinfra:index:Volume::c").setId("1");
  await responseTo((done) => client.invoke(invoke("listRegions"), done));
  await responseTo((done) => client.invoke(invoke("listVolumes"), done));
  await responseTo((done) => client.getSchema(new pb.GetSchemaRequest(), done));
  const volumes = client.list(new pb.ListRequest().setToken("cloudinfra:index:Volume"));
  await new Promise((resolve, reject) =>
    volumes
      .on("data", () => {})
      .on("end", resolve)
      .on("error", reject),
  );
  for (const call of [client.invoke(invoke("listInstances"), () => {}), client.read(read, () => {})]) {
    await sleep(2);
    call.cancel();
  }
}
