import { spawn } from "node:child_process";
import { chmod, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type Emulator, startEmulator } from "../../emulator";
import { connect } from "../../provider/client";
import { newFolder } from "../folder";
import { finished, inherited, main } from "./command";
import { runHere } from "./in-process";

/** A fake Pulumi CLI that stores the state in a file and can fail on demand. */
const standIn = `#!${process.execPath}
const { appendFileSync, readFileSync, writeFileSync } = require("node:fs");
const [command, what] = process.argv.slice(2);
const state = process.env.STATE;
appendFileSync(state + ".calls", command + " " + what + "\\n");
if (process.env.FAILS === what) {
  console.error(process.env.MESSAGE ?? "error: no stack named 'dev' found");
  process.exit(255);
}
if (what === "export") process.stdout.write(readFileSync(state));
if (what === "export" && process.env.RACES) writeFileSync(state, readFileSync(state, "utf8").replace('"version":3', '"version":4'));
if (what === "import") writeFileSync(state, readFileSync(0));
if (what === "--show-name") console.log("dev");
if (command === "config") process.stdout.write(process.env.CONFIG);
`;

const urn = (kind: string, name: string) => `urn:pulumi:dev::shop::pulumi-nodejs:dynamic/cloudinfra:${kind}::${name}`;
const held = {
  version: 3,
  deployment: {
    resources: [
      { urn: "urn:pulumi:dev::shop::pulumi:pulumi:Stack::shop-dev", type: "pulumi:pulumi:Stack", custom: false },
      { urn: urn("Volume", "held"), type: "pulumi-nodejs:dynamic/cloudinfra:Volume", custom: true, id: "640144" },
    ],
  },
};

const place = newFolder();
let emulator: Emulator;
let env: Record<string, string>;
const state = () => readFile(join(place, "state.json"), "utf8");

beforeAll(async () => {
  await writeFile(join(place, "pulumi"), standIn);
  await chmod(join(place, "pulumi"), 0o755);
  await writeFile(join(place, "Pulumi.yaml"), "name: shop\n");
  emulator = await startEmulator({ pace: "instant", seed: 1 });
  const { api } = connect(emulator);
  for (const label of ["held", "free"]) await api.volumes.create({ body: { label, region: "us-east" } });
  const config = { "cloudinfra:url": { value: emulator.url, secret: false } };
  env = {
    PULUMI_CLI: join(place, "pulumi"),
    STATE: join(place, "state.json"),
    CONFIG: JSON.stringify(config),
    CLOUDINFRA_TOKEN: emulator.token,
  };
});

beforeEach(() => writeFile(join(place, "state.json"), JSON.stringify(held)));

afterAll(async () => {
  await emulator.close();
});

const adopt = (words: readonly string[], more: Record<string, string> = {}, input = "") =>
  runHere(["adopt", ...words], { env: { ...env, ...more }, cwd: place, input });

const forms = "adopt takes KIND NAME ID, such as Volume data 640144, or --file";

test.each([
  [[], forms],
  [["Volume", "data"], forms],
  [["Volume", "data", "1", "2"], forms],
  [["Volume", "data", "1", "--file", "x"], "KIND, NAME and ID cannot be combined with --file, which lists the objects"],
  [["Volum", "data", "1"], 'there is no kind "Volum"; did you mean "Volume"?'],
  [["toString", "data", "1"], 'there is no kind "toString"; expected one of AccountContact,'],
  [["Volume", "data", "x"], 'Volume: "x" is not a valid id; it must look like volumeId, such as 12'],
  [["Volume", "data", "1e3"], 'Volume: "1e3" is not a valid id;'],
  [
    ["DomainRecord", "www", "5"],
    'DomainRecord: "5" is not a valid id; it must look like domainId/recordId, such as 12/345',
  ],
  [
    ["ObjectStorageBucket", "b", "photos"],
    'ObjectStorageBucket: "photos" is not a valid id; it must look like clusterId/bucket',
  ],
  [["InstanceAction", "a", "5"], "InstanceAction is an action, which does not create an object to adopt"],
  [["Volume", "a::b", "5"], '"a::b" is not a valid name'],
  [["Volume", "data", "1", "--project", "/nowhere"], "--project /nowhere: the folder does not exist"],
  [["Volume", "data", "1", "--project", "Pulumi.yaml"], "--project Pulumi.yaml: is not a folder"],
  [["--file", "/nowhere"], "--file /nowhere: cannot be read (ENOENT)"],
  [["--file", "/dev/zero"], "--file /dev/zero: must be at most 10 MiB"],
  [["--file", "/dev/null"], "--file /dev/null: must list at least one object"],
])("adopt %j is a usage error", async (words, message) => {
  const { code, stdout, stderr } = await adopt(words);
  expect(stderr).toContain(`cloudinfra: ${message}`);
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
});

