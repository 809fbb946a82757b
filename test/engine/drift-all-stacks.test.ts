import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync, zstdCompressSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { reportIn } from "../../drift/report/json";
import { type Emulator, startEmulator } from "../../emulator";
import { connect } from "../../provider/client";
import { newFolder } from "../folder";
import { Team } from "./team";

/** Two accounts: that of the projects `shop` and `web`, and that of the project `archive`, which has a dialect. */
let main: Emulator;
let other: Emulator;
const folder = newFolder();
const state = join(folder, "state");
const team = new Team(folder, {
  env: { PULUMI_BACKEND_URL: `file://${state}`, PULUMI_CONFIG_PASSPHRASE: "test" },
});

const stateFile = (project: string, stack: string): string => join(state, ".pulumi/stacks", project, `${stack}.json`);

/** An account, and the dialect of its service. */
interface Account {
  emulator: Emulator;
  dialect?: "linode";
}

const connected = ({ emulator, dialect }: Account) => connect({ url: emulator.url, token: emulator.token, dialect });

const volumeIn = async (account: Account, label: string): Promise<number> => {
  const { api, close } = connected(account);
  const { id } = await api.volumes.create({ body: { region: "us-east", size: 20, label } });
  await close();
  return id;
};

const resize = async (account: Account, volumeId: number): Promise<void> => {
  const { api, close } = connected(account);
  await api.volumes.resize({ path: { volumeId }, body: { size: 40 } });
  await close();
};

const operations = ({ requests }: Emulator): (string | null)[] => requests.list().map(({ operation }) => operation);

beforeAll(async () => {
  mkdirSync(state);
  main = await startEmulator({ pace: "instant", token: "main-token" });
  other = await startEmulator({ pace: "instant", token: "other-token", dialect: "linode" });
  const stacks: [string, string, Account][] = [
    ["shop", "dev", { emulator: main }],
    ["shop", "prod", { emulator: main }],
    ["web", "prod", { emulator: main }],
    ["archive", "prod", { emulator: other, dialect: "linode" }],
  ];
  for (const [project, stack, account] of stacks) {
    const { emulator, dialect } = account;
    await team.stack(project, stack, { url: emulator.url, token: emulator.token, dialect });
    const id = await volumeIn(account, `${project}-${stack}`);
    await team.adopt(project, stack, id);
    if (stack === "prod" && project !== "web") await resize(account, id);
  }
  await volumeIn({ emulator: main }, "by-hand");
});

afterAll(async () => {
  await Promise.all([main.close(), other.close()]);
});

test("checks all stacks of a backend, each in its own account, and reads each account once", async () => {
  for (const { requests } of [main, other]) requests.clear();
  const { code, stdout, stderr } = await team.cloudinfra(["drift", "--all-stacks", "--format", "json"]);
  expect(stderr).toBe("");
  const report = reportIn(stdout, "the report");
  expect(report.stacks.map(({ name }) => name)).toEqual(["archive/prod", "shop/dev", "shop/prod", "web/prod"]);
  expect(report.findings.map(({ address, path, expected, actual }) => [address, path, expected, actual])).toEqual([
    ["archive/prod/Volume/data", "/size", "20", "40"],
    ["shop/prod/Volume/data", "/size", "20", "40"],
  ]);
  expect(report).toMatchObject({ failures: [], unread: [], coverage: { resources: 4, checked: 4 } });
  expect(code).toBe(2);
  for (const emulator of [main, other])
    expect(operations(emulator).filter((name) => name === "account.view")).toEqual(["account.view"]);
});

test("an object is unmanaged only if no stack of its account manages it, also if the stack's project is not selected", async () => {
  const { stdout } = await team.cloudinfra(["drift", "--project", "sh*", "--unmanaged", "--format", "json"]);
  const report = reportIn(stdout, "the report");
  expect(report.stacks.map(({ name }) => name)).toEqual(["shop/dev", "shop/prod"]);
  const volumes = report.unmanaged?.objects.filter(({ kind }) => kind === "Volume") ?? [];
  expect(volumes.map(({ title }) => title)).toEqual([expect.stringContaining('Volume "by-hand"')]);
  expect(report.unmanaged?.managed).toBe(3);
});

