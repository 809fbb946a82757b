import { expect, test } from "vitest";
import { startEmulator } from "../../emulator";
import { addToken } from "../../emulator/core/users";
import { nightly } from "../nightly";
import { sandbox } from "./sandbox";

nightly("a program can use two providers with different accounts; changing URL or token replaces nothing", async () => {
  await using box = await sandbox("", {
    native: true,
    config: { "cloudinfra:url": undefined, "cloudinfra:token": undefined },
  });
  await using other = await startEmulator({ pace: "instant", token: "first" });
  addToken(other.world, "second");
  const { stack, emulator } = box;
  const program = (url: string, token: string) => `
    const provider = (name, url, token) => new cloudinfra.Provider(name, { url, token, defaultTags: [name] });
    const one = provider("one", ${JSON.stringify(url)}, "emulator");
    const two = provider("two", ${JSON.stringify(other.url)}, ${JSON.stringify(token)});
    new cloudinfra.Volume("data", { label: "data", region: "us-east" }, { provider: one });
    const logs = new cloudinfra.Volume("logs", { label: "logs", region: "us-east" }, { provider: two });
    exports.found = cloudinfra.getVolumeOutput({ volumeId: logs.id }, { provider: two }).label;
    exports.listed = cloudinfra.listVolumes({}, { provider: one }).then(({ volumes }) => volumes.length);`;
  await box.rewrite(program(emulator.url, "first"));
  await stack.up();
  expect(emulator.world.volumes.all()).toMatchObject([{ label: "data", tags: ["one"] }]);
  expect(other.world.volumes.all()).toMatchObject([{ label: "logs", tags: ["two"] }]);
  await box.rewrite(program(emulator.url.replace("127.0.0.1", "localhost"), "second"));
  const moved = await stack.up();
  expect(moved.ops).toEqual({ "cloudinfra one": "update", "cloudinfra two": "update" });
  expect(moved.outputs).toEqual({ found: "logs", listed: 1 });
  await stack.destroy();
  expect([...emulator.world.volumes.all(), ...other.world.volumes.all()]).toEqual([]);
});

test("reports a missing or invalid URL or token in one sentence, and lists a warning under its resource", async () => {
  await using box = await sandbox(
    `new cloudinfra.Domain("zone", { domain: "shop.example.org", type: "master", soaEmail: "a@example.org", ttlSec: 299 });`,
    { native: true, config: { "cloudinfra:token": undefined } },
  );
  const { stack, emulator } = box;
  const missing = await stack.preview([], { mayFail: true });
  expect(missing.stdout).toContain('cloudinfra:token is not set: run "pulumi config set --secret cloudinfra:token"');
  await stack.configure({ "cloudinfra:token": { secret: "mistyped" }, "cloudinfra:url": "htp:/127.0.0.1" });
  const misdirected = await stack.preview([], { mayFail: true });
  expect(misdirected.diagnostics.filter(({ severity }) => severity === "error")).toMatchObject([
    { message: expect.stringContaining("url") },
  ]);
  await stack.configure({ "cloudinfra:url": emulator.url });
  const rejected = await stack.preview([], { mayFail: true });
  const errors = rejected.diagnostics.filter(({ message }) => message.includes("cloudinfra:token is not valid"));
  expect(errors).toHaveLength(1);
  expect(rejected.stdout).not.toContain("mistyped");
  await stack.configure({ "cloudinfra:token": { secret: "emulator" } });
  const { diagnostics } = await stack.preview();
  expect(diagnostics.filter(({ severity }) => severity === "warning")).toMatchObject([
    { urn: expect.stringMatching(/::zone$/), message: expect.stringContaining("ttlSec 299 will be rounded to 300") },
  ]);
});
