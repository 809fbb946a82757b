import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const root = join(__dirname, "../..");

test("the commands of Pulumi for packages find the provider in the package's folder", async () => {
  const args = ["package", "get-schema", root];
  const { stdout } = await promisify(execFile)(process.env.PULUMI_CLI ?? "pulumi", args, { maxBuffer: 2 ** 26 });
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };
  expect(JSON.parse(stdout)).toMatchObject({ name: "cloudinfra", version });
});

test("Pulumi binds schema.json without an error or a warning", async () => {
  const checked = promisify(execFile)(process.env.PULUMI_CLI ?? "pulumi", [
    "schema",
    "check",
    join(root, "schema.json"),
  ]);
  expect(await checked).toEqual({ stdout: "", stderr: "" });
});
