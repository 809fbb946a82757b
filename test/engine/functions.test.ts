import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Emulator } from "../../emulator";
import { blocksOf } from "../cli/markdown";
import { messages, mutations, sandbox } from "./sandbox";

const password = "Correct-Horse-42";
const root = join(__dirname, "../..");

const reads = ({ requests }: Emulator): (string | null)[] =>
  requests.list().flatMap(({ method, operation }) => (method === "GET" ? [operation] : []));

/** Creates objects outside the program. */
const post = ({ url, token }: Emulator, path: string, body: object) =>
  fetch(`${url}${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });

test("functions read objects, wait for new resources, and keep secrets", async () => {
  await using box = await sandbox(
    `
    const data = new cloudinfra.Volume("data", { label: "data", region: "us-east", tags: ["prod"] });
    const cluster = new cloudinfra.LkeCluster("apps", {
      label: "apps", region: "us-east", k8sVersion: "1.21", pools: { one: { type: "g6-standard-1", count: 1 } },
    });
    exports.region = cloudinfra.getRegion({ regionId: "us-east" }).then(({ country }) => country);
    exports.size = cloudinfra.getVolumeOutput({ volumeId: data.id }).size;
    exports.named = cloudinfra.getVolumeOutput({ label: data.label }).label;
    exports.volumes = cloudinfra.listVolumesOutput({ filter: { tags: "prod" } }, { dependsOn: [data] }).volumes
      .apply((volumes) => volumes.map(({ filesystemPath }) => filesystemPath));
    const access = cloudinfra.getLkeKubeconfigOutput({ clusterId: cluster.id });
    exports.kubeconfig = access.kubeconfig;
    exports.same = require("@pulumi/pulumi").all([access.kubeconfig, cluster.kubeconfig]).apply(([a, b]) => a === b);
    exports.url = cloudinfra.getObjectUrlOutput({ clusterId: "us-east-1", bucket: "photos", name: "cat.txt", method: "GET" }).url;`,
  );
  const { stack, emulator } = box;
  await post(emulator, "/object-storage/buckets", { label: "photos", cluster: "us-east-1" });
  emulator.requests.clear();
  const preview = await stack.preview();
  expect(messages(preview)).toEqual([]);
  // The only POST request is for a pre-signed URL, which does not change the account.
  expect(mutations(emulator)).toEqual(["objectStorageObjects.createUrl"]);
  expect(reads(emulator)).toContain("regions.view");
  expect(reads(emulator)).not.toContain("volumes.view");
  expect(reads(emulator)).not.toContain("lkeClusters.viewKubeconfig");
  expect(preview.outputs).toMatchObject({ region: "us" });

  const up = await stack.up();
  expect(up.outputs).toEqual({
    region: "us",
    size: 20,
    named: "data",
    volumes: [expect.stringMatching(/^\/dev\/disk\/.*data$/)],
    kubeconfig: "[secret]",
    same: "[secret]",
    url: "[secret]",
  });
  const plain = (await stack.outputs()) as Record<string, string>;
  expect(plain.kubeconfig).toMatch(/^apiVersion: v1/);
  expect(plain.same).toBe(true);
  expect(plain.url).toMatch(/^https?:/);
  const state = JSON.stringify(await stack.export());
  for (const secret of [plain.kubeconfig, plain.url]) expect(state).not.toContain(JSON.stringify(secret).slice(1, -1));
  await stack.preview(["--expect-no-changes"]);
});

test("a failed function prints only its message", async () => {
  await using box = await sandbox(`exports.one = cloudinfra.getVolume({ volumeId: 99 });`);
  const { stack } = box;
  const missing = await stack.preview([], { mayFail: true });
  expect(missing.code).not.toBe(0);
  expect(missing.stdout).toContain("getVolume: no object with volumeId 99 exists (404 Not found (volume 99))");
  expect(missing.stdout).not.toMatch(/^\s+at /m);

  await box.rewrite(`exports.all = cloudinfra.listVolumesOutput({ filter: { lab: "a" }, order: "asc" }).volumes;`);
  const wrong = await stack.preview([], { mayFail: true });
  expect(wrong.stdout).toMatch(
    /listVolumes:\n\s+order is not a known field.*\n\s+filter\.lab is not a filterable field/,
  );
  expect(wrong.stdout).not.toMatch(/^\s+at /m);

  await stack.run(["config", "set", "cloudinfra:tokn", "a"]);
  await box.rewrite(`exports.account = cloudinfra.getAccount();`);
  expect((await stack.preview([], { mayFail: true })).stdout).toMatch(/tokn.*did you mean "cloudinfra:token"\?/);
});

test("the program of docs/functions.md runs", async () => {
  const blocks = blocksOf(await readFile(join(root, "docs/functions.md"), "utf8"));
  const [program] = blocks.filter(({ file }) => file === "index.ts");
  await using box = await sandbox("", {
    config: { "test:rootPass": { secret: password }, "test:domain": "example.org" },
  });
  const { stack, emulator } = box;
  await post(emulator, "/domains", { domain: "example.org", type: "master", soa_email: "a@example.org" });
  await stack.write("docs.ts", program?.text ?? "");
  await stack.write("Pulumi.yaml", "name: test\nruntime: nodejs\nmain: docs.ts\n");
  const preview = await stack.preview();
  expect(messages(preview)).toEqual([]);
  const { outputs } = await stack.up();
  expect(outputs).toEqual({
    transfer: expect.any(Number),
    configs: [expect.any(String)],
    zoneFile: expect.arrayContaining([expect.stringContaining("example.org")]),
    toBackUp: ["web-data: 20 GiB"],
    kubeconfig: "[secret]",
  });
});
