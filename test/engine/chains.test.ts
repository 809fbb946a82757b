import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { connect } from "../../provider/client";
import type { ProviderType } from "../../stack/migration";
import { engine } from "../../testing/engine";
import { run } from "../cli/command";
import { nightly } from "../nightly";
import { providers } from "./providers";
import { filesOf, idsOf, mutations, type Sandbox, sandbox } from "./sandbox";

/** Runs commands of the package for the sandbox's stack. */
function commands({ stack, emulator }: Sandbox) {
  const env = { ...stack.env, CLOUDINFRA_URL: emulator.url, CLOUDINFRA_TOKEN: emulator.token };
  const here = ["--stack", "test", "--project", stack.dir];
  return {
    drift: (...args: string[]) => run(["drift", ...here, ...args], { env }),
    adopt: (...args: string[]) => run(["adopt", ...args, ...here], { env }),
    migrate: (to: ProviderType) => run(["migrate", "--to", to, ...here], { env }),
    /** A dry run of an import into another project, which leaves out the objects of this stack. */
    async importable(object: string) {
      const file = join(stack.home, "state.json");
      await writeFile(file, JSON.stringify(await stack.export()));
      const folder = join(stack.home, "imported");
      return run(["import", object, "--state", file, "--out", folder, "--into", "prod", "--dry-run"], { env });
    },
  };
}

test.each(providers("native"))(
  "failed deletion of a replaced object → drift → adopt → up: the object is not offered until the stack lets it go (%s)",
  async (provider) => {
    const program = (region: string, more = "") =>
      `new cloudinfra.Volume("data", { region: "${region}", size: 20 });\n${more}`;
    await using box = await sandbox(program("us-east"), { native: provider === "native" });
    const { stack, emulator } = box;
    const { drift, adopt, migrate, importable } = commands(box);
    const old = idsOf(await stack.up())["Volume data"] ?? "";
    emulator.faults.add({ path: "volumes.delete", kind: "status", status: 418 });
    await box.rewrite(program("us-west"));
    expect((await stack.up([], { mayFail: true })).code).not.toBe(0);
    expect(emulator.world.volumes.all()).toHaveLength(2);

    const checked = await drift("--unmanaged");
    expect(checked, checked.stderr).toMatchObject({ code: 0 });
    expect(checked.stdout).toContain("Unmanaged: none");
    expect(checked.stdout).toContain(
      `Note: Volume ${old} is not compared, because test/test/Volume/data was replaced and the next update deletes this object.`,
    );
    expect((await importable(`volume/${old}`)).stdout).toContain("nothing new to import");
    if (provider === "native") expect(await migrate("dynamic")).toMatchObject({ code: 0 });
    const rejected = await adopt("Volume", "rescued", old);
    expect(rejected).toMatchObject({ code: 1, stdout: "" });
    expect(rejected.stderr).toContain(`Volume "rescued" (${old}): Pulumi will delete this object in the next update`);

    // The user follows the message. In a terminal, "pulumi state delete" asks which of the two entries to remove.
    const state = await stack.export();
    const resources = state.deployment.resources?.filter((row) => row.delete !== true) ?? [];
    await stack.import({ ...state, deployment: { ...state.deployment, resources } });
    expect((await drift("--unmanaged")).stdout).toContain(`(${old}) in us-east`);
    const adopted = await adopt("Volume", "rescued", old);
    expect(adopted, adopted.stderr).toMatchObject({ code: 0 });

    await box.rewrite(program("us-west", declarationsIn(adopted.stdout)), "dynamic");
    emulator.requests.clear();
    await stack.up();
    expect(mutations(emulator)).toEqual([]);
    expect(emulator.world.volumes.find(Number(old))).toBeDefined();
    await box.rewrite("", "dynamic");
    const protectedOne = await stack.up([], { mayFail: true });
    expect(protectedOne.stdout).toContain("cannot be deleted");
    expect(emulator.world.volumes.find(Number(old))).toBeDefined();
  },
);

