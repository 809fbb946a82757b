import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { Metadata, Server, ServerCredentials } from "@grpc/grpc-js";
import * as pb from "@pulumi/pulumi/proto/provider_pb";
import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { expect, test } from "vitest";
import { startEmulator } from "../../emulator";
import { connectPlugin, responseTo } from "../../testing/native-plugin";

const launcher = require.resolve("@pulumi/pulumi/cmd/dynamic-provider");

/** A gRPC server in place of Pulumi's engine. It has no services, because a dynamic provider calls none. */
async function startEngine() {
  const server = new Server();
  const port = await new Promise<number>((resolve, reject) =>
    server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, port) =>
      error ? reject(error) : resolve(port),
    ),
  );
  return { address: `127.0.0.1:${port}`, [Symbol.dispose]: () => server.forceShutdown() };
}

/** A process of Pulumi's dynamic provider whose output is not read any more, as after `kill -9` of Pulumi. */
async function orphaned(config: Record<string, string>, engine: { address: string }) {
  const child = spawn(process.execPath, ["--max-old-space-size=200", launcher, engine.address], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [port] = (await once(child.stdout, "data")) as [Buffer];
  child.stdout.destroy();
  child.stderr.destroy();
  const client = await connectPlugin(String(port), config);
  return {
    client,
    hasEnded: once(child, "exit"),
    [Symbol.dispose]() {
      client.close();
      child.kill("SIGKILL");
    },
  };
}

const domain = Struct.fromJavaScript({
  __provider: `exports.handler=()=>require(${JSON.stringify(join(__dirname, "../../dist/provider"))}).Domain`,
  domain: "example.org",
  type: "master",
  soaEmail: "a@example.org",
  ttlSec: 299,
});
const urn = "urn:pulumi:test::test::pulumi-nodejs:dynamic/cloudinfra:Domain::zone";
const deadline = () => ({ deadline: Date.now() + 15_000 });

test("a dynamic provider without a reader of its output checks resources although its warnings cannot be printed", async () => {
  await using emulator = await startEmulator();
  using engine = await startEngine();
  using it = await orphaned({ "cloudinfra:url": emulator.url, "cloudinfra:token": emulator.token }, engine);
  const request = new pb.CheckRequest().setUrn(urn).setOlds(new Struct()).setNews(domain);
  for (let nth = 0; nth < 5; nth++) {
    const response = await responseTo<pb.CheckResponse>((callback) =>
      it.client.check(request, new Metadata(), deadline(), callback),
    );
    expect(response.getInputs()?.toJavaScript()).toMatchObject({ domain: "example.org" });
  }
});

test("a dynamic provider without its engine finishes the call in progress, and then ends", async () => {
  await using emulator = await startEmulator();
  emulator.faults.add({ path: "domains.create", kind: "delay", delay: 4_000 });
  const engine = await startEngine();
  using it = await orphaned({ "cloudinfra:url": emulator.url, "cloudinfra:token": emulator.token }, engine);
  const request = new pb.CreateRequest().setUrn(urn).setProperties(domain);
  const created = responseTo<pb.CreateResponse>((callback) =>
    it.client.create(request, new Metadata(), deadline(), callback),
  );
  engine[Symbol.dispose]();
  expect((await created).getId()).toBe(String(emulator.world.domains.all()[0]?.id));
  it.client.close();
  expect(await it.hasEnded).toEqual([0, null]);
}, 30_000);
