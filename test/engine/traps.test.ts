import { expect, test } from "vitest";
import type { Run } from "../../testing/engine";
import { idsOf, mutations, sandbox } from "./sandbox";

/**
 * Pulumi does not wait until `configure` of a dynamic provider has finished before it calls other methods, such as
 * `read`. They need the token that `configure` receives.
 */
test("a refresh of many resources at once sends the token with each request, even if the first response is slow", async () => {
  const many = `
    for (let i = 1; i <= 6; i++) new cloudinfra.Volume("v" + i, { region: "us-east" });
    for (let i = 1; i <= 6; i++) new cloudinfra.Domain("d" + i, { domain: "d" + i + ".example", type: "master", soaEmail: "a@example.org" });`;
  await using box = await sandbox(many);
  const { stack, emulator } = box;
  await stack.up();
  emulator.requests.clear();
  emulator.faults.add({ method: "GET", kind: "delay", delay: 1500, times: 2 });
  const refreshed = await stack.refresh(["--preview-only", "--expect-no-changes"]);
  expect(refreshed.diagnostics).toEqual([]);
  const answers = emulator.requests.list().map(({ username, status }) => `${username} ${status}`);
  expect(answers.length).toBeGreaterThan(1);
  expect(new Set(answers)).toEqual(new Set(["emulator 200"]));
});

/**
 * Unless `deleteBeforeReplace` is set, Pulumi creates the new object first. For a declared label, that would fail,
 * because two volumes cannot have the same label.
 */
test("deletes a volume with a declared label before its replacement is created, and one without it afterwards", async () => {
  const volumes = (region: string) => `
    new cloudinfra.Volume("named", { label: "data", region: "${region}" });
    new cloudinfra.Volume("unnamed", { region: "${region}" });`;
  await using box = await sandbox(volumes("us-east"));
  const { stack, emulator } = box;
  await stack.up();
  const labels = emulator.world.volumes.all().map(({ label }) => label);
  expect(labels).toContain("data");
  expect(labels).toContainEqual(expect.stringMatching(/^unnamed-[0-9a-f]{7}$/));

  await box.rewrite(volumes("eu-central"));
  const told = await stack.preview();
  expect(told.ops).toEqual({ "Volume named": "replace", "Volume unnamed": "replace" });
  expect(told.steps.find(({ op }) => op === "replace")?.replaceKeys).toEqual(["region"]);
  const moved = await stack.up();
  expect(opsOf(moved, "named")).toEqual(["delete-replaced", "replace", "create-replacement"]);
  expect(opsOf(moved, "unnamed")).toEqual(["create-replacement", "replace", "delete-replaced"]);
  expect(emulator.world.volumes.all().map(({ region }) => region)).toEqual(["eu-central", "eu-central"]);
  const ends = emulator.world.events.table.all().map(({ action, entity }) => `${action} ${entity?.label}`);
  expect(ends.indexOf("volume_delete data")).toBeLessThan(ends.lastIndexOf("volume_create data"));
});

/** The result of a read includes inputs, so that a refresh shows exactly the properties that have drifted. */
test("reports objects that were deleted or changed outside Pulumi, then creates and corrects them", async () => {
  const program = `
    new cloudinfra.Volume("gone", { label: "gone", region: "us-east" });
    new cloudinfra.Volume("changed", { label: "changed", region: "us-east", tags: ["mine"] });`;
  await using box = await sandbox(program);
  const { stack, emulator } = box;
  const { volumes } = emulator.world;
  const ids = idsOf(await stack.up());
  volumes.remove(Number(ids["Volume gone"]));
  volumes.patch(Number(ids["Volume changed"]), { label: "by-hand" });

  const drift = await stack.refresh(["--preview-only", "--diff", "--expect-no-changes"], { mayFail: true });
  expect(drift.code).toBe(7);
  expect(drift.ops).toEqual({ "Volume gone": "delete", "Volume changed": "update" });
  const properties = drift.stdout.match(/^ *~ \w+ *: .*$/gm)?.map((line) => line.trim().replace(/ +/g, " "));
  expect(properties).toEqual(['~ label: "changed" => "by-hand"']);
  const told = await stack.preview(["--refresh", "--diff"]);
  expect(told.changes).toMatchObject({ create: 1, update: 1 });
  expect(told.stdout).toMatch(/~ label *: "by-hand" => "changed"/);

  expect((await stack.refresh()).ops).toEqual(drift.ops);
  emulator.requests.clear();
  expect((await stack.up()).ops).toEqual({ "Volume gone": "create", "Volume changed": "update" });
  expect(mutations(emulator).sort()).toEqual(["volumes.create", "volumes.update"]);
  expect(
    volumes
      .all()
      .map(({ label }) => label)
      .sort(),
  ).toEqual(["changed", "gone"]);
  await stack.refresh(["--expect-no-changes"]);
  await stack.preview(["--expect-no-changes"]);
});

const opsOf = ({ steps }: Run, name: string): string[] =>
  steps.filter((step) => step.name === name).map(({ op }) => op);
