import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { Metadata } from "@grpc/grpc-js";
import * as pb from "@pulumi/pulumi/proto/provider_pb";
import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { expect, test } from "vitest";
import { startEmulator } from "../../emulator";
import { connectPlugin, responseTo } from "../../testing/native-plugin";

const launcher = require.resolve("@pulumi/pulumi/cmd/dynamic-provider");

/** A process of Pulumi's dynamic provider whose output is not read any more, as after `kill -9` of Pulumi. */
async function orphaned(config: Record<string, string>) {
  const child = spawn(process.execPath, ["--max-old-space-size=200", launcher, "127.0.0.1:1"], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [port] = (await once(child.stdout, "data")) as [Buffer];
  child.stdout.destroy();
  child.stderr.destroy();
  const client = await connectPlugin(String(port), config);
  return {
    client,
    [Symbol.dispose]() {
      client.close();
      child.kill("SIGKILL");
    },
  };
}

test("a dynamic provider that continues without its engine finishes its work although its warnings cannot be printed", async () => {
  await using emulator = await startEmulator();
  using it = await orphaned({ "cloudinfra:url": emulator.url, "cloudinfra:token": emulator.token });
  const domain = {
    __provider: `exports.handler=()=>require(${JSON.stringify(join(__dirname, "../../dist/provider"))}).Domain`,
    domain: "example.org",
    type: "master",
    soaEmail: "a@example.org",
    ttlSec: 299,
  };
  const request = new pb.CheckRequest()
    .setUrn("urn:pulumi:test::test::pulumi-nodejs:dynamic/cloudinfra:Domain::zone")
    .setOlds(new Struct())
    .setNews(Struct.fromJavaScript(domain));
  for (let nth = 0; nth < 5; nth++) {
    const response = await responseTo<pb.CheckResponse>((callback) =>
      it.client.check(request, new Metadata(), { deadline: Date.now() + 15_000 }, callback),
    );
    expect(response.getInputs()?.toJavaScript()).toMatchObject({ domain: "example.org" });
  }
});
