import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, type ServerHttp2Session } from "node:http2";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { Metadata } from "@grpc/grpc-js";
import * as pb from "@pulumi/pulumi/proto/provider_pb";
import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { describe, expect, test, vi } from "vitest";
import { startEmulator } from "../../emulator";
import { connect } from "../../provider/client";
import { connectPlugin, responseTo } from "../../testing/native-plugin";
import { marked } from "../../testing/processes";
import { orphansEnded } from "./chaos/kills";
import { sandbox } from "./sandbox";

const launcher = require.resolve("@pulumi/pulumi/cmd/dynamic-provider");

/** A server in place of Pulumi's engine. It has no services, because a dynamic provider calls none. */
async function startEngine() {
  const server = createServer();
  const sessions: ServerHttp2Session[] = [];
  server.on("session", (session) => sessions.push(session));
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    isConnected: () => sessions.length > 0,
    [Symbol.dispose]() {
      for (const session of sessions) session.destroy();
      server.close();
    },
  };
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

const propertiesOf = (kind: string, inputs: Record<string, string | number>): Struct =>
  Struct.fromJavaScript({
    __provider: `exports.handler=()=>require(${JSON.stringify(join(__dirname, "../../dist/provider"))}).${kind}`,
    ...inputs,
  });
const urnOf = (kind: string): string => `urn:pulumi:test::test::pulumi-nodejs:dynamic/cloudinfra:${kind}::thing`;

const inputs = { domain: "example.org", type: "master", soaEmail: "a@example.org", ttlSec: 299 };
const domain = propertiesOf("Domain", inputs);
const urn = urnOf("Domain");
const deadline = () => ({ deadline: Date.now() + 15_000 });

/** A process whose engine ends after the request for a new object has reached the emulator, which injects the given fault. */
async function orphanedInCreate(
  emulator: Awaited<ReturnType<typeof startEmulator>>,
  fault: { path: string; kind: "delay" | "cut-before"; delay?: number },
  { urn, properties }: { urn: string; properties: Struct },
) {
  emulator.faults.add(fault);
  const engine = await startEngine();
  const it = await orphaned({ "cloudinfra:url": emulator.url, "cloudinfra:token": emulator.token }, engine);
  const check = new pb.CheckRequest().setUrn(urn).setOlds(new Struct()).setNews(properties);
  await responseTo<pb.CheckResponse>((callback) => it.client.check(check, new Metadata(), deadline(), callback));
  await vi.waitUntil(engine.isConnected);
  const create = new pb.CreateRequest().setUrn(urn).setProperties(properties);
  it.client.create(create, new Metadata(), deadline(), () => {});
  await vi.waitUntil(() => emulator.faults.list()[0]?.hits === 1, { timeout: 15_000 });
  // After `kill -9` of Pulumi, both of its connections are closed.
  it.client.close();
  engine[Symbol.dispose]();
  return it;
}

// The tests mostly wait for processes to end.
describe.concurrent("an orphaned provider", () => {
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

  test("a dynamic provider without its engine completes the create in progress, and ends ten seconds later", async () => {
    await using emulator = await startEmulator();
    const fault = { path: "domains.create", kind: "delay", delay: 4_000 } as const;
    using it = await orphanedInCreate(emulator, fault, { urn, properties: domain });
    expect(await it.hasEnded).toEqual([0, null]);
    const changes = emulator.requests.list().filter(({ method }) => method !== "GET");
    expect(changes.map(({ operation, status }) => [operation, status])).toEqual([
      ["domains.create", 200],
      // The service has rounded the TTL, so the same call sets it once more.
      ["domains.update", 200],
    ]);
  }, 60_000);

  test("a dynamic provider whose engine ends while it searches for a lost object creates nothing more", async () => {
    await using emulator = await startEmulator();
    const fault = { path: "domains.create", kind: "cut-before" } as const;
    using it = await orphanedInCreate(emulator, fault, { urn, properties: domain });
    expect(await it.hasEnded).toEqual([0, null]);
    const changes = emulator.requests.list().filter(({ method }) => method !== "GET");
    expect(changes.map(({ operation }) => operation)).toEqual(["domains.create"]);
    expect(emulator.world.domains.size).toBe(0);
  }, 90_000);

  test("a dynamic provider whose engine has ended does not delete the key that the next run creates", async () => {
    await using emulator = await startEmulator();
    const fault = { path: "objectStorageKeys.create", kind: "cut-before" } as const;
    const key = propertiesOf("ObjectStorageKey", { label: "backup" });
    using it = await orphanedInCreate(emulator, fault, { urn: urnOf("ObjectStorageKey"), properties: key });
    const next = connect(emulator);
    const { id } = await next.api.objectStorageKeys.create({ body: { label: "backup" } });
    await next.close();
    expect(await it.hasEnded).toEqual([0, null]);
    expect(emulator.world.objectStorageKeys.all()).toMatchObject([{ id, label: "backup" }]);
  }, 90_000);

  test("after kill -9 of Pulumi, an instance that is off for a new password boots again, and the processes end", async ({
    skip,
  }) => {
    skip(process.platform !== "linux", "processes are found in /proc");
    const program = (rootPass: string) =>
      `new cloudinfra.Instance("web", { region: "us-east", type: "g6-nanode-1", image: "compute/debian11", rootPass: "${rootPass}" });`;
    await using box = await sandbox(program("Correct-Horse-42"));
    const { stack, emulator } = box;
    await stack.up();
    await box.rewrite(program("Battery-Staple-7"));
    emulator.faults.add({ path: "instances.shutdown", kind: "delay", delay: 3_000 });
    emulator.requests.clear();
    const up = stack.start(["up", "--yes"]);
    await vi.waitUntil(() => emulator.requests.counts()["instances.shutdown"] === 1, { timeout: 60_000 });
    expect(await marked(`PULUMI_TEST_STACK=${stack.home}`, "dynamic-provider")).toHaveLength(1);
    up.kill("SIGKILL");
    await up.done;
    await orphansEnded(stack);
    const changes = emulator.requests.list().filter(({ method }) => method !== "GET");
    expect(changes.map(({ operation }) => operation)).toEqual([
      "instances.shutdown",
      expect.stringMatching(/[pP]assword$/),
      "instances.boot",
    ]);
    expect(emulator.world.instances.all()).toMatchObject([{ status: "running" }]);
  }, 120_000);
});