test.each(providers())(
  "failed replacement → drift → up: the next update deletes the old object and leaves only those of the program (%s)",
  async (provider) => {
    const program = (region: string) => `
      const data = new cloudinfra.Volume("data", { region: "${region}", size: 20 });
      new cloudinfra.Tag("stored", { label: "stored", volumes: [data.id] });`;
    await using box = await sandbox(program("us-east"), { native: provider === "native" });
    const { stack, emulator } = box;
    const { drift } = commands(box);
    const old = idsOf(await stack.up())["Volume data"] ?? "";
    emulator.faults.add({ path: "volumes.delete", kind: "status", status: 418 });
    await box.rewrite(program("us-west"));
    expect((await stack.up([], { mayFail: true })).code).not.toBe(0);
    const [successor] = emulator.world.volumes.all().filter(({ id }) => String(id) !== old);
    expect(emulator.world.volumes.all()).toHaveLength(2);

    emulator.world.volumes.patch(Number(successor?.id), { size: 30 });
    const drifted = await drift("--unmanaged");
    expect(drifted.code, drifted.stderr).toBe(2);
    expect(drifted.stdout).toContain("/size: 20 → 30");
    expect(drifted.stdout).toContain("Unmanaged: none");
    expect(drifted.stdout).toContain(
      `Note: Volume ${old} is not compared, because test/test/Volume/data was replaced and the next update deletes this object.`,
    );
    emulator.world.volumes.patch(Number(successor?.id), { size: 20 });

    emulator.requests.clear();
    await stack.up();
    expect(mutations(emulator)).toEqual(["volumes.delete"]);
    expect(emulator.world.volumes.all()).toMatchObject([{ id: successor?.id, region: "us-west" }]);
    await stack.preview(["--refresh", "--expect-no-changes"]);
    const after = await drift("--unmanaged");
    expect(after, after.stderr).toMatchObject({ code: 0, stdout: expect.not.stringContaining("Note:") });
    await stack.destroy();
    expect(box.holds()).toEqual({});
  },
);

test.each(providers())(
  "failed replacement of a bucket → deleted by hand → former name → up: the bucket that was created again stays (%s)",
  async (provider) => {
    const program = (label: string) =>
      `new cloudinfra.ObjectStorageBucket("files", { cluster: "us-east-1", label: "${label}", forceDestroy: true });`;
    await using box = await sandbox(program("photos"), { native: provider === "native" });
    const { stack, emulator } = box;
    await stack.up();
    emulator.faults.add({ path: "objectStorageBuckets.delete", kind: "status", status: 418 });
    await box.rewrite(program("films"));
    expect((await stack.up([], { mayFail: true })).code).not.toBe(0);
    const buckets = () =>
      emulator.world.objectStorageBuckets
        .all()
        .map(({ label }) => label)
        .sort();
    expect(buckets()).toEqual(["films", "photos"]);

    // The name must be free, because Pulumi deletes the replaced bucket only after it has created the new one.
    const { api, close } = connect(emulator);
    await api.objectStorageBuckets.delete({ path: { clusterId: "us-east-1", bucket: "photos" } });
    await close();
    await box.rewrite(program("photos"));
    const back = await stack.up();
    expect(buckets()).toEqual(["photos"]);
    expect(back.stdout).toContain('ObjectStorageBucket "photos" (us-east-1/photos) was not deleted, because');
    await stack.refresh(["--expect-no-changes"]);
    await stack.destroy();
    expect(buckets()).toEqual([]);
  },
);

test.each(providers())(
  "an instance that was resized by hand, with ignoreChanges and without → up of its tags → refresh (%s)",
  async (provider) => {
    const program = (tags: string) => `
      const web = (name, options) => new cloudinfra.Instance(name,
        { label: name, region: "us-east", type: "g6-nanode-1", image: "compute/debian11", rootPass: "Correct-Horse-42", tags: [${tags}] }, options);
      web("one", { ignoreChanges: ["type"] });
      web("two");`;
    await using box = await sandbox(program(""), { native: provider === "native" });
    const { stack, emulator } = box;
    await stack.up();
    for (const { id } of emulator.world.instances.all()) emulator.world.instances.patch(id, { type: "g6-standard-1" });
    await box.rewrite(program('"prod"'));
    emulator.requests.clear();
    const changed = await stack.up();
    expect(changed.stdout).not.toMatch(/reboot|shut down/);
    expect(mutations(emulator)).toEqual(["instances.update", "instances.update"]);
    expect((await stack.preview(["--expect-no-changes"])).code).toBe(0);

    // A refresh shows the change, which only the second instance reverts.
    emulator.requests.clear();
    const refreshed = await stack.up(["--refresh"]);
    expect(refreshed.stdout).toContain("its type from g6-standard-1 to g6-nanode-1");
    expect(emulator.world.instances.all().map(({ label, type }) => [label, type])).toEqual(
      expect.arrayContaining([
        ["one", "g6-standard-1"],
        ["two", "g6-nanode-1"],
      ]),
    );
    await stack.destroy();
  },
);