test("a project without drift exits with 0", async () => {
  const { code, stdout } = await team.cloudinfra(["drift", "--all-stacks", "--project", "web"]);
  expect(stdout).toBe("no drift (checked 1 of 1 resource in 1 stack)\n");
  expect(code).toBe(0);
});

test.each([
  ["gz", gzipSync],
  ["zst", zstdCompressSync],
])("reads a state that Pulumi has compressed (.%s)", async (extension, compress) => {
  const file = stateFile("web", "prod");
  const text = readFileSync(file);
  writeFileSync(`${file}.${extension}`, compress(text));
  rmSync(file);
  const { code, stdout } = await team.cloudinfra(["drift", "--all-stacks", "--project", "web"]);
  writeFileSync(file, text);
  rmSync(`${file}.${extension}`);
  expect(stdout).toBe("no drift (checked 1 of 1 resource in 1 stack)\n");
  expect(code).toBe(0);
});

describe("without the passphrase", () => {
  const locked = new Team(folder, { env: { PULUMI_BACKEND_URL: `file://${state}`, PULUMI_CONFIG_PASSPHRASE: "" } });

  test("the token in the environment is used for the account at its address", async () => {
    const env = { CLOUDINFRA_URL: main.url, CLOUDINFRA_TOKEN: main.token };
    const { code, stdout } = await locked.cloudinfra(["drift", "--project", "*", "--format", "json"], env);
    const report = reportIn(stdout, "the report");
    expect(report.findings.map(({ address }) => address)).toEqual(["shop/prod/Volume/data"]);
    expect(report.failures).toEqual([
      {
        stack: "archive/prod",
        reason: expect.stringMatching(
          /^its token could not be decrypted, and CLOUDINFRA_TOKEN is not set for this address: .*passphrase/,
        ),
        resources: 1,
        exitCode: 1,
      },
    ]);
    expect(code).toBe(1);
  });
});

describe("a stack that cannot be checked", () => {
  test("is reported if its state is truncated, and the other stacks are checked", async () => {
    const file = stateFile("web", "prod");
    const text = readFileSync(file, "utf8");
    writeFileSync(file, text.slice(0, 500));
    const { code, stdout } = await team.cloudinfra(["drift", "--all-stacks", "--unmanaged"]);
    writeFileSync(file, text);
    expect(stdout).toContain("\nFailed stacks:\n  web/prod: web/prod is not complete JSON: it is truncated.");
    expect(stdout).toContain("objects of web/prod can be listed as unmanaged");
    expect(stdout).toMatch(/\n2 differences \(checked 3 of 3 resources in 3 stacks; 1 stack failed\)\n$/);
    expect(code).toBe(1);
  });

  test("is reported if its token is wrong, and the other stacks are checked", async () => {
    await team.configure("archive", "prod", "--secret", "cloudinfra:token=wrong");
    const { code, stdout } = await team.cloudinfra(["drift", "--all-stacks"], {}, team.folderOf("archive"));
    await team.configure("archive", "prod", "--secret", `cloudinfra:token=${other.token}`);
    expect(stdout).toContain(
      `Failed stacks:\n  archive/prod (1 resource): ${other.url} rejected cloudinfra:token in its configuration (401).`,
    );
    expect(stdout).toMatch(/\n1 difference \(checked 3 of 4 resources in 4 stacks; 1 stack failed\)\n$/);
    expect(code).toBe(4);
  });
});

test.each([
  [["--all-stacks", "--stack", "dev"], "--stack cannot be combined with --all-stacks"],
  [["--project", "sh*", "--state", "x.json"], "--state cannot be combined with --project sh*"],
  [["--all-stacks", "--program"], "--program cannot be combined with --all-stacks"],
  [
    ["--all-stacks", "--project", "./shop"],
    "--project ./shop: with all stacks, it must be a project's name or a pattern",
  ],
  [["--cwd", "shop", "--project", "shop"], "--project shop: --cwd names the folder already"],
  [["--project", "nothing-*"], "no project of the backend matches --project nothing-*; it has archive, shop, web"],
])("%j is an error", async (args, message) => {
  const { code, stdout, stderr } = await team.cloudinfra(["drift", ...args]);
  expect(stderr).toContain(`cloudinfra: ${message}`);
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
});
