import { expect, test } from "vitest";
import type { Run } from "../../testing/engine";
import { nightly } from "../nightly";
import { sandbox } from "./sandbox";

/**
 * Pulumi does not wait until `configure` of a dynamic provider has finished before it calls other methods, such as
 * `read`. They need the token that `configure` receives.
 */
nightly(
  "a refresh of many resources at once sends the token with each request, even if the first response is slow",
  async () => {
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
    const responses = emulator.requests.list().map(({ username, status }) => `${username} ${status}`);
    expect(responses.length).toBeGreaterThan(1);
    expect(new Set(responses)).toEqual(new Set(["emulator 200"]));
  },
);

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
  const messages = await stack.preview();
  expect(messages.ops).toEqual({ "Volume named": "replace", "Volume unnamed": "replace" });
  expect(messages.steps.find(({ op }) => op === "replace")?.replaceKeys).toEqual(["region"]);
  const moved = await stack.up();
  expect(opsOf(moved, "named")).toEqual(["delete-replaced", "replace", "create-replacement"]);
  expect(opsOf(moved, "unnamed")).toEqual(["create-replacement", "replace", "delete-replaced"]);
  expect(emulator.world.volumes.all().map(({ region }) => region)).toEqual(["eu-central", "eu-central"]);
  const ends = emulator.world.events.table.all().map(({ action, entity }) => `${action} ${entity?.label}`);
  expect(ends.indexOf("volume_delete data")).toBeLessThan(ends.lastIndexOf("volume_create data"));
});

const opsOf = ({ steps }: Run, name: string): string[] =>
  steps.filter((step) => step.name === name).map(({ op }) => op);
