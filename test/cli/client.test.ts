import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { chmod, mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Emulator, startEmulator } from "../../emulator";
import { newFolder } from "../folder";
import { main } from "./command";
import { blocksOf } from "./markdown";
import { Terminal } from "./terminal";

const root = join(__dirname, "../..");
let emulator: Emulator;
const place = newFolder();
let terminal: Terminal;

/**
 * A project with links to the package and to the package's command, as npm creates them when it installs the package.
 */
beforeAll(async () => {
  await mkdir(join(place, "node_modules/.bin"), { recursive: true });
  await mkdir(join(place, "node_modules/@types"));
  await symlink(root, join(place, "node_modules/pulumi-cloudinfra"));
  await symlink(join(root, "node_modules/@types/node"), join(place, "node_modules/@types/node"));
  await writeFile(
    join(place, "node_modules/.bin/cloudinfra"),
    `#!/bin/sh\nexec '${process.execPath}' '${main}' "$@"\n`,
  );
  await chmod(join(place, "node_modules/.bin/cloudinfra"), 0o755);
  await writeFile(join(place, "package.json"), '{ "private": true }');
  emulator = await startEmulator({ pace: "instant", token: "emulator" });
  terminal = new Terminal(place, place);
});

afterAll(async () => {
  await emulator.close();
});

const run = async (script: string): Promise<string> => {
  const { code, output } = await terminal.run(script.replaceAll("http://127.0.0.1:4108/v4", emulator.url));
  expect(code, output).toBe(0);
  return output;
};

describe("docs/client.md, every block from top to bottom", () => {
  const blocks = blocksOf(readFileSync(join(root, "docs/client.md"), "utf8"));

  beforeAll(async () => {
    for (const { file, text } of blocks) if (file) await writeFile(join(place, file), text);
    const server = { region: "us-east", type: "g6-nanode-1", image: "compute/debian11", root_pass: "Correct-Horse-42" };
    await writeFile(join(place, "server.yaml"), JSON.stringify(server));
  });

  /** The expected output of each command in docs/client.md. */
  const shown: Record<string, RegExp[]> = {
    "node tour.mts": [
      /^data is on web$/m,
      /^400 \[ \{ (reason: 'Label must be unique', field: 'label'|field: 'label', reason: 'Label must be unique') \} \]$/m,
    ],
    "node watch.mts": [
      /^> instances\.list GET http:\S+\/v4\/compute\/instances 1 undefined$/m,
      /^< instances\.shutdown 200 [\d.]+ ms$/m,
      /root_pass: '\[secret\]'/,
      /^CloudInfra \{ url: 'http:/m,
    ],
    "volumes create --help": [/^Areas$/m, /^Operations of volumes\.$/m, /^ {2}--size <number> /m],
    "filter label=data --json": [/"label": "data"/, /"prod",\s+"blue"/],
    "instances create --label database": [/"label": "database"/],
  };

  test.each(blocks.filter(({ file }) => !file))("line $line", async ({ text }) => {
    const output = await run(text);
    for (const [part, patterns] of Object.entries(shown))
      if (text.includes(part)) for (const pattern of patterns) expect(output).toMatch(pattern);
    expect(output).not.toMatch(/Correct-Horse|Battery-Staple/);
  });

  test("each expected output belongs to one block", () => {
    for (const part of Object.keys(shown))
      expect(
        blocks.filter(({ text }) => text.includes(part)),
        part,
      ).toHaveLength(1);
  });

  test("the programs compile with strict settings, without the contract and its schemas", async () => {
    const options = {
      module: "nodenext",
      strict: true,
      noEmit: true,
      target: "es2022",
      lib: ["es2023", "esnext.disposable"],
    };
    const strict = { exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, types: ["node"] };
    const files = blocks.flatMap(({ file }) => file ?? []);
    await writeFile(
      join(place, "tsconfig.json"),
      JSON.stringify({ compilerOptions: { ...options, ...strict }, files }),
    );
    const tsc = join(root, "node_modules/typescript/bin/tsc");
    const { stdout } = await promisify(execFile)(process.execPath, [tsc, "-p", place, "--listFiles"]).catch(
      (error) => error,
    );
    expect(stdout).not.toContain("error TS");
    const read = stdout.split("\n").filter((file: string) => file.startsWith(root) && !file.includes("node_modules"));
    const known = ["cloud-infra", "errors", "generated/areas", "generated/records", "options", "public"];
    expect(read.sort()).toEqual(known.map((name) => join(root, `dist/provider/client/${name}.d.ts`)));
    expect(stdout).not.toMatch(/node_modules\/(zod|undici)\//);
  });
});

test.each([
  ["cjs", 'const { CloudInfra, ApiError } = require("pulumi-cloudinfra/client");'],
  ["mjs", 'import { CloudInfra, ApiError } from "pulumi-cloudinfra/client";'],
])("a .%s file can import the client, and its process ends by itself", async (type, line) => {
  const program = `${line}
    const cloud = new CloudInfra();
    cloud.volumes.view({ volumeId: 1 }).catch((error) => console.log(error instanceof ApiError, error.status));`;
  await writeFile(join(place, `program.${type}`), program);
  expect(await run(`CLOUDINFRA_URL=${emulator.url} CLOUDINFRA_TOKEN=emulator node program.${type}`)).toBe("true 404\n");
});