test.each(providers())(
  "failed update → migrate → preview → up of the former program: only the failed change is taken back (%s)",
  async (provider) => {
    const program = (label: string) =>
      `new cloudinfra.Volume("data", { label: "${label}", region: "us-east", size: 20, tags: ["declared"] }, { ignoreChanges: ["tags"] });`;
    await using box = await sandbox(program("data"), { native: provider === "native" });
    const { stack, emulator } = box;
    const id = Number(idsOf(await stack.up())["Volume data"]);
    emulator.world.volumes.patch(id, { tags: ["by hand"] });
    // The change is carried out, but a proxy in front of the service responds with errors.
    emulator.faults.add({ path: "volumes.update", kind: "status", status: 504, times: 100 });
    await box.rewrite(program("other"));
    expect((await stack.up([], { mayFail: true })).code).not.toBe(0);
    emulator.faults.clear();
    emulator.world.volumes.patch(id, { label: "other" });
    const row = (await stack.export()).deployment.resources?.find((one) => one.id === String(id));
    expect(row?.outputs).toMatchObject({ __unfinished: ["/label"] });

    const to = provider === "native" ? "dynamic" : "native";
    expect(await commands(box).migrate(to)).toMatchObject({ code: 0 });
    await box.rewrite(program("data"), to);
    emulator.requests.clear();
    expect((await stack.preview()).stdout).toMatch(/1 to update/);
    await stack.up();
    expect(mutations(emulator)).toEqual(["volumes.update"]);
    expect(emulator.world.volumes.get(id)).toMatchObject({ label: "data", tags: ["by hand"] });
    await stack.preview(["--expect-no-changes"]);
    await stack.destroy();
    expect(emulator.world.volumes.all()).toEqual([]);
  },
);

test.each(providers())(
  "resources that are renamed without aliases keep the objects that their successors use (%s)",
  async (provider) => {
    const program = (name: string) => `
      const web = new cloudinfra.Instance("web",
        { label: "web", region: "us-east", type: "g6-nanode-1", image: "compute/debian11", rootPass: "Correct-Horse-42" });
      const data = new cloudinfra.Volume("data", { label: "data", region: "us-east", size: 20 });
      new cloudinfra.VolumeAttachment("${name}", { volumeId: data.id, computeId: web.id });`;
    await using box = await sandbox(program("first"), { native: provider === "native" });
    const { stack, emulator } = box;
    await stack.up();
    await box.rewrite(program("second"));
    emulator.requests.clear();
    const renamed = await stack.up();
    expect(renamed.stdout).toMatch(/VolumeAttachment \d+ was not deleted, because/);
    expect(mutations(emulator)).toEqual([]);
    await stack.refresh(["--expect-no-changes"]);
    await stack.destroy();
    expect(emulator.world.volumes.all()).toEqual([]);
  },
);