const listed = (...lines: string[]): string => `${lines.join("\n")}\n`;

test.each([
  [
    "lines",
    listed(
      "kind,name,id",
      "# a comment",
      "Volume, data",
      "",
      "Volum, data, 1",
      'Volume\t"two words", 12',
      "Volume a 12",
      "Domain a 12",
      "Domain a 13",
    ),
    [
      'line 3: must be kind, name and id, such as "Volume, data, 640144"',
      'line 5: there is no kind "Volum"; did you mean "Volume"?',
      "line 7: Volume 12 is already on line 6",
      'line 9: the name "a" is already on line 8',
    ],
  ],
  [
    "YAML",
    listed(
      "# a list",
      "- kind: Volume",
      "  name: data",
      "  id: x",
      "- Volume",
      "- { kind: Volume, name: a }",
      "- { kind: Tag, name: a, id: b, stack: c }",
    ),
    [
      'line 2: Volume: "x" is not a valid id; it must look like volumeId, such as 12',
      "line 5: must be an object with kind, name and id",
      "line 6: id is required and must be a string",
      'line 7: "stack" is not a known field; expected kind, name and id',
    ],
  ],
  [
    "JSON",
    listed("[", '  { "kind": "Volume", "name": "a", "id": 1 },', '  { "kind": "Volume", '),
    ["line 4: is neither JSON nor YAML"],
  ],
  [
    "an object",
    "{}",
    ["line 1: must begin a list: the file must contain a JSON or YAML list of objects with kind, name and id"],
  ],
])("a broken list is reported line by line: %s", async (_, text, problems) => {
  const { code, stdout, stderr } = await adopt(["--file", "-"], {}, text);
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  const many = problems.length === 1 ? "one line" : `${problems.length} lines`;
  const [first, ...rest] = stderr.trimEnd().split("\n");
  expect(first).toBe(`cloudinfra: --file -: nothing was adopted, because ${many} cannot be adopted:`);
  expect(rest).toEqual(
    problems.map((problem) => expect.stringMatching(new RegExp(`^  ${problem.replace(/[.?*()[\]{}]/g, "\\$&")}`))),
  );
});

test.each(["- { kind: Tag, name: 1.10, id: 1.10 }", "- { kind: Tag, name: &version 1.10, id: *version }"])(
  "a YAML list reads numbers as they are written: %s",
  async (line) => {
    const { stderr } = await adopt(["--file", "-"], {}, listed(line));
    expect(stderr).toBe(
      listed(
        "cloudinfra: --file -: nothing was adopted, because one line cannot be adopted:",
        '  line 1: Tag "1.10" (1.10): does not exist',
      ),
    );
  },
);

