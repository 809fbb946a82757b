import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { entryOf, fieldsOf, isObject, namedOperations, operations, pathNames, queryOf } from "../../../api";
import { type Emulator, startEmulator } from "../../../emulator";
import { CloudInfra } from "../../../provider/client/cloud-infra";
import { defaultsFor } from "../../../provider/client/environment";
import { missingSettings } from "../../../provider/pulumi/connection";
import { settingsFrom } from "../../../provider/pulumi/settings";

let emulator: Emulator;
let cloud: CloudInfra;
/** The paths, filters and bodies of the requests that the client sent. */
const sent: { url: string; filter: string | undefined }[] = [];

beforeEach(async () => {
  emulator = await startEmulator({ pace: "instant", dialect: "linode", account: "small" });
  cloud = new CloudInfra({
    url: emulator.url,
    token: emulator.token,
    dialect: "linode",
    retry: { firstMs: 1, longestMs: 1 },
    hooks: {
      request: ({ url, headers }) => sent.push({ url: url.replace(emulator.url, ""), filter: headers["x-filter"] }),
    },
  });
  sent.length = 0;
});
afterEach(async () => {
  await cloud.close();
  await emulator.close();
});

const lists = namedOperations(operations).filter(
  ({ operation }) => entryOf(operation) && !pathNames(operation.path).length && !fieldsOf(queryOf(operation)).type,
);

/** The fields of `theirs` that `own` has, because the service returns fields that the contract does not have. */
function common(own: unknown, theirs: unknown): unknown {
  if (Array.isArray(own) && Array.isArray(theirs)) return theirs.map((one, at) => common(own[at] ?? own[0], one));
  if (!isObject(own) || !isObject(theirs)) return theirs;
  return Object.fromEntries(Object.entries(own).map(([name, value]) => [name, common(value, theirs[name])]));
}

test.each(lists.map(({ name, area, key }) => [name, area, key]))(
  "%s returns the records of the contract",
  async (_, area, key) => {
    await using plain = await startEmulator({ pace: "instant", account: "small" });
    await using other = new CloudInfra({ url: plain.url, token: plain.token });
    const read = async (client: CloudInfra): Promise<unknown[]> => {
      const method = (client as unknown as Record<string, Record<string, { all(): AsyncIterable<unknown> }>>)[
        area as string
      ]?.[key as string];
      const rows: unknown[] = [];
      for await (const row of method?.all() ?? []) rows.push(row);
      return rows;
    };
    const namesIn = (rows: unknown): unknown => JSON.stringify(rows).match(/"\w+":/g);
    const [own, theirs] = [await read(other), await read(cloud)];
    const known = own.map((row, at) => common(row, theirs[at]));
    expect(namesIn(known)).toEqual(namesIn(own));
    expect(JSON.stringify(known)).not.toMatch(/linode/i);
  },
);

test("requests have public paths, fields and filters, and responses the contract's", async () => {
  const instance = await cloud.instances.create({
    region: "us-east",
    type: "g6-nanode-1",
    label: "linode",
    image: "compute/debian11",
    root_pass: "Correct-Horse-42",
  });
  expect(instance).toMatchObject({ label: "linode", image: "compute/debian11" });
  const volume = await cloud.volumes.create({ label: "compute", size: 20, compute_id: instance.id });
  expect(volume).toMatchObject({
    compute_id: instance.id,
    filesystem_path: "/dev/disk/by-id/scsi-0Compute_Volume_compute",
  });
  const { data } = await cloud.networkingIps.list({ filter: { compute_id: instance.id } });
  expect(data.map(({ compute_id }) => compute_id)).toContain(instance.id);
  expect(await cloud.images.view({ imageId: "compute/debian11" })).toMatchObject({
    id: "compute/debian11",
    created_by: "compute",
  });
  expect(sent).toEqual([
    { url: "/linode/instances", filter: undefined },
    { url: "/volumes", filter: undefined },
    { url: "/networking/ips", filter: `{"linode_id":${instance.id}}` },
    { url: "/images/linode%2Fdebian11", filter: undefined },
  ]);
});

test("ids of images and kernels can have the names of either side", async () => {
  expect((await cloud.images.view({ imageId: "linode/debian11" })).id).toBe("compute/debian11");
  expect((await cloud.kernels.view({ kernelId: "linode/latest-64bit" })).id).toBe("compute/latest-64bit");
});