test.each(providers())(
  "an attachment whose declaration moves to its volume in one update stays (%s)",
  async (provider) => {
    const program = (volume: string, attachment: string) => `
      const web = new cloudinfra.Instance("web",
        { label: "web", region: "us-east", type: "g6-nanode-1", image: "compute/debian11", rootPass: "Correct-Horse-42" });
      const data = new cloudinfra.Volume("data", { label: "data", region: "us-east", size: 20, ${volume} });
      ${attachment}`;
    const attachment = 'new cloudinfra.VolumeAttachment("data", { volumeId: data.id, computeId: web.id });';
    await using box = await sandbox(program("", attachment), { native: provider === "native" });
    const { stack, emulator } = box;
    await stack.up();
    await box.rewrite(program("computeId: web.id", ""));
    emulator.requests.clear();
    const moved = await stack.up();
    expect(moved.stdout).toMatch(/VolumeAttachment \d+ was not deleted, because Volume "data" \(\d+\) declares it now/);
    expect(mutations(emulator)).toEqual([]);
    await stack.refresh(["--expect-no-changes"]);
    await stack.destroy();
    expect(emulator.world.volumes.all()).toEqual([]);
  },
);

/** The declarations in a program that `cloudinfra adopt` printed, for a program in JavaScript. */
const declarationsIn = (printed: string): string =>
  printed.slice(printed.search(/^(\/\/|new )/m)).replaceAll(/^new /gm, "new cloudinfra.");

test("drift → adopt → up → destroy: unmanaged objects are adopted as the report says, and destroyed with the stack", async () => {
  await using box = await sandbox("");
  const { stack, emulator } = box;
  const { drift, adopt } = commands(box);
  const { api, close } = connect(emulator);
  const { id: domainId } = await api.domains.create({
    body: { domain: "example.org", type: "master", soa_email: "a@example.org" },
  });
  await api.volumes.create({ body: { region: "us-east", label: "by-hand", size: 20 } });
  await close();

  const offered = async (): Promise<string[][]> =>
    [...(await drift("--unmanaged")).stdout.matchAll(/npx cloudinfra adopt (.+)\n/g)].map(([, line = ""]) =>
      line.split(" "),
    );
  const words = await offered();
  expect(words.map(([kind]) => kind)).toEqual(["Domain", "Volume"]);
  let program = "";
  for (const line of words) {
    const adopted = await adopt(...line);
    expect(adopted, adopted.stderr).toMatchObject({ code: 0 });
    program += declarationsIn(adopted.stdout);
  }
  expect(await offered()).toEqual([]);
  expect(await drift("--unmanaged")).toMatchObject({ code: 0 });

  emulator.requests.clear();
  await box.rewrite(program);
  expect((await stack.up()).ops).toEqual({});
  await stack.preview(["--expect-no-changes"]);
  expect(mutations(emulator)).toEqual([]);
  expect((await stack.destroy([], { mayFail: true })).stdout).toContain("cannot be deleted");
  expect(emulator.world.domains.find(domainId)).toBeDefined();
  await box.rewrite(program.replaceAll("protect: true", "protect: false"));
  await stack.up();
  await stack.destroy();
  expect(box.holds()).toEqual({});
});

nightly(
  "drift → pulumi import → up → destroy: a stack of the native plugin is offered the command that it accepts",
  async () => {
    const own = `new cloudinfra.Volume("own", { label: "own", region: "us-east" });\n`;
    await using box = await sandbox(own, { native: true });
    const { stack, emulator } = box;
    const { drift } = commands(box);
    await stack.up();
    const { api, close } = connect(emulator);
    await api.domains.create({ body: { domain: "example.org", type: "master", soa_email: "a@example.org" } });
    await api.volumes.create({ body: { region: "us-east", label: "by-hand", size: 20 } });
    await close();

    const offered = async (): Promise<string[][]> =>
      [...(await drift("--unmanaged")).stdout.matchAll(/to adopt it: pulumi (.+)\n/g)].map(([, line = ""]) =>
        line.split(" "),
      );
    const words = await offered();
    expect(words.map(([command, type]) => [command, type])).toEqual([
      ["import", "cloudinfra:index:Domain"],
      ["import", "cloudinfra:index:Volume"],
    ]);
    for (const line of words) await stack.run([...line, "--yes", "--generate-code=false"]);
    expect(await offered()).toEqual([]);
    expect(await drift("--unmanaged")).toMatchObject({ code: 0 });

    // The program that Pulumi would print, which it cannot do with the language host of the tests.
    const imported = ((await stack.export()).deployment.resources ?? []).filter(({ urn }) => !urn.endsWith("::own"));
    const program = own.concat(
      ...imported.flatMap(({ type, urn, inputs }) => {
        const kind = type.startsWith("cloudinfra:index:") ? type.slice("cloudinfra:index:".length) : undefined;
        const { __autonamed, ...declared } = (inputs ?? {}) as Record<string, unknown>;
        const call = `new cloudinfra.${kind}("${urn.split("::").at(-1)}", ${JSON.stringify(declared)}, { protect: true });\n`;
        return kind ? [call] : [];
      }),
    );
    emulator.requests.clear();
    await box.rewrite(program);
    await stack.preview(["--expect-no-changes"]);
    expect((await stack.up()).ops).toEqual({});
    expect(mutations(emulator)).toEqual([]);
    expect((await stack.destroy([], { mayFail: true })).stdout).toContain("cannot be deleted");
    await box.rewrite(program.replaceAll("protect: true", "protect: false"));
    await stack.up();
    await stack.destroy();
    expect(box.holds()).toEqual({});
  },
);

