import { truncateSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { ServiceError } from "@grpc/grpc-js";
import { type LogRequest, LogSeverity } from "@pulumi/pulumi/proto/engine_pb";
import type { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import * as pb from "@pulumi/pulumi/proto/provider_pb";
import { ErrorResourceInitFailed } from "@pulumi/pulumi/proto/provider_pb";
import { Status } from "@pulumi/pulumi/proto/status_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { describe, expect, vi, test as vitest } from "vitest";
import { startEmulator } from "../../emulator";
import { connect } from "../../provider/client";
import { realTime } from "../../provider/client/time";
import { PulumiEngineClient } from "../../provider/plugin/pulumi-engine";
import { fromStruct, toStruct } from "../../provider/plugin/values";
import { hostOf } from "../../provider/pulumi/connection";
import { type Cloud, cloud } from "../../testing/cloud";
import { pluginFor, responseTo, startEngineServer } from "../../testing/native-plugin";
import { fresh } from "../fresh";
import { file } from "./kinds/files";
import { check, create, urnOf } from "./native-calls";

const test = vitest.extend("account", fresh(cloud));

async function up(client: ResourceProviderClient, kind: string, inputs: object) {
  const { bag, secrets } = fromStruct((await check(client, kind, inputs)).getInputs());
  return create(client, kind, bag, { secrets });
}

/** Starts a plugin, and returns a client and the log messages that the plugin sends to Pulumi's engine. */
async function listened(
  account: Cloud,
  host = account.host,
): Promise<{ client: ResourceProviderClient; lines: LogRequest[] }> {
  const lines: LogRequest[] = [];
  const engine = await startEngineServer((message) => void lines.push(message));
  return { client: await pluginFor(() => host, undefined, new PulumiEngineClient(engine)), lines };
}

test.for([
  {
    what: "as a whole",
    secrets: { target: true as const },
    kind: "DomainRecord",
    inputs: { domainId: 1, type: "A", target: "s3cr3t" },
  },
  {
    what: "in a part",
    secrets: { rules: { inbound: { "*": { addresses: true as const } } } },
    kind: "Firewall",
    inputs: {
      rules: {
        inboundPolicy: "DROP",
        outboundPolicy: "DROP",
        inbound: [{ action: "ACCEPT", protocol: "TCP", ports: "22", addresses: { ipv4: ["s3cr3t"] } }],
      },
    },
  },
])(
  "an invalid value that the program marks as secret $what is not shown",
  async ({ kind, inputs, secrets }, { account }) => {
    const { client } = await listened(account);
    const failures = (await check(client, kind, inputs, secrets))
      .getFailuresList()
      .map((failure) => failure.toObject());
    expect(failures).toEqual([
      { property: expect.any(String), reason: expect.stringMatching(/\(given \[secret\]\)$/) },
    ]);
    expect(JSON.stringify(failures)).not.toContain("s3cr3t");
    // Pulumi prints the value of an input that it finds by this name.
    expect(failures[0]?.property).not.toBe("target");
  },
);

test("a label that the program marks as secret is not shown in warnings and errors of any operation", async ({
  account,
}) => {
  const { client, lines } = await listened(account);
  const label = "s3cr3t-label";
  const inputs = { label, region: "us-east", size: 20 };
  const urn = urnOf("Volume", "data");
  const properties = (more: object = {}) => toStruct({ ...inputs, ...more }, { label: true });
  const reason = `${label} is not possible now`;
  const fails = (path: string) => account.emulator.faults.add({ path, kind: "status", status: 400, reason });
  const errors: string[] = [];
  const failed = ({ details }: ServiceError) => void errors.push(details);
  fails("volumes.create");
  await create(client, "Volume", inputs, { secrets: { label: true } }).catch(failed);
  const id = (await create(client, "Volume", inputs, { secrets: { label: true } })).getId();
  fails("volumes.resize");
  const update = () =>
    new pb.UpdateRequest()
      .setUrn(urn)
      .setId(id)
      .setOlds(properties())
      .setNews(properties({ size: 30 }));
  await responseTo((response) => client.update(update(), response)).catch(failed);
  fails("volumes.delete");
  const remove = new pb.DeleteRequest().setUrn(urn).setId(id).setProperties(properties());
  const { client: later } = await listened(account, account.reconnect());
  await responseTo((response) => later.delete(remove, response)).catch(failed);
  expect(errors).toEqual(Array(3).fill(expect.stringContaining("[secret] is not possible now")));
  await account.api.volumes.delete({ path: { volumeId: Number(id) } });
  account.emulator.settle();
  const diff = new pb.DiffRequest().setUrn(urn).setId(id).setOlds(properties()).setOldInputs(properties());
  await responseTo((response) => client.diff(diff.setNews(properties({ size: 30 })), response));
  const read = new pb.ReadRequest().setUrn(urn).setId(id).setProperties(properties()).setInputs(properties());
  await responseTo((response) => client.read(read, response));
  const shown = lines.map((line) => line.getMessage());
  expect(shown).toEqual([
    `Volume "[secret]" (${id}) no longer exists: it was deleted outside this program. It will be created again`,
    `Volume "[secret]" (${id}) no longer exists: the next update creates it again`,
  ]);
});

test("a failed update stores the former value of an input as a secret, also if the program does not mark it any more", async ({
  account,
}) => {
  const { client } = await listened(account);
  const inputs = { label: "s3cr3t-label", region: "us-east", size: 20 };
  const id = (await create(client, "Volume", inputs, { secrets: { label: true } })).getId();
  // The label is changed first.
  account.emulator.faults.add({ path: "volumes.resize", kind: "status", status: 400 });
  const update = new pb.UpdateRequest()
    .setUrn(urnOf("Volume", "data"))
    .setId(id)
    .setOlds(toStruct(inputs, { label: true }))
    .setNews(toStruct({ ...inputs, label: "open-label", size: 30 }));
  const error = await responseTo((response) => client.update(update, response)).catch((error: ServiceError) => error);
  const [packed] = (error as ServiceError).metadata.get("grpc-status-details-bin");
  const [detail] = Status.deserializeBinary(packed as Buffer).getDetailsList();
  const failed = ErrorResourceInitFailed.deserializeBinary(detail?.getValue_asU8() ?? new Uint8Array());
  const { bag, secrets } = fromStruct(failed.getProperties());
  expect(bag.label).toBe("s3cr3t-label");
  expect(secrets).toMatchObject({ label: true });
  expect(fromStruct(failed.getInputs()).secrets).toEqual({});
});

describe("after an update, and in its preview, a secret of the former state", () => {
  const zone = { domain: "shop.example.org", type: "master", soaEmail: "a@example.org" };
  const web = { label: "web", region: "us-east", type: "g6-nanode-1" };
  const keyOf = (name: string) => [
    `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl ${name}`,
  ];
  const deployed = { ...web, image: "compute/debian11", rootPass: "Correct-Horse-42" };
  const cases = [
    {
      what: "is secret if it is not declared any more",
      kind: "Domain",
      before: { ...zone, description: "s3cr3t", ttlSec: 300 },
      secrets: { description: true as const },
      after: { ...zone, ttlSec: 3600 },
      expected: { description: "s3cr3t" },
      remaining: { description: true },
    },
    {
      what: "is secret if another value is declared, but not applied",
      kind: "Instance",
      before: { ...deployed, authorizedKeys: keyOf("s3cr3t") },
      secrets: { authorizedKeys: true as const },
      after: { ...deployed, authorizedKeys: keyOf("open"), group: "prod" },
      expected: { authorizedKeys: keyOf("s3cr3t") },
      remaining: { authorizedKeys: true, rootPass: true },
    },
    {
      what: "is secret if only other parts are declared",
      kind: "Instance",
      before: { ...web, alerts: { cpu: 51, io: 5100 } },
      secrets: { alerts: { cpu: true as const, io: true as const } },
      after: { ...web, alerts: { io: 5100 }, group: "prod" },
      expected: { alerts: { cpu: 51, io: 5100 } },
      remaining: { alerts: { cpu: true } },
    },
    {
      what: "is not secret if it is declared without a mark",
      kind: "Volume",
      before: { label: "open", region: "us-east", size: 20 },
      secrets: { label: true as const },
      after: { label: "open", region: "us-east", size: 30 },
      expected: { label: "open", filesystemPath: "/dev/disk/by-id/scsi-0Compute_Volume_open" },
      remaining: {},
    },
  ];

  test.for(cases)("$what", async ({ kind, before, secrets, after, expected, remaining }, { account }) => {
    const { client } = await listened(account);
    const created = await create(client, kind, before, { secrets });
    const updated = async (isPreview: boolean) => {
      const update = new pb.UpdateRequest().setUrn(urnOf(kind, "data")).setId(created.getId()).setPreview(isPreview);
      update.setOlds(created.getProperties()).setNews(toStruct(after));
      return fromStruct(
        (await responseTo<pb.UpdateResponse>((response) => client.update(update, response))).getProperties(),
      );
    };
    for (const { bag, secrets } of [await updated(true), await updated(false)]) {
      expect(bag).toMatchObject(expected);
      expect(secrets).toEqual(remaining);
    }
  });
});

test("a secret text is not shown in the reason of a failure or in a warning about another input", async ({
  account,
}) => {
  const { client, lines } = await listened(account);
  const object = { cluster: "us-east-1", bucket: "photos", name: "pin.txt", file: "/no/such/s3cr3t" };
  const failures = (await check(client, "ObjectStorageObject", object, { file: true })).getFailuresList();
  expect(failures.map((failure) => failure.getReason())).toEqual([
    "cannot be read: ENOENT: no such file or directory, open '[secret]' (given [secret])",
  ]);
  const zone = { domain: "shop.example.org", type: "master", soaEmail: "a@example.org", ttlSec: 299 };
  await check(client, "Domain", zone, { domain: true });
  await vi.waitUntil(() => lines.some((line) => line.getSeverity() === LogSeverity.WARNING));
  expect(lines.map((line) => line.getMessage()).join()).not.toContain("shop.example.org");
});

test("the hashes of a secret content are secret, because a short content can be found from them", async ({
  account,
}) => {
  const { client } = await listened(account);
  const object = { cluster: "us-east-1", bucket: "photos", name: "pin.txt", content: "pin 1234" };
  const { secrets } = fromStruct((await check(client, "ObjectStorageObject", object, { content: true })).getInputs());
  expect(secrets).toEqual({ content: true, contentHash: true, etag: true });
  const open = fromStruct((await check(client, "ObjectStorageObject", object)).getInputs());
  expect(open.secrets).toEqual({});
});

test("the source of an image is stored as SDKs read it, without the signature of an asset", async ({ account }) => {
  const { client } = await listened(account);
  const source = { "4dabf18193072939515e22adb298388d": "c44067f5952c0a294b673a41bacd8c17", text: "a disk image" };
  const response = await check(client, "Image", { region: "us-east", label: "base", source });
  expect(fromStruct(response.getInputs()).bag.source).toEqual({ text: "a disk image" });
});

test("an asset with an empty text, whose text Pulumi omits, is an empty object", async ({ account }) => {
  const { client } = await listened(account);
  const source = {
    "4dabf18193072939515e22adb298388d": "c44067f5952c0a294b673a41bacd8c17",
    hash: "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
  };
  const object = { cluster: "us-east-1", bucket: "photos", name: "empty.txt", source };
  const response = await check(client, "ObjectStorageObject", object);
  expect(response.getFailuresList()).toEqual([]);
  expect(fromStruct(response.getInputs()).bag).toMatchObject({ etag: "d41d8cd98f00b204e9800998ecf8427e" });
  const image = await check(client, "Image", { region: "us-east", label: "base", source });
  expect(image.getFailuresList().map((failure) => failure.getReason())).toEqual([
    expect.stringMatching(/^must be a disk image; it is empty/),
  ]);
});

test("a long wait reports its status on the resource, and a warning stays listed under it", async ({ account }) => {
  const { client, lines } = await listened(account);
  await up(client, "Instance", {
    label: "web",
    region: "us-east",
    type: "g6-nanode-1",
    image: "compute/debian11",
    rootPass: "Correct-Horse-42",
  });
  const zone = { domain: "shop.example.org", type: "master", soaEmail: "a@example.org", ttlSec: 299 };
  await check(client, "Domain", zone);
  await vi.waitUntil(() => lines.some((line) => line.getSeverity() === LogSeverity.WARNING));
  expect(lines.filter((line) => line.getEphemeral()).map((line) => line.toObject())).toContainEqual(
    expect.objectContaining({
      urn: urnOf("Instance", "data"),
      severity: LogSeverity.INFO,
      message: expect.stringMatching(/^Instance "web" \(\d+\): still waiting after \d+ s: .*/),
    }),
  );
  expect(lines.filter((line) => !line.getEphemeral()).map((line) => line.toObject())).toEqual([
    expect.objectContaining({
      urn: urnOf("Domain", "data"),
      severity: LogSeverity.WARNING,
      message: expect.stringContaining("ttlSec 299 will be rounded to 300"),
    }),
  ]);
});

test("a warning cannot control the terminal, whatever text the service returns", async ({ account }) => {
  const { client, lines } = await listened(account);
  const { id } = await account.api.instances.create({
    body: { region: "us-east", type: "g6-nanode-1", label: "web-1" },
  });
  account.world.instances.patch(id, { type: "g6\u001b[31m-\u202enanode\u001b]0;owned\u0007" });
  const web = { label: "web-1", region: "us-east", type: "g6-standard-1" };
  const request = new pb.DiffRequest()
    .setUrn(urnOf("Instance", "data"))
    .setId(String(id))
    .setNews(toStruct({ ...web }));
  const state = { ...web, type: "g6\u001b[31m-\u202enanode\u001b]0;owned\u0007" };
  request.setOlds(toStruct({ ...state })).setOldInputs(toStruct({ ...state }));
  await responseTo<pb.DiffResponse>((response) => client.diff(request, response));
  await vi.waitUntil(() => lines.length);
  expect(lines.map((line) => line.getMessage())).toEqual([
    "web-1: will shut down and boot to change its type from g6-nanode to g6-standard-1",
  ]);
});

test("the upload of a large file reports its progress on the resource", async ({ account }) => {
  const { client, lines } = await listened(account);
  const path = file("large.img", "");
  truncateSync(path, 20e6);
  const id = (await up(client, "Image", { label: "golden", region: "us-east", file: path })).getId();
  expect(lines.map((line) => line.toObject())).toContainEqual(
    expect.objectContaining({
      urn: urnOf("Image", "data"),
      severity: LogSeverity.INFO,
      message: `Image "golden" (${id}): 2 of 20 MB sent`,
      ephemeral: true,
    }),
  );
});

test("a cancellation ends a wait at once, and the error keeps the id of the object", async () => {
  await using emulator = await startEmulator({ pace: "stepped" });
  const connection = connect(emulator);
  const messages = { warn: () => {}, progress: () => {} };
  const client = await pluginFor(() => hostOf(connection, realTime, messages));
  const creation = up(client, "Volume", { label: "data", region: "us-east" }).catch((error: ServiceError) => error);
  await vi.waitUntil(() => emulator.world.volumes.size === 1);
  // During this time, the plugin receives the response to the create request and starts to poll until the volume is
  // ready.
  await sleep(300);
  const startedAt = performance.now();
  await responseTo<Empty>((response) => client.cancel(new Empty(), response));
  const error = (await creation) as ServiceError;
  expect(performance.now() - startedAt).toBeLessThan(1_000);
  expect(error.details).toContain("the update was interrupted: the next update continues where this one stopped");
  expect(String(error.metadata.get("grpc-status-details-bin")[0])).toContain(
    String(emulator.world.volumes.all()[0]?.id),
  );
  await connection.close();
});

test("a cancellation ends a create that waits for a retry, which is not sent afterwards", async () => {
  await using emulator = await startEmulator();
  const connection = connect(emulator);
  const client = await pluginFor(() => hostOf(connection, realTime, { warn: () => {}, progress: () => {} }));
  emulator.faults.add({ path: "volumes.create", kind: "status", status: 429, retryAfter: 1 });
  const creation = up(client, "Volume", { label: "data", region: "us-east" }).catch((error: ServiceError) => error);
  const sent = () => emulator.requests.list().filter(({ operation }) => operation === "volumes.create").length;
  await vi.waitUntil(() => sent() === 1);
  await sleep(100);
  await responseTo<Empty>((response) => client.cancel(new Empty(), response));
  expect(((await creation) as ServiceError).details).toBe(
    "the update was interrupted: the next update continues where this one stopped",
  );
  await sleep(1_500);
  expect([sent(), emulator.world.volumes.size]).toEqual([1, 0]);
  await connection.close();
});

vitest("an error that belongs to no resource is shown by Pulumi as an error", async () => {
  const lines: LogRequest[] = [];
  const engine = await startEngineServer((message) => void lines.push(message));
  new PulumiEngineClient(engine).fail("the plugin has failed");
  await vi.waitFor(() => expect(lines).toHaveLength(1));
  expect(lines[0]?.toObject()).toMatchObject({
    urn: "",
    message: "the plugin has failed",
    severity: LogSeverity.ERROR,
    ephemeral: false,
  });
});
