import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { LogSeverity } from "@pulumi/pulumi/proto/engine_pb";
import type { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import * as pb from "@pulumi/pulumi/proto/provider_pb";
import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { connected, engineWith, responseTo } from "../testing/native-plugin";
import { Child } from "./child";

/**
 * Starts the native plugin in a process of its own, with a server that receives its messages as Pulumi's engine does.
 */
export async function startPlugin(url: string, failed: (error: Error) => void) {
  const folder = await mkdtemp(join(tmpdir(), "soak-"));
  const engine = await engineWith((message) => {
    // The plugin returns the errors of its calls in responses. It logs with severity ERROR only an error that it did
    // not catch.
    if (message.getSeverity() === LogSeverity.ERROR) failed(new Error(message.getMessage()));
  });
  const { child, line } = await Child.start("pulumi-resource-cloudinfra", [engine], { XDG_CACHE_HOME: folder });
  const client = await connected(line, { url, token: "emulator" });
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

/** Calls functions, lists objects and reads the schema. Also cancels calls before their response. */
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
