import { execFileSync } from "node:child_process";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";

const root = join(__dirname, "../..");
const execute = (file: string, args: string[], PATH = process.env.PATH): string =>
  execFileSync(file, args, { cwd: root, encoding: "utf8", env: { ...process.env, PATH } });

test("make build prints the command that puts the copies of Node and Pulumi on PATH, unless they are there", () => {
  const folder = dirname(execute("tools/setup/run", ["which", "pulumi"]).trim());
  expect(execute("tools/setup/path.sh", [])).toBe("");

  const others = (process.env.PATH ?? "").split(":").filter((one) => one !== folder);
  const [, command = ""] = execute("tools/setup/path.sh", [], others.join(":")).split("\n");
  expect(command).toContain(`"${folder}:`);
  expect(execute("sh", ["-c", `${command}; command -v pulumi`], others.join(":")).trim()).toBe(join(folder, "pulumi"));
});
