import { mkdtempSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { expect, test, vi } from "vitest";
import { commandOf, programAt } from "../../../cli/doctor/programs";
import { pulumiCli } from "../../../cli/doctor/tools";
import { newFolder } from "../../folder";

const root = newFolder();

/** A folder of PATH with programs, and the path of a file in it. */
function programs(...names: readonly string[]) {
  const folder = mkdtempSync(join(root, "bin-"));
  const at = (name: string): string => join(folder, name);
  for (const name of names) writeFileSync(at(name), "", { mode: 0o755 });
  vi.stubEnv("PATH", [root, folder].join(delimiter));
  return at;
}

test.each([
  ["node", ["node", "node.exe"], "node.exe"],
  ["pulumi", ["pulumi.cmd", "pulumi.exe"], "pulumi.exe"],
  [
    "pulumi-resource-cloudinfra",
    ["pulumi-resource-cloudinfra", "pulumi-resource-cloudinfra.cmd"],
    "pulumi-resource-cloudinfra.cmd",
  ],
  ["pulumi.exe", ["pulumi.exe"], "pulumi.exe"],
  ["pulumi-3.2", ["pulumi-3.2.exe"], "pulumi-3.2.exe"],
])("on Windows, the program %s is found with an ending, by name and by path", (name, files, expected) => {
  vi.stubEnv("PATHEXT", "");
  const at = programs(...files);
  expect(programAt(name, { platform: "win32" })).toBe(at(expected));
  expect(programAt(at(name), { platform: "win32" })).toBe(at(expected));
});

test("on Windows, a program has an ending of PATHEXT", () => {
  vi.stubEnv("PATHEXT", ".CMD;.EXE");
  const at = programs("node", "pulumi.cmd", "pulumi.exe", "npm.bat");
  expect(programAt("pulumi", { platform: "win32" })).toBe(at("pulumi.cmd"));
  for (const name of ["node", "npm", "npm.bat"]) expect(programAt(name, { platform: "win32" })).toBeUndefined();
});

test("on Windows, the Pulumi CLI is not a script, because the commands start it without a shell", () => {
  vi.stubEnv("PATHEXT", "");
  vi.stubEnv("PULUMI_CLI", "");
  const script = programs("pulumi.cmd");
  expect(pulumiCli("win32")).toBeUndefined();
  vi.stubEnv("PULUMI_CLI", script("pulumi.cmd"));
  expect(pulumiCli("win32")).toBeUndefined();
  const at = programs("pulumi.cmd", "pulumi.exe");
  for (const name of ["", at("pulumi"), at("pulumi.exe")]) {
    vi.stubEnv("PULUMI_CLI", name);
    expect(pulumiCli("win32")).toBe(at("pulumi.exe"));
  }
});

test("elsewhere, a program has only its own name", () => {
  vi.stubEnv("PATHEXT", ".EXE");
  const at = programs("node", "pulumi.exe");
  expect(programAt("node", { platform: "linux" })).toBe(at("node"));
  expect(programAt("pulumi", { platform: "linux" })).toBeUndefined();
});

test("only a script of Windows runs in the shell", () => {
  const script = "C:\\Program Files\\Pulumi\\plugin.CMD";
  expect(commandOf(script, "--version", "win32")).toEqual({ file: `"${script}" --version`, args: [], shell: true });
  for (const [program, platform] of [
    ["C:\\Program Files\\nodejs\\node.exe", "win32"],
    ["/opt/plugin.cmd", "linux"],
  ] as const)
    expect(commandOf(program, "--version", platform)).toEqual({ file: program, args: ["--version"], shell: false });
});