test("reports all objects that do not exist or are already in the stack and all names in use, and changes nothing", async () => {
  const text = listed("Volume held 640145", "Volume other 640144", "Volume held2 640145", "Volume missing 77");
  const rejected = await adopt(["--file", "-"], {}, text.replace("Volume held 640145\n", "Volume held 640146\n"));
  expect(rejected).toMatchObject({ code: 1, stdout: "" });
  expect(rejected.stderr).toBe(
    listed(
      "cloudinfra: --file -: nothing was adopted, because 2 lines cannot be adopted:",
      '  line 1: Volume "held" (640146): the stack already has a Volume "held", with id 640144; choose another name',
      '  line 2: Volume "other" (640144): the stack already manages this object as "held"',
    ),
  );
  const unread = await adopt(["--file", "-"], {}, listed("Volume held2 640145", "Volume missing 77"));
  expect(unread.stderr).toBe(
    listed(
      "cloudinfra: --file -: nothing was adopted, because one line cannot be adopted:",
      '  line 2: Volume "missing" (77): does not exist',
    ),
  );
  expect(await adopt(["Volume", "held", "640144"])).toMatchObject({
    code: 1,
    stderr: 'cloudinfra: Volume "held" (640144): the stack already manages this object under this name\n',
  });
  expect(JSON.parse(await state())).toEqual(held);
});

test("only the objects of the stack's own account are taken: those of a provider with another account can have the same ids", async () => {
  const { euuid: id } = await connect(emulator).api.account.view({});
  const providers = {
    default: {
      urn: "urn:pulumi:dev::shop::pulumi:providers:pulumi-nodejs::default",
      type: "pulumi:providers:pulumi-nodejs",
    },
    other: { urn: "urn:pulumi:dev::shop::pulumi:providers:cloudinfra::other", type: "pulumi:providers:cloudinfra" },
  };
  const inputs = (euuid: unknown) => ({ __account: `${euuid} ${emulator.url}` });
  const stackWith = (euuid: unknown): string => {
    const [root, own] = held.deployment.resources;
    const type = "cloudinfra:index:Volume";
    const resources = [
      root,
      { ...providers.default, custom: true, id: "1", inputs: {} },
      { ...own, inputs: inputs(id), provider: `${providers.default.urn}::1` },
      { ...providers.other, custom: true, id: "2", inputs: inputs(euuid) },
      {
        urn: `urn:pulumi:dev::shop::${type}::theirs`,
        type,
        custom: true,
        id: "640145",
        provider: `${providers.other.urn}::2`,
      },
    ];
    return JSON.stringify({ version: 3, deployment: { resources } });
  };
  await writeFile(join(place, "state.json"), stackWith(id));
  expect(await adopt(["Volume", "free", "640145"])).toMatchObject({
    code: 1,
    stderr:
      'cloudinfra: Volume "free" (640145): the stack already manages this object as "theirs", a resource of the native plugin\n',
  });
  await writeFile(join(place, "state.json"), stackWith("another-account"));
  expect(await adopt(["Volume", "theirs", "640145"])).toMatchObject({
    code: 1,
    stderr:
      'cloudinfra: Volume "theirs" (640145): the stack already has a Volume "theirs", with id 640145; choose another name\n',
  });
  expect(await adopt(["Volume", "held2", "640144"])).toMatchObject({
    code: 1,
    stderr: 'cloudinfra: Volume "held2" (640144): the stack already manages this object as "held"\n',
  });
  const { code, stderr } = await adopt(["Volume", "free", "640145", "--backup", "accounts.json"]);
  expect(stderr).toContain('adopted Volume "free" (640145)\n');
  expect(code).toBe(0);
});

test("nothing is adopted into a stack whose resources are native", async () => {
  const native = JSON.stringify(held).replaceAll("pulumi-nodejs:dynamic/cloudinfra:", "cloudinfra:index:");
  await writeFile(join(place, "state.json"), native);
  expect(await adopt(["Volume", "free", "640145"])).toEqual({
    code: 1,
    stdout: "",
    stderr:
      "cloudinfra: nothing was adopted, because adopt adds dynamic resources, and this stack has resources of the native plugin: " +
      'run "pulumi import cloudinfra:index:KIND NAME ID", and add --dry-run here to print the program; ' +
      'or first run "cloudinfra migrate --to dynamic"\n',
  });
  expect(await state()).toBe(native);
});

