import { expect, test } from "vitest";
import { connect } from "../../provider/client";
import { run } from "../cli/command";
import { idsOf, mutations, sandbox } from "./sandbox";

const native = { native: true };

const volume = (size: number, region = "us-east"): string => `
  const data = new cloudinfra.Volume("data", {
    label: "data", region: "${region}", size: ${size}, tags: ["prod", "db1"],
  });
  const zone = new cloudinfra.Domain("zone", {
    domain: "shop.example.org", type: "master", soaEmail: "a@example.org", description: data.label,
  });
  new cloudinfra.DomainRecord("path", { domainId: zone.id, type: "TXT", name: "path", target: data.filesystemPath });`;

test("up, no changes, an edit and a replacement with exact previews, drift, destroy", async () => {
  await using box = await sandbox(volume(20), native);
  const { stack, emulator } = box;
  const up = await stack.up();
  expect(up.ops).toEqual({ "Volume data": "create", "Domain zone": "create", "DomainRecord path": "create" });
  emulator.requests.clear();
  await stack.preview(["--expect-no-changes"]);
  await stack.refresh(["--preview-only", "--expect-no-changes"]);
  expect(mutations(emulator)).toEqual([]);

  await box.rewrite(volume(40));
  const preview = await stack.preview(["--diff"]);
  // The preview knows that the new size does not change the volume's `filesystemPath`, so it shows no change of the DNS
  // record that contains this path.
  expect(preview.ops).toEqual({ "Volume data": "update" });
  expect(preview.stdout).toMatch(/\[urn=[^\n]*Volume::data\]\n +~ size: 20 => 40\n *Resources:/);
  expect((await stack.up()).ops).toEqual({ "Volume data": "update" });
  expect(mutations(emulator)).toEqual(["volumes.resize"]);

  // Replaces the volume. Its path is unknown in the preview, so the DNS record that contains the path shows a change.
  // The domain, which contains only the volume's label, shows none.
  await box.rewrite(volume(40, "eu-west"));
  expect((await stack.preview()).ops).toEqual({ "Volume data": "replace", "DomainRecord path": "update" });
  await box.rewrite(volume(40));

  const { api, close } = connect(emulator);
  const { "Volume data": id } = idsOf(up);
  await api.volumes.update({ path: { volumeId: Number(id) }, body: { tags: ["prod", "by-hand"] } });
  await close();
  const drift = await stack.refresh(["--preview-only", "--diff", "--expect-no-changes"], { mayFail: true });
  expect(drift.code).toBe(7);
  expect(drift.ops).toEqual({ "Volume data": "update" });
  expect(drift.stdout).toContain(`~ [1]: "db1" => "by-hand"`);

  await stack.destroy();
  expect(box.holds()).toEqual({});
});

test("after an import by id, label, parent and id, or the import option, a program with the same inputs shows no changes", async () => {
  await using box = await sandbox("", native);
  const { stack, emulator } = box;
  const { api, close } = connect(emulator);
  const data = await api.volumes.create({ body: { label: "data", region: "us-east", size: 30, tags: ["prod"] } });
  await api.volumes.create({ body: { label: "logs", region: "us-east", size: 20 } });
  const cache = await api.volumes.create({ body: { label: "cache", region: "us-east", size: 20 } });
  const zone = await api.domains.create({
    body: { domain: "shop.example.org", type: "master", soa_email: "a@example.org" },
  });
  const www = await api.domainRecords.create({
    path: { domainId: zone.id },
    body: { type: "A", name: "www", target: "192.0.2.1" },
  });
  await close();
  const take = (kind: string, name: string, id: string | number) =>
    stack.run(
      ["import", `cloudinfra:index:${kind}`, name, String(id), "--yes", "--generate-code=false", "--protect=false"],
      { mayFail: true },
    );
  const taken = [
    await take("Volume", "data", data.id),
    await take("Volume", "logs", "logs"),
    await take("Domain", "zone", "shop.example.org"),
    await take("DomainRecord", "www", `${zone.id}/${www.id}`),
  ];
  expect(taken.map(({ code, stderr }) => [code, stderr])).toEqual(taken.map(() => [0, ""]));
  expect((await take("Volume", "none", "none")).stdout).toContain(
    `Volume: "none" is not a valid id; it must look like volumeId, such as 12, and no object has the label "none"`,
  );
  expect((await take("Volume", "none", "4711")).stdout).toContain(
    'Volume: no object has the id or label "4711"; an id looks like volumeId, such as 12',
  );

  const list = JSON.stringify([
    { kind: "Volume", name: "data", id: data.id },
    { kind: "Domain", name: "zone", id: zone.id },
  ]);
  await stack.write("objects.json", list);
  const printed = await run(["adopt", "--file", "objects.json", "--stack", "test", "--dry-run"], {
    env: stack.env,
    cwd: stack.dir,
  });
  expect(printed).toMatchObject({ code: 0, stderr: expect.stringContaining(`declared Volume "data" (${data.id})`) });
  expect(printed.stdout).toContain('import { Domain, Volume } from "pulumi-cloudinfra/native";');
  await stack.write("index.js", printed.stdout.replace(/^import (\{.*\}) from (".*");/m, "const $1 = require($2);"));
  expect((await stack.preview(["--target", "**::data", "--target", "**::zone"])).ops).toEqual({});

  const program = (more: string): string => `
    new cloudinfra.Volume("data", { label: "data", region: "us-east", size: 30, tags: ["prod"] });
    new cloudinfra.Volume("logs", { label: "logs", region: "us-east" });
    const zone = new cloudinfra.Domain("zone", {
      domain: "shop.example.org", type: "master", soaEmail: "a@example.org",
    });
    new cloudinfra.DomainRecord("www", { domainId: zone.id, type: "A", name: "www", target: "192.0.2.1" });
    ${more}`;
  await box.rewrite(program(""));
  emulator.requests.clear();
  await stack.preview(["--expect-no-changes"]);
  const option = `new cloudinfra.Volume("cache", { label: "cache", region: "us-east" }, { import: "${cache.id}" });`;
  await box.rewrite(program(option));
  expect((await stack.up()).ops).toEqual({ "Volume cache": "import" });
  await stack.up(["--expect-no-changes"]);
  // Without aliases, a renamed resource is imported again, and Pulumi deletes the former one last.
  await box.rewrite(program(option.replace('Volume("cache"', 'Volume("renamed"')));
  expect((await stack.up()).ops).toEqual({ "Volume renamed": "import", "Volume cache": "delete" });
  await stack.up(["--expect-no-changes"]);
  expect(mutations(emulator)).toEqual([]);
  await stack.destroy();
  expect(box.holds()).toEqual({});
});
