import { expect, test } from "vitest";
import { sandbox } from "./sandbox";

const program = `
const { Config } = require("@pulumi/pulumi");
const label = new Config().requireSecret("label");
const volume = new cloudinfra.Volume("data", { label, region: "us-east" });
const open = new cloudinfra.Volume("open", { label: label.apply(() => "open-data").apply((text) => text), region: "us-east" });
const plain = new cloudinfra.Volume("plain", { label: "plain-data", region: "us-east" });
exports.path = volume.filesystemPath;
exports.plain = plain.filesystemPath;
`;

test("outputs that contain a secret label are secret, and those with a plain label are not", async () => {
  await using box = await sandbox(program, { config: { label: { secret: "planted-label" } } });
  const { stack } = box;
  const up = await stack.up();
  expect(up.outputs.path).toBe("[secret]");
  expect(up.outputs.plain).toMatch(/plain-data$/);
  await stack.refresh();
  await stack.up(["--expect-no-changes"]);
  const state = JSON.stringify(await stack.export());
  expect(state).toContain("plain-data");
  expect(state).not.toContain("planted-label");
  await stack.destroy();
});
