import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { reportIn } from "../../drift/report/json";
import { type Emulator, startEmulator } from "../../emulator";
import { connect } from "../../provider/client";
import { writeProject } from "../../testing/engine-project";
import { Missing } from "../../tools/install";
import { Team, type TeamBackend } from "../engine/team";
import { newFolder } from "../folder";
import { aws, awsEnv, bucketAt, keyAt, PASSWORD, postgres, type Service } from "./services";

const passphrase = { PULUMI_CONFIG_PASSPHRASE: "test" };

interface Started extends AsyncDisposable {
  backend: TeamBackend;
}

const inBucket = async (start: (service: Service) => Promise<TeamBackend>): Promise<Started> => {
  const service = await aws();
  return { backend: await start(service), [Symbol.asyncDispose]: () => service[Symbol.asyncDispose]() };
};

const backends: Record<string, () => Promise<Started>> = {
  "S3, and a passphrase": () =>
    inBucket(async (service) => ({
      env: { ...awsEnv(service), ...passphrase, PULUMI_BACKEND_URL: await bucketAt(service, "team-state") },
    })),
  "S3, and a key of KMS": () =>
    inBucket(async (service) => ({
      env: { ...awsEnv(service), PULUMI_BACKEND_URL: await bucketAt(service, "team-state") },
      secrets: await keyAt(service),
    })),
  "PostgreSQL, and a passphrase": async () => {
    const database = await postgres();
    return {
      backend: { env: { ...passphrase, PULUMI_BACKEND_URL: database.url } },
      [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
    };
  },
};

describe.each(Object.entries(backends))("a backend in %s", (_, start) => {
  const folder = newFolder();
  let started: Started | undefined;
  let missing: string | undefined;
  let emulator: Emulator;
  let team: Team;
  let volumeId: number;

  beforeAll(async () => {
    emulator = await startEmulator({ pace: "instant", token: "planted-token-42" });
    const { api, close } = connect(emulator);
    volumeId = (await api.volumes.create({ body: { region: "us-east", size: 20, label: "data" } })).id;
    await api.volumes.create({ body: { region: "us-east", size: 20, label: "logs" } });
    await close();
    try {
      started = await start();
    } catch (error) {
      if (!(error instanceof Missing)) throw error;
      missing = error.message;
      return;
    }
    team = new Team(folder, started.backend);
  });

  afterAll(async () => {
    await started?.[Symbol.asyncDispose]();
    await emulator.close();
  });

  const stateOf = (project: string, stack: string): Promise<string> =>
    team.pulumi(project, "stack", "export", "--stack", stack);

  test("adopts an object into a stack: the next preview is empty, and the state contains no secret", async ({
    skip,
  }) => {
    skip(missing !== undefined, missing);
    await team.stack("shop", "prod", emulator);
    const adopt = ["adopt", "Volume", "data", String(volumeId), "--stack", "prod"];
    const { code, stdout, stderr } = await team.cloudinfra(adopt, {}, team.folderOf("shop"));
    expect(code, stderr).toBe(0);
    const settings = await readFile(join(team.folderOf("shop"), "Pulumi.prod.yaml"), "utf8");
    await writeProject(team.folderOf("shop"), { "index.ts": stdout });
    await team.pulumi("shop", "preview", "--stack", "prod", "--expect-no-changes");
    for (const text of [settings, await stateOf("shop", "prod")]) expect(text).not.toContain(emulator.token);
  });

  test("migrates a stack to the native plugin and back", async ({ skip }) => {
    skip(missing !== undefined, missing);
    const typesIn = async (): Promise<string[]> =>
      [...(await stateOf("shop", "prod")).matchAll(/"type": "(\S*cloudinfra:\S*)"/g)].map(([, type = ""]) => type);
    const migrate = async (to: string) => {
      const { code, stderr } = await team.cloudinfra(
        ["migrate", "--to", to, "--stack", "prod"],
        {},
        team.folderOf("shop"),
      );
      expect(code, stderr).toBe(0);
    };
    await migrate("native");
    expect(await typesIn()).toEqual(["cloudinfra:index:Volume"]);
    await migrate("dynamic");
    expect(await typesIn()).toEqual(["pulumi-nodejs:dynamic/cloudinfra:Volume"]);
    await team.pulumi("shop", "preview", "--stack", "prod", "--expect-no-changes");
  });

  test("imports the rest of the account into a new stack: the next preview is empty", async ({ skip }) => {
    skip(missing !== undefined, missing);
    const state = join(folder, "shop.json");
    await writeFile(state, await stateOf("shop", "prod"));
    const { secrets } = team.backend;
    const env = { CLOUDINFRA_URL: emulator.url, CLOUDINFRA_TOKEN: emulator.token };
    const { code, stderr } = await team.cloudinfra(
      ["import", "--into", "prod", "--out", "rest", "--filter", "kind=Volume", "--state", state].concat(
        secrets ? ["--secrets-provider", secrets] : [],
      ),
      env,
    );
    expect(code, stderr).toBe(0);
    await writeProject(team.folderOf("rest"), {});
    const rest = new Team(folder, { env: { ...team.backend.env, ...env } });
    await rest.pulumi("rest", "preview", "--stack", "prod", "--expect-no-changes");
    expect(await stateOf("rest", "prod")).toContain('"label": "logs"');
  });

  test("detects drift without the key of the secrets", async ({ skip }) => {
    skip(missing !== undefined, missing);
    const { api, close } = connect(emulator);
    await api.volumes.resize({ path: { volumeId }, body: { size: 40 } });
    await close();
    const { PULUMI_CONFIG_PASSPHRASE: _, AWS_ENDPOINT_URL_KMS: __, ...env } = team.backend.env;
    const keyless = new Team(folder, { env });
    const args = ["drift", "--stack", "prod"];
    const ran = await keyless.cloudinfra(args, { CLOUDINFRA_TOKEN: emulator.token }, team.folderOf("shop"));
    expect(ran.stdout).toContain("  shop/prod/Volume/data");
    expect(ran.code, ran.stderr).toBe(2);
  });

  test("detects drift of all stacks with the token in their configuration", async ({ skip }) => {
    skip(missing !== undefined, missing);
    const args = ["drift", "--all-stacks", "--unmanaged", "--format", "json"];
    const { code, stdout, stderr } = await team.cloudinfra(args);
    const report = reportIn(stdout, "the report");
    expect(report.stacks.map(({ name }) => name)).toEqual(["rest/prod", "shop/prod"]);
    expect(report.findings.map(({ address, path }) => [address, path])).toEqual([["shop/prod/Volume/data", "/size"]]);
    expect(report.failures).toEqual([]);
    expect(report.unmanaged?.objects.filter(({ kind }) => kind === "Volume")).toEqual([]);
    expect(code, stderr).toBe(2);
    expect(stdout + stderr).not.toMatch(/planted/);
  });
});

test("a password in the address of a backend is not printed", async () => {
  const folder = newFolder();
  const address = `postgres://team:${PASSWORD}@127.0.0.1:1/postgres?sslmode=disable`;
  const team = new Team(folder, { env: { PULUMI_BACKEND_URL: address } });
  const { code, stdout, stderr } = await team.cloudinfra(["drift", "--all-stacks"]);
  expect(stderr).toMatch(/^cloudinfra: pulumi whoami --json failed: .*:\/\/team:…@127\.0\.0\.1:1\//);
  expect(stdout + stderr).not.toContain(PASSWORD);
  expect(code).toBe(1);
});
