import { execFileSync } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test, vi } from "vitest";
import { readProject } from "../../../cli/doctor/project";
import { configurationFile, secretsChecks } from "../../../cli/doctor/secrets";
import { realTime } from "../../../provider/client/time";
import { TimeLimit } from "../../../provider/pulumi/time-limit";
import type { Deployment, ResourceRow } from "../../../stack/deployment";
import { newFolder, writeIn } from "../../folder";

/** The salts that Pulumi 3.259 has written for the passphrases "right" and "". */
const right = "v1:/yvm0oNtH30=:v1:aLryFsD6B8alhKEW:ReJjXtpXOlh70eHXvnxYPRltl6uCTg==";
const empty = "v1:wYbejTSTn/k=:v1:RODJp3rm9xuousHs:z00OwhpJpBs8yfRzKiWnDbbIKPA1EA==";

const root = newFolder();
let folder: string;

const write = (file: string, text: string): void => writeIn(folder, file, text);

beforeEach(() => {
  folder = mkdtempSync(join(root, "project-"));
  write("Pulumi.yaml", "name: shop\nruntime: nodejs\n");
  write("Pulumi.dev.yaml", `encryptionsalt: ${right}\n`);
  passphrase("right");
});

function passphrase(text: string | undefined, file?: string): void {
  vi.stubEnv("PULUMI_CONFIG_PASSPHRASE", text);
  vi.stubEnv("PULUMI_CONFIG_PASSPHRASE_FILE", file);
}

const passphraseState = (salt: string, resources: unknown[] = []) => ({
  secrets_providers: { type: "passphrase", state: { salt } },
  // The cast is necessary, because only the secrets of the rows matter here.
  resources: resources as ResourceRow[],
});

async function check(deployment: Deployment["deployment"] = passphraseState(right), isDecrypted = false) {
  const { project } = await readProject(folder, true);
  if (!project) throw new Error("the project was not read");
  using limit = new TimeLimit("30s", () => {}, realTime);
  const file = configurationFile(project, "organization/shop/dev");
  const state = { version: 3, deployment };
  const [found, ...others] = await secretsChecks({ project, file, state, isDecrypted, failure: undefined, limit });
  expect(others).toEqual([]);
  return found && [found.result, found.message];
}

test("a passphrase is checked although nothing is encrypted with it yet", async () => {
  expect(await check()).toEqual(["ok", "passphrase in PULUMI_CONFIG_PASSPHRASE"]);
  passphrase("secret-wrong");
  const file = join(folder, "Pulumi.dev.yaml");
  expect(await check()).toEqual([
    "problem",
    `PULUMI_CONFIG_PASSPHRASE is not the passphrase for the secrets in ${file}`,
  ]);
  expect(await check({}), "the state of a new stack has no key").toEqual(await check());
});

test("an empty passphrase is one, and an empty name of a file is not", async () => {
  write("Pulumi.dev.yaml", `encryptionsalt: ${empty}\n`);
  passphrase("");
  expect(await check()).toEqual(["ok", "passphrase in PULUMI_CONFIG_PASSPHRASE"]);
  passphrase(undefined, "");
  expect(await check()).toEqual(["problem", "encrypted with a passphrase, and PULUMI_CONFIG_PASSPHRASE is not set"]);
});

test("a passphrase in a file", async () => {
  write("passphrase", "right\n");
  passphrase(undefined, "passphrase");
  expect(await check()).toEqual(["ok", "passphrase in PULUMI_CONFIG_PASSPHRASE_FILE"]);
  passphrase(undefined, "missing");
  expect(await check()).toEqual(["problem", `PULUMI_CONFIG_PASSPHRASE_FILE: ${join(folder, "missing")}: ENOENT`]);
  passphrase(undefined, ".");
  expect(await check()).toEqual(["problem", expect.stringContaining("cannot be read (EISDIR)")]);
});

test("a pipe is not read, because reading it could wait forever", async () => {
  execFileSync("mkfifo", [join(folder, "pipe")]);
  passphrase(undefined, "pipe");
  expect(await check()).toEqual(["not checked", "PULUMI_CONFIG_PASSPHRASE_FILE names a pipe or a device"]);
});

test("the passphrase of the state matters if the state has secrets", async () => {
  expect(await check(passphraseState(empty))).toEqual(["ok", "passphrase in PULUMI_CONFIG_PASSPHRASE"]);
  expect(await check(passphraseState(empty, [{ outputs: { password: { ciphertext: "…" } } }]))).toEqual([
    "problem",
    "PULUMI_CONFIG_PASSPHRASE is not the passphrase for the secrets in the state",
  ]);
});

test("nothing to compare the passphrase with", async () => {
  write("Pulumi.dev.yaml", "config:\n  aws:region: eu-west-1\n");
  const file = join(folder, "Pulumi.dev.yaml");
  const message = `${file} has no encryptionsalt, with which the passphrase in PULUMI_CONFIG_PASSPHRASE could be checked`;
  expect(await check()).toEqual(["not checked", message]);
  write("Pulumi.dev.yaml", "encryptionsalt: v2:unknown\n");
  expect(await check()).toEqual(["not checked", `the salt in ${file} has an unknown format`]);
});

test.each([
  ["a folder of its own", "stackConfigDir: stacks", "stacks/Pulumi.dev.yaml"],
  ["a folder in the older setting", "config: stacks", "stacks/Pulumi.dev.yaml"],
  ["the project's folder", "config: { aws:region: eu-west-1 }", "Pulumi.dev.yaml"],
])("the configuration in %s", async (_, line, file) => {
  write("Pulumi.dev.yaml", `encryptionsalt: ${empty}\n`);
  write("Pulumi.yaml", `name: shop\nruntime: nodejs\n${line}\n`);
  write(file, `encryptionsalt: ${right}\n`);
  expect(await check()).toEqual(["ok", "passphrase in PULUMI_CONFIG_PASSPHRASE"]);
});

test("a key in a key service counts only if it was used", async () => {
  write("Pulumi.dev.yaml", "secretsprovider: awskms://alias/shop\nencryptedkey: AQID\n");
  expect(await check({})).toEqual(["not checked", "awskms; the configuration has no secrets to decrypt"]);
  expect(await check({}, true)).toEqual(["ok", "awskms"]);
});
