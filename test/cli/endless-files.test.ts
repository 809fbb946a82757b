import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { newFolder } from "../folder";
import { run } from "./command";

const folder = newFolder();
const at = (...names: string[]): string => join(folder, ...names);
const endless = "/dev/zero";

/** A folder in which one file never ends. */
function folderWith(name: string, file: string, others: Record<string, string> = {}): string {
  mkdirSync(at(name));
  symlinkSync(endless, at(name, file));
  for (const [other, text] of Object.entries(others)) writeFileSync(at(name, other), text);
  return at(name);
}

const env = {
  PATH: process.env.PATH,
  CLOUDINFRA_URL: "http://127.0.0.1:1/v4",
  CLOUDINFRA_TOKEN: "planted",
  PULUMI_CLI: at("pulumi"),
};
const project = "name: shop\nruntime: nodejs\n";

beforeAll(() => {
  writeFileSync(
    at("pulumi"),
    `#!/bin/sh\ncase "$1" in\nwhoami) echo '{"url":"file://~"}' ;;\n*) echo "{}" ;;\nesac\n`,
    { mode: 0o755 },
  );
  writeFileSync(at("state.json"), '{"version":3,"deployment":{}}');
  writeFileSync(at("Pulumi.yaml"), project);
});

/** Each file that a command reads, with the end of the message. */
test.each<[string, () => string[], string]>([
  ["drift --state", () => ["drift", "--state", endless, "--project", folder], "/dev/zero must be at most 256 MiB"],
  [
    "drift --baseline",
    () => ["drift", "--state", at("state.json"), "--baseline", endless, "--project", folder],
    "/dev/zero must be at most 256 MiB",
  ],
  [
    "the allow-list",
    () => ["drift", "--state", at("state.json"), "--project", folderWith("allow", "cloudinfra.drift.yaml")],
    "/allow/cloudinfra.drift.yaml must be at most 10 MiB",
  ],
  ["adopt --file", () => ["adopt", "--file", endless, "--project", folder], "--file /dev/zero: must be at most 10 MiB"],
  [
    "import --state",
    () => ["import", "--state", endless, "--out", at("new"), "--into", "dev"],
    "/dev/zero must be at most 256 MiB",
  ],
  [
    "a file of an imported project",
    () => ["import", "--out", folderWith("imported", "compute.ts", { "Pulumi.yaml": project }), "--into", "dev"],
    "/imported/compute.ts must be at most 10 MiB",
  ],
  [
    "api --file",
    () => ["api", "volumes", "create", "--file", endless],
    "--file /dev/zero: must be at most 4194304 bytes long",
  ],
  [
    "emulator --load",
    () => ["emulator", "--port", "0", "--load", endless],
    "--load /dev/zero: must be at most 256 MiB. Save a snapshot with GET /_emulator/state",
  ],
])("%s: an endless file is rejected", async (_, args, message) => {
  const { code, stdout, stderr } = await run(args(), { env });
  expect(stdout).toBe("");
  expect(stderr).toContain(message);
  expect(code).not.toBe(0);
});

test("a list of objects whose aliases expand to too many values is rejected with the place", async () => {
  const names = Array.from({ length: 9 }, (_, i) => `  k${i}: &k${i} [${`*k${i - 1},`.repeat(i ? 9 : 0)}x]`).join("\n");
  writeFileSync(at("bomb.yaml"), `- kind: Volume\n  name: a\n  id: 1\n-\n${names}\n  more: *k8\n`);
  const { code, stderr } = await run(["adopt", "--file", at("bomb.yaml"), "--project", folder], { env });
  expect(stderr).toContain("line 5: its aliases expand to too many values");
  expect(code).toBe(2);
});