test("lists are read in pages of 500", async () => {
  for await (const _ of cloud.volumes.list.all()) break;
  expect(sent).toEqual([{ url: "/volumes?page_size=500&page=1", filter: undefined }]);
});

test("messages of the service have its own noun, and fields those of the contract", async () => {
  const [{ id } = { id: 0 }] = (await cloud.instances.list()).data;
  emulator.faults.add({ path: "instances.reboot", kind: "status", status: 400, reason: "Compute is not active" });
  await expect(cloud.instances.reboot({ computeId: id })).rejects.toThrow("instances.reboot: 400 Linode is not active");
  await expect(cloud.volumes.create({ label: "attached", size: 20, compute_id: 999_999 })).rejects.toThrow(
    "volumes.create: 400 compute_id: There is no instance 999999",
  );
});

test("a busy instance is waited for", async () => {
  const [{ id } = { id: 0 }] = (await cloud.instances.list()).data;
  emulator.faults.add({ path: "instances.update", kind: "busy", times: 2 });
  await cloud.instances.update({ computeId: id, label: "renamed" });
  expect(sent.filter(({ url }) => url === `/linode/instances/${id}`)).toHaveLength(3);
});

test("a missing scope has its public name", async () => {
  await using other = await startEmulator({ dialect: "linode" });
  const body = JSON.stringify({ token: "poor", scopes: ["volumes:read_only"] });
  await fetch(new URL("/_emulator/tokens", other.url), {
    method: "POST",
    headers: { "content-type": "application/json" },
    body,
  });
  await using client = new CloudInfra({ url: other.url, token: "poor", dialect: "linode" });
  await expect(client.instances.list()).rejects.toThrow(
    "instances.list: 403 Your OAuth token is not authorized to use this endpoint: it needs linodes:read_only (the token has volumes:read_only)",
  );
});

test("a rejected token is explained with the variables that are read", async () => {
  await using client = new CloudInfra({ url: emulator.url, token: "wrong", dialect: "linode" });
  await expect(client.instances.list()).rejects.toThrow(
    "instances.list: 401 Invalid Token (check cloudinfra:token, CLOUDINFRA_TOKEN or LINODE_TOKEN)",
  );
});

test("the public address is the default, and variables of other clients count after ours", () => {
  for (const name of ["CLOUDINFRA_URL", "CLOUDINFRA_TOKEN", "CLOUDINFRA_DIALECT"]) vi.stubEnv(name, "");
  vi.stubEnv("LINODE_TOKEN", "theirs");
  expect(defaultsFor()).toEqual({ dialect: undefined, url: undefined, token: undefined, variables: {} });
  expect(defaultsFor("linode")).toEqual({
    dialect: "linode",
    url: "https://api.linode.com/v4",
    token: "theirs",
    variables: { url: undefined, token: "LINODE_TOKEN" },
  });
  expect(missingSettings({ dialect: "linode" })).toEqual([]);
  vi.stubEnv("CLOUDINFRA_DIALECT", "linode");
  vi.stubEnv("LINODE_URL", "http://127.0.0.1:4108");
  expect(defaultsFor()).toMatchObject({
    dialect: "linode",
    url: "http://127.0.0.1:4108/v4",
    variables: { url: "LINODE_URL" },
  });
  vi.stubEnv("CLOUDINFRA_URL", "http://127.0.0.1:4109/v4");
  vi.stubEnv("CLOUDINFRA_TOKEN", "ours");
  expect(defaultsFor()).toMatchObject({
    url: "http://127.0.0.1:4109/v4",
    token: "ours",
    variables: { url: "CLOUDINFRA_URL", token: "CLOUDINFRA_TOKEN" },
  });
});

test("an unknown dialect is an error that names the allowed ones", () => {
  expect(() => settingsFrom({ "cloudinfra:dialect": "akamai" }, [])).toThrow('cloudinfra:dialect must be "linode"');
  vi.stubEnv("CLOUDINFRA_DIALECT", "akamai");
  expect(() => defaultsFor()).toThrow('cloudinfra:dialect must be "linode"; CLOUDINFRA_DIALECT is "akamai"');
});