test("two programs on one account: neither is offered the objects of the other, and destroying one leaves the other", async () => {
  await using one = await sandbox(`new cloudinfra.Volume("data", { region: "us-east" });`);
  await using other = await engine({
    program: filesOf(`new cloudinfra.Volume("logs", { region: "us-east" });`, true),
    config: { "cloudinfra:url": one.emulator.url, "cloudinfra:token": { secret: one.emulator.token } },
  });
  const { drift } = commands(one);
  const data = idsOf(await one.stack.up())["Volume data"] ?? "";
  const logs = idsOf(await other.up())["Volume logs"] ?? "";

  const alone = await drift("--unmanaged");
  expect(alone.stdout).toContain(`(${logs})`);
  const file = join(one.stack.home, "other.json");
  // Both stacks are called test/test, so the second is renamed in its state.
  await writeFile(file, JSON.stringify(await other.export()).replaceAll("urn:pulumi:test::", "urn:pulumi:other::"));
  const both = await drift("--unmanaged", "--state", file);
  expect(both, both.stderr).toMatchObject({ code: 0 });
  expect(both.stdout).toContain("Unmanaged: none, 2 of 2 objects managed (100 %)");

  await other.destroy();
  expect(one.emulator.world.volumes.all().map(({ id }) => String(id))).toEqual([data]);
  expect(await drift("--unmanaged")).toMatchObject({ code: 0 });
  await one.stack.preview(["--expect-no-changes"]);
  const stale = await drift("--unmanaged", "--state", file);
  expect(stale.code).toBe(2);
  expect(stale.stdout).toContain(`test/other/Volume/logs`);
});

test.each(providers())(
  "migrate → up: from %s to the other provider and after a change outside, only that change is reverted",
  async (from) => {
    const to = from === "native" ? "dynamic" : "native";
    const program = `
    const data = new cloudinfra.Volume("data", { label: "data", region: "us-east", tags: ["prod"] });
    new cloudinfra.Domain("zone", { domain: "example.org", type: "master", soaEmail: "a@example.org" });`;
    await using box = await sandbox(program, { native: from === "native" });
    const { stack, emulator } = box;
    const { drift, migrate } = commands(box);
    const id = Number(idsOf(await stack.up())["Volume data"]);
    const before = await drift("--unmanaged");
    expect(await migrate(to)).toMatchObject({ code: 0 });
    expect(await drift("--unmanaged")).toEqual(before);
    await box.rewrite(program, to);
    emulator.requests.clear();
    await stack.preview(["--expect-no-changes"]);

    const { api, close } = connect(emulator);
    await api.volumes.update({ path: { volumeId: id }, body: { tags: ["by-hand"] } });
    await close();
    const drifted = await drift();
    expect(drifted.code).toBe(2);
    expect(drifted.stdout).toContain('/tags/0: "prod" → "by-hand"');
    emulator.requests.clear();
    expect((await stack.up(["--refresh"])).ops).toEqual({ "Volume data": "update", "Domain zone": "refresh" });
    expect(mutations(emulator)).toEqual(["volumes.update"]);
    expect(await drift()).toMatchObject({ code: 0 });
    await stack.destroy();
    expect(box.holds()).toEqual({});
  },
);