test("a rejected token is an error of its own, which names the setting and not the token", async () => {
  const words = ["Volume", "free", "640145"];
  expect(await adopt(words, { CLOUDINFRA_TOKEN: "planted-token" })).toEqual({
    code: 4,
    stdout: "",
    stderr:
      "cloudinfra: the API rejected the token (401 in volumes.view). Set CLOUDINFRA_TOKEN to a valid token; read-only access is enough\n",
  });
  const config = JSON.stringify({
    "cloudinfra:url": { value: emulator.url, secret: false },
    "cloudinfra:token": { value: "planted-token", secret: true },
  });
  expect(await adopt(words, { CONFIG: config })).toMatchObject({
    code: 4,
    stderr: expect.stringContaining("(401 in volumes.view). Set cloudinfra:token to a valid token;"),
  });
  expect(JSON.parse(await state())).toEqual(held);
});

test("a service that cannot be reached is an error of its own", async () => {
  const config = JSON.stringify({ "cloudinfra:url": { value: "http://127.0.0.1:9/v4", secret: false } });
  const ran = await adopt(["Volume", "free", "640145", "--timeout", "20s"], { CONFIG: config });
  expect(ran).toMatchObject({
    code: 5,
    stdout: "",
    stderr: expect.stringMatching(/^cloudinfra: nothing was adopted: /),
  });
  expect(JSON.parse(await state())).toEqual(held);
});

test("an error of the service names the object", async () => {
  emulator.faults.add({ path: "volumes.view", kind: "status", status: 418 });
  const { code, stderr } = await adopt(["Volume", "free", "640145"]);
  emulator.faults.clear();
  expect(code).toBe(1);
  expect(stderr).toMatch(/^cloudinfra: Volume "free" \(640145\): volumes\.view: 418 /);
  const config = JSON.stringify({});
  expect((await adopt(["Volume", "free", "640145"], { CONFIG: config })).stderr).toContain("cloudinfra:url is not set");
  expect(JSON.parse(await state())).toEqual(held);
});

test("a stack that changes at the same time is not modified", async () => {
  const { code, stdout, stderr } = await adopt(["Volume", "free", "640145"], { RACES: "yes" });
  expect({ code, stdout }).toEqual({ code: 1, stdout: expect.stringContaining("new Volume(") });
  expect(stderr).toBe(
    "cloudinfra: the stack was changed by another process at the same time, so nothing was adopted; run the command again. " +
      "Do not use the printed program: an update with it would create the objects again\n",
  );
  expect(JSON.parse(await state())).toEqual({ ...held, version: 4 });
});

test("without a backup nothing is changed", async () => {
  await writeFile(join(place, "there.json"), "mine");
  const { code, stdout, stderr } = await adopt(["Volume", "free", "640145", "--backup", "there.json"]);
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).toContain(
    `the backup ${join(place, "there.json")} cannot be written (EEXIST), so nothing was adopted`,
  );
  expect(await readFile(join(place, "there.json"), "utf8")).toBe("mine");
  expect(JSON.parse(await state())).toEqual(held);
});

test.each([
  ["a full disk", "> /dev/full", "ENOSPC"],
  ["a closed pipe", "| true", "EPIPE"],
])("nothing is adopted if the program cannot be printed: %s", async (_, output, reason) => {
  // The command starts after the reader of the pipe has ended.
  const command = `{ sleep 0.2; "$0" "$@"; echo "exit code $?" >&2; } ${output}`;
  const words = ["adopt", "Volume", "free", "640145", "--backup", join(place, `${reason}.json`)];
  const child = spawn("sh", ["-c", command, process.execPath, main, ...words], {
    env: { ...inherited(), ...env },
    cwd: place,
  });
  expect((await finished(child)).stderr).toBe(
    `cloudinfra: the program cannot be written to the standard output (${reason}), so nothing was adopted\nexit code 1\n`,
  );
  expect(JSON.parse(await state())).toEqual(held);
});

