import { execFile } from "node:child_process";
import { chmod, mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, expect, test } from "vitest";
import { newFolder } from "../folder";
import { main } from "./command";
import { runHere } from "./in-process";

const place = newFolder();

beforeAll(async () => {
  await writeFile(join(place, "cloudinfra"), `#!/bin/sh\nexec '${process.execPath}' '${main}' "$@"\n`);
  await chmod(join(place, "cloudinfra"), 0o755);
  await writeFile(join(place, "volume.json"), "{}");
});

/**
 * The completions that bash offers for each of several command lines, in the same shell. The last word of a line is
 * incomplete.
 */
async function offeredFor(...lines: (readonly string[])[]): Promise<string[][]> {
  const attempts = lines.map((words) => {
    const quoted = words.map((word) => `'${word}'`).join(" ");
    return `COMPREPLY=(); COMP_WORDS=(${quoted}); COMP_CWORD=${words.length - 1}
complete -p ${words[0]} >/dev/null && _cloudinfra
printf '%s\\n' "\${COMPREPLY[@]}" "${END}"`;
  });
  const script = `compopt() { :; }\nsource <(cloudinfra completion bash)\n${attempts.join("\n")}`;
  const env = { ...process.env, PATH: `${place}:${process.env.PATH}` };
  const { stdout } = await promisify(execFile)("bash", ["--norc", "-c", script], { env, cwd: place });
  const outputs = stdout.split(`${END}\n`).slice(0, -1);
  return outputs.map((output) => output.split("\n").filter(Boolean));
}

/** A line after the completions of each command line. */
const END = "-- end --";

const expected: [words: string[], offered: string[]][] = [
  [["comp"], ["completion"]],
  [
    ["completion", ""],
    ["bash", "zsh", "fish"],
  ],
  [["api", "volu"], ["volumes"]],
  [
    ["api", "volumes", "de"],
    ["delete", "detach"],
  ],
  [["api", "volumes", "attach", "--p"], ["--persist-across-boots"]],
  [["api", "volumes", "attach", "--no-"], ["--no-persist-across-boots"]],
  [["api", "volumes", "create", "--label", "x", "--la"], []],
  [["api", "volumes", "create", "--tags", "x", "--ta"], ["--tags"]],
  [
    ["api", "domain-records", "create", "--type", "A"],
    ["A", "AAAA"],
  ],
  [
    ["api", "volumes", "list", "--filter", ""],
    ["label=", "tags="],
  ],
  [["api", "volumes", "list", "--order-by", "l"], ["label"]],
  [["api", "volumes", "create", "--file", "vol"], ["volume.json"]],
  [["api", "instances", "update", "--alerts.c"], ["--alerts.cpu"]],
  [["emulator", "--po"], ["--port"]],
  [
    ["emulator", "--lo"],
    ["--log", "--load"],
  ],
  [["adopt", "VolumeA"], ["VolumeAttachment"]],
  [["adopt", "InstanceAction"], []],
  [["adopt", "--dry"], ["--dry-run"]],
  [["api", "nothing", "x"], []],
];

test("bash offers completions of areas, operations, flags, values, files and kinds", async () => {
  const all = await offeredFor(...expected.map(([words]) => ["cloudinfra", ...words]));
  expect(expected.map(([words], at) => [words, all[at]])).toEqual(expected);
});

test("bash completes npx cloudinfra with the command of the project, and no other command of npx", async () => {
  const bin = join(place, "node_modules/.bin");
  await mkdir(bin, { recursive: true });
  await symlink(join(place, "cloudinfra"), join(bin, "cloudinfra"));
  expect(
    await offeredFor(
      ["npx", "cloudinfra", "api", "volu"],
      ["npx", "cloudinfra", "comp"],
      ["npx", "cloud"],
      ["npx", "vitest", "comp"],
    ),
  ).toEqual([["volumes"], ["completion"], [], []]);
});

test.each([
  ["zsh", "compdef _cloudinfra npx"],
  ["fish", "complete -c npx -n __cloudinfra_by_npx"],
])("the script for %s completes npx cloudinfra too", async (shell, line) => {
  expect((await runHere(["completion", shell])).stdout).toContain(line);
});

test("each candidate has a description", async () => {
  const { stdout } = await runHere(["__complete", "--", "api", "volumes", "att"]);
  expect(stdout).toBe("attach\tAttach a volume to an instance in the same region.\n");
});

test.each(["bash", "zsh", "fish"])("prints a completion script for %s", async (shell) => {
  const { code, stdout } = await runHere(["completion", shell]);
  expect(code).toBe(0);
  expect(stdout).toContain("__complete --");
});

test("an unknown shell is a usage error that names the shell", async () => {
  expect(await runHere(["completion", "bosh"])).toMatchObject({
    code: 2,
    stderr: 'cloudinfra: completion is not available for "bosh"; did you mean "bash"?\n',
  });
});
