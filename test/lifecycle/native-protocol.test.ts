import { type ServiceError, status } from "@grpc/grpc-js";
import type { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import * as pb from "@pulumi/pulumi/proto/provider_pb";
import { Status } from "@pulumi/pulumi/proto/status_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { afterEach, describe, expect, vi } from "vitest";
import { toStruct } from "../../provider/plugin/values";
import { directClient, responseTo } from "../../testing/native-plugin";
import { check, create, read, test, unconfigured, urnOf, volume } from "./native-calls";

afterEach(() => {
  vi.unstubAllEnvs();
});

const invoke = (client: ResourceProviderClient, name: string, args: object = {}) => {
  const request = new pb.InvokeRequest().setTok(`cloudinfra:index:${name}`).setArgs(toStruct({ ...args }));
  return responseTo<pb.InvokeResponse>((response) => client.invoke(request, response));
};

describe("invalid inputs", () => {
  test("each failure has the path of its property", async ({ it }) => {
    const client = await it.start();
    const failures = async (kind: string, inputs: object) =>
      (await check(client, kind, inputs)).getFailuresList().map((failure) => failure.toObject());
    const inbound = [
      { action: "ACCEPT", protocol: "TCP", ports: "22", addresses: { ipv4: ["0.0.0.0/0"] } },
      { action: "ALLOW", protocol: "TCP", ports: "22", addresses: { ipv4: ["0.0.0.0/0"] } },
    ];
    const rules = { inboundPolicy: "DROP", outboundPolicy: "ACCEPT", inbound };
    expect(await failures("Firewall", { label: "wall", rules })).toEqual([
      { property: "rules.inbound[1].action", reason: 'must be "ACCEPT" or "DROP" (given "ALLOW")' },
    ]);
    expect(await failures("Volume", { ...volume, sizee: 30 })).toEqual([
      { property: "sizee", reason: 'is not a known field; did you mean "size"?' },
    ]);
    // Pulumi prints the value of the property that a failure names, unless the name is quoted.
    const login = { label: "login", password: "", passwrd: "planted" };
    expect((await failures("ManagedCredential", login)).map(({ property }) => property)).toEqual([
      '["password"]',
      '["passwrd"]',
    ]);
  });

  test("wrong arguments of a function are failures", async ({ it }) => {
    const client = await it.start();
    const response = await invoke(client, "listVolumes", { filter: { lable: "data" }, orderBy: "colour" });
    expect(response.getFailuresList().map((failure) => failure.toObject())).toEqual([
      { property: "orderBy", reason: 'must be "id", "label" or "tags" (given "colour")' },
      { property: "filter.lable", reason: 'is not a filterable field; did you mean "label"?' },
    ]);
  });

  test("a create request that was not checked is rejected before anything is sent", async ({ it }) => {
    await it.api.volumes.create({ body: { label: "data", region: "us-east" } });
    const client = await it.start();
    await expect(create(client, "Volume", { size: 5 })).rejects.toMatchObject({
      code: status.INVALID_ARGUMENT,
      details:
        "Volume: label is required; size must be at least 10 (given 5); region is required for a volume without an instance",
    });
    expect(it.world.volumes.size).toBe(1);
  });
});

describe("codes of errors", () => {
  const codeOf = (response: Promise<unknown>): Promise<status> =>
    response.then(
      () => status.OK,
      (error: ServiceError) => error.code,
    );

  test("distinguish what has happened", async ({ it }) => {
    const client = await it.start();
    expect(await codeOf(read(client, "Volume", "999999"))).toBe(status.NOT_FOUND);
    expect(await codeOf(read(client, "Instance", "../7"))).toBe(status.NOT_FOUND);
    expect(await codeOf(read(client, "InstanceSnapshot", "../7"))).toBe(status.INVALID_ARGUMENT);
    expect(await codeOf(invoke(client, "getVolume", { volumeId: 999999 }))).toBe(status.NOT_FOUND);
    expect(await codeOf(invoke(client, "getVolume", { label: "none" }))).toBe(status.NOT_FOUND);
    expect(await codeOf(check(client, "Instances", {}))).toBe(status.INVALID_ARGUMENT);

    it.emulator.faults.add({ path: "volumes.create", kind: "job-stall" });
    const late = new pb.CreateRequest().setUrn(urnOf("Volume", "data")).setTimeout(60);
    const created = responseTo((response) => client.create(late.setProperties(toStruct({ ...volume })), response));
    // The object exists but is not ready, so its state is not completely known.
    expect(await codeOf(created)).toBe(status.UNKNOWN);

    await it.api.volumes.create({ body: { label: "taken", region: "us-east" } });
    expect(await codeOf(create(client, "Volume", { ...volume, label: "taken" }))).toBe(status.INVALID_ARGUMENT);
  });

  test("an unreachable service is unavailable", async () => {
    vi.stubEnv("CLOUDINFRA_URL", "http://127.0.0.1:9/v4");
    vi.stubEnv("CLOUDINFRA_TOKEN", "any");
    const client = directClient(unconfigured());
    const request = new pb.ConfigureRequest().setArgs(toStruct({ maxRetries: 0 }));
    await responseTo((response) => client.configure(request, response));
    expect(await codeOf(invoke(client, "getVolume", { volumeId: 7 }))).toBe(status.UNAVAILABLE);
  });
});

test("a missing address and a missing token are reported with the commands that set them", async () => {
  vi.stubEnv("CLOUDINFRA_URL", "");
  vi.stubEnv("CLOUDINFRA_TOKEN", "");
  const configured = responseTo((response) =>
    directClient(unconfigured()).configure(new pb.ConfigureRequest(), response),
  );
  const error = (await configured.catch((error) => error)) as ServiceError;
  expect(error.details).toMatch(/^cloudinfra:url is not set.* cloudinfra:token is not set/);
  const [bytes] = error.metadata.get("grpc-status-details-bin");
  const [any] = Status.deserializeBinary(bytes as Buffer).getDetailsList();
  expect(any?.getTypeName()).toBe("pulumirpc.ConfigureErrorMissingKeys");
  const missing = pb.ConfigureErrorMissingKeys.deserializeBinary(any?.getValue_asU8() as Uint8Array);
  expect(missing.toObject().missingkeysList).toEqual([
    { name: "cloudinfra:url", description: expect.stringMatching(/^the address of the API\./) },
    { name: "cloudinfra:token", description: expect.stringMatching(/^the access token\./) },
  ]);
});

describe("capabilities", () => {
  test("are the same in the handshake and in the response to the configuration", async () => {
    vi.stubEnv("CLOUDINFRA_URL", "http://127.0.0.1:9/v4");
    vi.stubEnv("CLOUDINFRA_TOKEN", "any");
    const client = directClient(unconfigured());
    const handshake = await responseTo<pb.ProviderHandshakeResponse>((response) =>
      client.handshake(new pb.ProviderHandshakeRequest(), response),
    );
    const configured = await responseTo<pb.ConfigureResponse>((response) =>
      client.configure(new pb.ConfigureRequest().setArgs(toStruct({ maxRetries: 0 })), response),
    );
    expect(handshake.toObject()).toMatchObject({
      acceptSecrets: true,
      acceptResources: false,
      acceptOutputs: false,
      supportsAutonamingConfiguration: true,
    });
    expect(configured.toObject()).toEqual({
      acceptsecrets: true,
      acceptresources: false,
      acceptoutputs: false,
      supportsAutonamingConfiguration: true,
      supportspreview: true,
    });
  });

  test("a resource of another package is rejected", async ({ it }) => {
    const client = await it.start();
    const request = new pb.CheckRequest()
      .setUrn("urn:pulumi:test::test::aws:s3:Volume::data")
      .setNews(toStruct(volume));
    await expect(responseTo((response) => client.check(request, response))).rejects.toMatchObject({
      code: status.INVALID_ARGUMENT,
      details: "aws:s3:Volume is not of this package",
    });
  });

  test("the schema exists in one version, without subpackages", async () => {
    const client = directClient(unconfigured());
    const schema = (request: pb.GetSchemaRequest) =>
      responseTo<pb.GetSchemaResponse>((response) => client.getSchema(request, response));
    expect(JSON.parse((await schema(new pb.GetSchemaRequest())).getSchema())).toMatchObject({ name: "cloudinfra" });
    await expect(schema(new pb.GetSchemaRequest().setVersion(3))).rejects.toMatchObject({
      code: status.INVALID_ARGUMENT,
      details: "the schema exists in version 0 of the format, not in version 3",
    });
    await expect(schema(new pb.GetSchemaRequest().setSubpackageName("aws"))).rejects.toMatchObject({
      details: "pulumi-cloudinfra has no subpackage aws",
    });
  });
});

describe("cancel", () => {
  test("operations that start afterwards fail, and nothing is sent", async ({ it }) => {
    const client = await it.start();
    it.emulator.requests.clear();
    await responseTo<Empty>((response) => client.cancel(new Empty(), response));
    const interrupted = {
      code: status.CANCELLED,
      details: "the update was interrupted: the next update continues where this one stopped",
    };
    await expect(create(client, "Volume", volume)).rejects.toMatchObject(interrupted);
    await expect(read(client, "Volume", "7")).rejects.toMatchObject(interrupted);
    await expect(invoke(client, "listVolumes")).rejects.toMatchObject(interrupted);
    const list = client.list(new pb.ListRequest().setToken("cloudinfra:index:Volume"));
    await expect(list.toArray()).rejects.toMatchObject(interrupted);
    expect(it.emulator.requests.list()).toEqual([]);
    await responseTo<Empty>((response) => client.cancel(new Empty(), response));
  });
});
