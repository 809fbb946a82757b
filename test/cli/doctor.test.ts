import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Emulator, startEmulator } from "../../emulator";
import { type EngineStack, engine } from "../../testing/engine";
import { run } from "./command";

let emulator: Emulator;
let stack: EngineStack;

beforeAll(async () => {
  emulator = await startEmulator({ pace: "instant" });
  stack = await engine({
    program: {
      "index.ts": 'import { Volume } from "pulumi-cloudinfra";\nnew Volume("data", { region: "us-east" });\n',
    },
    config: { "cloudinfra:url": emulator.url, "cloudinfra:token": { secret: emulator.token } },
  });
});

afterAll(async () => {
  await stack[Symbol.asyncDispose]();
  await emulator.close();
});

const doctor = (args: readonly string[] = [], env: NodeJS.ProcessEnv = {}) =>
  run(["doctor", "--stack", "test", ...args], { env: { ...stack.env, ...env }, cwd: stack.dir });

test("finds no problem in a good set-up, before and after the first update, and changes nothing", async () => {
  const first = await doctor();
  expect(first.code, first.stdout).toBe(0);
  expect(first.stdout).toMatch(/^ {2}✓ scopes +all scopes, enough for Volume$/m);
  expect(first.stdout).toMatch(/\nNo problems, \d+ ok, \d+ not checked\n$/);
  await stack.up();
  const state = await stack.export();
  const second = await doctor();
  expect(second.code, second.stdout).toBe(0);
  expect(second.stdout).toMatch(/^ {2}✓ stack's account +the same$/m);
  expect(second.stdout).toMatch(/^ {2}✓ objects +Volume 1$/m);
  expect(await stack.export()).toEqual(state);
  expect(second.stdout).not.toContain("\u001b");
});

test("says what to do about a wrong address and a missing passphrase, as text and as data", async () => {
  const { PULUMI_CONFIG_PASSPHRASE: _, ...env } = stack.env;
  const args = ["doctor", "--stack", "test", "--url", "http://127.0.0.1:1/v4"];
  const broken = { ...env, PULUMI_CONFIG_PASSPHRASE: undefined, PULUMI_CONFIG_PASSPHRASE_FILE: undefined };
  const { code, stdout } = await run(args, { env: broken, cwd: stack.dir });
  expect(code).toBe(1);
  expect(stdout).toMatch(/^ {2}✗ secrets +encrypted with a passphrase, and PULUMI_CONFIG_PASSPHRASE is not set$/m);
  expect(stdout).toMatch(/^ +→ Start the emulator with "npx cloudinfra emulator --port 1", or correct the port$/m);
  const data = JSON.parse((await run([...args, "--json"], { env: broken, cwd: stack.dir })).stdout);
  expect(data.problems).toBe(2);
  expect(data.checks).toContainEqual({
    part: "Address",
    name: "connection",
    result: "problem",
    message: "127.0.0.1:1 cannot be reached (ECONNREFUSED)",
    fix: 'Start the emulator with "npx cloudinfra emulator --port 1", or correct the port',
  });
});

test("a wrong passphrase is found although the configuration has no secrets", async () => {
  await using plain = await engine({ program: { "index.ts": "export {};\n" } });
  const secrets = async (passphrase: string) => {
    const env = { ...plain.env, PULUMI_CONFIG_PASSPHRASE: passphrase };
    const { stdout } = await run(["doctor", "--stack", "test", "--json"], { env, cwd: plain.dir });
    const report: { checks: { name: string; result: string; message: string }[] } = JSON.parse(stdout);
    return report.checks.find(({ name }) => name === "secrets");
  };
  const right = plain.env.PULUMI_CONFIG_PASSPHRASE ?? "";
  expect(await secrets(right)).toMatchObject({ result: "ok", message: "passphrase in PULUMI_CONFIG_PASSPHRASE" });
  expect(await secrets("wrong")).toMatchObject({
    result: "problem",
    message: expect.stringMatching(
      /^PULUMI_CONFIG_PASSPHRASE is not the passphrase for the secrets in .*Pulumi\.test\.yaml$/,
    ),
  });
});

test("a stack's configuration that is not valid does not hide the other checks", async () => {
  await using broken = await engine({ program: { "index.ts": "export {};\n" } });
  await writeFile(join(broken.dir, "Pulumi.test.yaml"), "config: [\n");
  const { code, stdout } = await run(["doctor", "--stack", "test"], { env: broken.env, cwd: broken.dir });
  expect(code).toBe(1);
  expect(stdout).toMatch(/^ {2}✗ configuration +.*yaml/m);
  expect(stdout).toMatch(/^ +→ Correct .*Pulumi\.test\.yaml$/m);
  expect(stdout).toMatch(/^ {2}– address +not checked: the stack's configuration was not read$/m);
});

test("a wrong --timeout and a missing folder are usage errors", async () => {
  expect(await doctor(["--timeout", "soon"])).toMatchObject({
    code: 2,
    stderr: "cloudinfra: --timeout soon: must be a duration such as 90s, 20m or 1h30m\n",
  });
  expect(await doctor(["--cwd", "/does/not/exist"])).toMatchObject({
    code: 2,
    stderr: "cloudinfra: --project /does/not/exist: the folder does not exist\n",
  });
});
