import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { credentials, type ServerUnaryCall, type sendUnaryData } from "@grpc/grpc-js";
import { EngineService } from "@pulumi/pulumi/proto/engine_grpc_pb";
import { type LogRequest, LogSeverity } from "@pulumi/pulumi/proto/engine_pb";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import * as pb from "@pulumi/pulumi/proto/provider_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { responseTo, served } from "../testing/native-plugin";
import { Child } from "./child";

/**
 * Starts the native plugin in a process of its own, with a server that receives its messages as Pulumi's engine does.
 */
export async function startPlugin(url: string, failed: (error: Error) => void) {
  const folder = await mkdtemp(join(tmpdir(), "soak-"));
  const engine = await served(EngineService as never, {
    log({ request }: ServerUnaryCall<LogRequest, Empty>, answer: sendUnaryData<Empty>) {
      // An error message without a resource is an error that the plugin did not catch.
      if (request.getSeverity() === LogSeverity.ERROR) failed(new Error(request.getMessage()));
      answer(null, new Empty());
    },
  });
  const { child, line } = await Child.start("pulumi-resource-cloudinfra", [engine], { XDG_CACHE_HOME: folder });
  const client = new ResourceProviderClient(`127.0.0.1:${line}`, credentials.createInsecure());
  const config = Struct.fromJavaScript({ url, token: "emulator" });
  await responseTo((done) => client.handshake(new pb.ProviderHandshakeRequest(), done));
  await responseTo((done) => client.configure(new pb.ConfigureRequest().setArgs(config), done));
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
    await new Promise((resolve) => setTimeout(resolve, 2));
    call.cancel();
  }
}