test("reports a Pulumi CLI that is missing or fails, with the CLI's own message", async () => {
  const missing = await adopt(["Volume", "free", "640145"], { PULUMI_CLI: "/nowhere/pulumi" });
  expect(missing).toMatchObject({ code: 1, stderr: expect.stringContaining('"/nowhere/pulumi" could not be started') });
  for (const [cli, code] of [
    ["Pulumi.yaml", "EACCES"],
    ["Pulumi.yaml/pulumi", "ENOTDIR"],
  ] as const)
    expect(await adopt(["Volume", "free", "640145"], { PULUMI_CLI: join(place, cli) })).toEqual({
      code: 1,
      stdout: "",
      stderr: `cloudinfra: "${join(place, cli)}" could not be started (${code}): run it in the same folder to see why, or name another one in PULUMI_CLI\n`,
    });
  const failed = await adopt(["Volume", "free", "640145"], { FAILS: "export" });
  expect(failed.code).toBe(1);
  expect(failed.stderr).toBe("cloudinfra: pulumi stack export failed: error: no stack named 'dev' found\n");
});

const integrity = "child resource urn:a refers to missing parent urn:b";
const repair =
  'Run "pulumi state repair", then this command again. If there is nothing to repair, please report this error';
const line = "=".repeat(80);

test.each([
  {
    what: "the advice to force an import",
    message: `error: 2 errors occurred:
    1) state file contains errors: ${integrity}
    2) importing this file could be dangerous; rerun with --force to proceed anyway`,
    shown: `error: state file contains errors: ${integrity}\n${repair}`,
  },
  {
    what: "the report of a damaged state",
    message: `error: The Pulumi CLI encountered a snapshot integrity error. This is a bug!
* Passing the \`--disable-integrity-checking\` flag.
${line}
We would appreciate a report: https://github.com/pulumi/pulumi/issues/
${line}
Pulumi Version:    v3.259.0
Error:             getting snapshot: snapshot integrity failure; ${integrity}

Stack Trace:

goroutine 1 [running]:`,
    shown: `error: the Pulumi CLI crashed: getting snapshot: snapshot integrity failure; ${integrity}\n${repair}`,
  },
  {
    what: "the report of a crash",
    message: `${line}
The Pulumi CLI encountered a fatal error. This is a bug!
${line}
Pulumi Version:   v3.259.0
Panic:            attempt to encrypt value

goroutine 1 [running]:
runtime/debug.Stack()`,
    shown: "error: the Pulumi CLI crashed: attempt to encrypt value",
  },
])("$what of the Pulumi CLI is not passed on", async ({ what, message, shown }) => {
  const backup = join(place, `${what.replaceAll(" ", "-")}.json`);
  const { code, stderr } = await adopt(["Volume", "free", "640145", "--backup", backup], {
    FAILS: "import",
    MESSAGE: message,
  });
  expect(code).toBe(1);
  expect(stderr).toBe(
    `cloudinfra: pulumi stack import failed: ${shown}\nThe previous state is saved in ${backup}; nothing was adopted. ` +
      "Do not use the printed program: an update with it would create the objects again\n",
  );
});

test("nothing is adopted into a state in which Pulumi cannot encrypt secrets", async () => {
  const config = JSON.stringify({
    ...JSON.parse(env.CONFIG ?? ""),
    "cloudinfra:token": { value: "emulator", secret: true },
  });
  const secret = { CONFIG: config };
  const words = ["Volume", "free", "640145"];
  expect(await adopt([...words, "--backup", "first.json"], secret)).toEqual({
    code: 1,
    stdout: "",
    stderr:
      'cloudinfra: the state of the stack has no "secrets_providers", without which Pulumi cannot encrypt secrets, so nothing was adopted; ' +
      'run "pulumi refresh", which adds them, and run the command again\n',
  });
  expect(JSON.parse(await state())).toEqual(held);
  const deployment = { ...held.deployment, secrets_providers: { type: "passphrase" } };
  await writeFile(join(place, "state.json"), JSON.stringify({ ...held, deployment }));
  expect(await adopt([...words, "--backup", "first.json"], secret)).toMatchObject({ code: 0 });
});
