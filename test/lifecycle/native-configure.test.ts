import { createServer } from "node:http";
import { status } from "@grpc/grpc-js";
import { PluginAttach } from "@pulumi/pulumi/proto/plugin_pb";
import type { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import * as pb from "@pulumi/pulumi/proto/provider_pb";
import { afterEach, expect, test, vi } from "vitest";
import { startEmulator } from "../../emulator";
import { SECRET, SIGNATURE, UNKNOWN } from "../../provider/engine/values";
import { checkConfig, diffConfig } from "../../provider/plugin/configuration";
import { fromStruct, toStruct } from "../../provider/plugin/values";
import { directClient, responseTo } from "../../testing/native-plugin";
import { unconfigured } from "./native-calls";

afterEach(() => {
  vi.unstubAllEnvs();
});

const configure = (client: ResourceProviderClient, settings: Record<string, unknown>) =>
  responseTo<pb.ConfigureResponse>((callback) =>
    client.configure(new pb.ConfigureRequest().setArgs(toStruct(settings)), callback),
  );

const checkSettings = (client: ResourceProviderClient, settings: Record<string, unknown>) =>
  responseTo<pb.CheckResponse>((callback) =>
    client.checkConfig(
      new pb.CheckRequest()
        .setUrn("urn:pulumi:dev::shop::pulumi:providers:cloudinfra::main")
        .setNews(toStruct(settings)),
      callback,
    ),
  );

const getVolumes = async (client: ResourceProviderClient) => {
  const request = new pb.InvokeRequest().setTok("cloudinfra:index:listVolumes");
  const response = await responseTo<pb.InvokeResponse>((callback) => client.invoke(request, callback));
  return fromStruct(response.getReturn()).bag.volumes;
};

/** A server that keeps the tokens that it receives. */
async function startEavesdropper() {
  const heard: unknown[] = [];
  const server = createServer(({ headers }, response) => {
    heard.push(headers.authorization);
    response.end("{}");
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as { port: number };
  return { heard, url: `http://127.0.0.1:${port}/v4`, [Symbol.dispose]: () => void server.close() };
}

const otherSettings = {
  code: status.FAILED_PRECONDITION,
  details: "this plugin process is already configured with other settings. To change them, start another process",
};

test("a plugin keeps its first configuration, so that another process cannot have the token sent elsewhere", async () => {
  await using emulator = await startEmulator();
  using eavesdropper = await startEavesdropper();
  vi.stubEnv("CLOUDINFRA_TOKEN", emulator.token);
  const client = directClient(unconfigured());

  await configure(client, { url: emulator.url });
  await expect(configure(client, { url: eavesdropper.url })).rejects.toMatchObject(otherSettings);
  await expect(checkSettings(client, { url: eavesdropper.url })).rejects.toMatchObject(otherSettings);
  expect(await getVolumes(client)).toEqual([]);
  expect(eavesdropper.heard).toEqual([]);
});

test("a plugin is configured with the address and the token whose account it has checked", async () => {
  await using emulator = await startEmulator();
  using eavesdropper = await startEavesdropper();
  vi.stubEnv("CLOUDINFRA_TOKEN", emulator.token);
  const client = directClient(unconfigured());
  await checkSettings(client, { url: emulator.url, timeouts: { create: "20m" } });
  await expect(checkSettings(client, { url: eavesdropper.url })).rejects.toMatchObject(otherSettings);
  await expect(configure(client, { url: eavesdropper.url })).rejects.toMatchObject(otherSettings);
  await configure(client, { url: emulator.url, timeouts: { create: "20m" } });
  expect(await getVolumes(client)).toEqual([]);
  expect(eavesdropper.heard).toEqual([]);
});

test("a policy can change the service of a provider with a token of its own after it was checked", async () => {
  await using emulator = await startEmulator();
  const client = directClient(unconfigured());
  await checkSettings(client, { url: "http://127.0.0.1:1/v4", token: emulator.token, timeouts: { read: "1s" } });
  await configure(client, { url: emulator.url, token: emulator.token });
  expect(await getVolumes(client)).toEqual([]);
});

test.each([
  ["are rejected", { url: "http://127.0.0.1:1/v4", timeout: "1m" }],
  ["are not known yet", { url: "http://127.0.0.1:1/v4", dialect: UNKNOWN }],
])("settings that %s can be replaced by others", async (_, settings) => {
  await using emulator = await startEmulator();
  vi.stubEnv("CLOUDINFRA_TOKEN", emulator.token);
  const client = directClient(unconfigured());
  await checkSettings(client, settings);
  await checkSettings(client, { url: emulator.url });
  await configure(client, { url: emulator.url });
  expect(await getVolumes(client)).toEqual([]);
});

test("an invalid first configuration cannot be replaced either, and the same configuration is accepted again", async () => {
  await using emulator = await startEmulator();
  vi.stubEnv("CLOUDINFRA_TOKEN", emulator.token);
  const client = directClient(unconfigured());
  await expect(configure(client, { url: "nowhere" })).rejects.toMatchObject({
    details: expect.stringMatching(/^cloudinfra:url must be/),
  });
  await expect(configure(client, { url: emulator.url })).rejects.toMatchObject({ code: status.FAILED_PRECONDITION });

  const other = directClient(unconfigured());
  const settings = { url: emulator.url, timeouts: { create: "20m" }, version: "0.1.0" };
  await configure(other, settings);
  await configure(other, settings);
  expect(await getVolumes(other)).toEqual([]);
});

test("a process that Pulumi has started sends its messages to no other process", async () => {
  const service = unconfigured();
  service.attach("127.0.0.1:1");
  const attach = (address: string) =>
    responseTo((callback) => directClient(service).attach(new PluginAttach().setAddress(address), callback));
  await expect(attach("127.0.0.1:2")).rejects.toMatchObject({
    code: status.FAILED_PRECONDITION,
    details: "this plugin process already belongs to a Pulumi process",
  });
  // A developer who debugs the plugin starts it without Pulumi's address, and Pulumi attaches to it.
  const debugged = unconfigured();
  await responseTo((callback) => directClient(debugged).attach(new PluginAttach().setAddress("127.0.0.1:2"), callback));
});

test.each<[settings: object, shown: string]>([
  [{ tokn: "planted" }, '["tokn"]'],
  [{ token: "planted" }, "url"],
  [{ url: "https://api.example/v4" }, "token"],
])(
  "a setting whose value may be secret has a quoted path in %j, because Pulumi prints other values",
  (settings, shown) => {
    const failures = checkConfig(new pb.CheckRequest().setNews(toStruct({ ...settings }))).getFailuresList();
    expect(failures.map((failure) => failure.getProperty())).toEqual([shown]);
  },
);

test("a setting of null is unset, so that the environment's token applies and the provider does not change", async () => {
  await using emulator = await startEmulator();
  vi.stubEnv("CLOUDINFRA_TOKEN", emulator.token);
  const secretNull = { [SIGNATURE]: SECRET, value: null };
  const asSecret = () => toStruct({ url: emulator.url, token: secretNull });
  const checked = checkConfig(new pb.CheckRequest().setNews(asSecret()));
  expect(checked.getFailuresList()).toEqual([]);
  expect(checked.getInputs()?.toJavaScript()).toEqual({ url: emulator.url });

  const client = directClient(unconfigured());
  await configure(client, { url: emulator.url, token: secretNull });
  expect(await getVolumes(client)).toEqual([]);

  const change = new pb.DiffRequest().setOldInputs(asSecret()).setNews(toStruct({ url: emulator.url }));
  expect(diffConfig(change).getChanges()).toBe(pb.DiffResponse.DiffChanges.DIFF_NONE);
});
