import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const json = (file: string): object => JSON.parse(readFileSync(join(__dirname, "../..", file), "utf8"));

test("Pulumi binds schema.json without an error or a warning", async () => {
  const folder = await mkdtemp(join(tmpdir(), "schema-"));
  const file = join(folder, "schema.json");
  // The plugin adds the version when Pulumi requests the schema.
  const { version } = json("package.json") as { version: string };
  await writeFile(file, JSON.stringify({ ...json("schema.json"), version }));
  const checked = promisify(execFile)(process.env.PULUMI_CLI ?? "pulumi", ["schema", "check", file]);
  expect(await checked).toEqual({ stdout: "", stderr: "" });
  await rm(folder, { recursive: true });
});
