import { beforeAll, describe, expect, test } from "vitest";
import { fill } from "../../../emulator/accounts";
import { type Snapshot, snapshot } from "../../../emulator/core/snapshot";
import { AuthenticationError, StateError } from "../../../import";
import { cloud } from "../../../testing/cloud";
import { exported, type InStack } from "../exported";
import { Project } from "./project";

let small: Snapshot;
let requests: number;
let files: Map<string, string>;

beforeAll(async () => {
  await using it = await cloud();
  await fill(it.world, "small");
  small = snapshot(it.world);
  it.emulator.requests.clear();
  ({ files } = await new Project(it).import());
  requests = it.emulator.requests.list().length;
});

test("a rate limit delays an import, whichever request it hits, and changes nothing about its files", async () => {
  await using it = await cloud({ load: small });
  for (let nth = 1; nth <= requests; nth += 5) {
    it.emulator.faults.add({ path: "*", kind: "status", status: 429, retryAfter: 30, nth, times: 2 });
    const result = await new Project(it).import();
    expect(result.unread).toEqual([]);
    expect(result.files).toEqual(files);
    it.emulator.faults.clear();
  }
});

test("a token that is revoked ends an import, whichever request is the first without it", async () => {
  await using it = await cloud({ load: small });
  for (let nth = 1; nth <= requests; nth += 5) {
    it.emulator.faults.add({ path: "*", kind: "status", status: 401, nth, times: 1000 });
    const project = new Project(it);
    await expect(project.import()).rejects.toThrow(AuthenticationError);
    await expect(project.import()).rejects.toThrow(/the API rejected the token \(401 in .*\)\. Set CLOUDINFRA_TOKEN/);
    expect(project.files).toEqual(new Map());
    it.emulator.faults.clear();
  }
});

test.each([403, 500, 404])(
  "instances are not imported if node pools respond with %d, because some may be nodes",
  async (status) => {
    await using it = await cloud();
    const pool = { type: "g6-standard-1" as const, count: 2 };
    await it.api.lkeClusters.create({
      body: { label: "shop", region: "us-east", k8s_version: "1.22", node_pools: [pool] },
    });
    await it.api.volumes.create({ body: { label: "data", region: "us-east", size: 20 } });
    it.emulator.settle();
    it.emulator.faults.add({ path: "lkePools.list", kind: "status", status, times: 1000 });
    const { resources, unread } = await new Project(it).import();
    expect(resources.map(({ kind }) => kind)).not.toContain("Instance");
    expect(resources.map(({ kind }) => kind)).toContain("Volume");
    expect(unread).toContainEqual(
      expect.objectContaining({
        kind: "Instance",
        reason: expect.stringMatching(/^not imported, because LkeNodePool could not be read/),
      }),
    );
  },
);

test("a list that is not found is reported, and its objects do not count as missing", async () => {
  await using it = await cloud();
  await it.api.volumes.create({ body: { label: "data", region: "us-east", size: 20 } });
  it.emulator.faults.add({ path: "volumes.list", kind: "status", status: 404, times: 1000 });
  const { unread } = await new Project(it).import();
  expect(unread).toContainEqual(expect.objectContaining({ kind: "Volume" }));
});

test("an empty account has nothing to import", async () => {
  await using it = await cloud();
  const { files, ...rest } = await new Project(it).import();
  expect(rest).toEqual({ packages: [], resources: [], secrets: [], unread: [], unloaded: [], matched: [], held: 0 });
  expect(files).toEqual(new Map());
});

describe("an import is rejected if the state", () => {
  const volume: InStack = { kind: "Volume", name: "data", id: "7", inputs: {}, outs: {} };
  const newer = { ...volume, outs: { __version: 99 } };
  const whole = JSON.stringify(exported([volume]).state);

  test.each<[string, unknown, string]>([
    ["is truncated", whole.slice(0, 150), "prod is not complete JSON: it is truncated. Export it with"],
    ["is of a newer format", { version: 9, deployment: {} }, "prod has version 9 of Pulumi's state format"],
    [
      "is of a newer version of this package",
      exported([newer]).state,
      "prod: shop/dev/Volume/data: its state was written by a newer version of pulumi-cloudinfra",
    ],
    [
      "has a resource without an id",
      exported([{ ...volume, id: "" }]).state,
      "it has no id: its creation did not finish",
    ],
  ])("%s", async (_, state, message) => {
    await using it = await cloud({ load: small });
    for (const options of [{ state: { name: "prod", state } }, { others: [{ name: "prod", state }] }]) {
      const error: unknown = await new Project(it).import(options).catch((error) => error);
      expect(error).toBeInstanceOf(StateError);
      expect((error as Error).message).toContain(message);
    }
  });
});

test("resources of other providers in a state do not matter", async () => {
  await using it = await cloud({ load: small });
  const { state } = exported([]);
  const row = { urn: "urn:pulumi:dev::shop::aws:s3/bucket:Bucket::web", type: "aws:s3/bucket:Bucket", custom: true };
  const foreign = { ...state, deployment: { ...state.deployment, resources: [{ ...row, id: "web" }] } };
  expect((await new Project(it).import({ others: [{ name: "other", state: foreign }] })).files).toEqual(files);
});
