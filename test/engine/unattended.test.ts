import { once } from "node:events";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";
import { type Emulator, startEmulator } from "../../emulator";
import { connect } from "../../provider/client";
import { main, start } from "../cli/command";
import { type Checked, checked, documentsIn, read, unitOf } from "../cli/deployment";
import { newFolder } from "../folder";
import { listening } from "../listening";
import { Team } from "./team";

/** A stack `shop/prod` with a volume that was resized outside Pulumi. */
let emulator: Emulator;
const folder = newFolder();
const backend = { PULUMI_BACKEND_URL: `file://${join(folder, "state")}`, PULUMI_CONFIG_PASSPHRASE: "test" };
const team = new Team(folder, { env: backend });

beforeAll(async () => {
  mkdirSync(join(folder, "state"));
  emulator = await startEmulator({ pace: "instant", token: "planted-token" });
  await team.stack("shop", "prod", emulator);
  const { api, close } = connect(emulator);
  const { id } = await api.volumes.create({ body: { region: "us-east", size: 20, label: "data" } });
  await team.adopt("shop", "prod", id);
  await api.volumes.resize({ path: { volumeId: id }, body: { size: 40 } });
  await close();
});

afterAll(() => emulator.close());

const settings = () => ({ CLOUDINFRA_URL: emulator.url, CLOUDINFRA_TOKEN: emulator.token });

const unitCommand = (): string[] => {
  const [command = ""] = unitOf(read("cloudinfra-drift.service")).ExecStart ?? [];
  expect(command).toMatch(/^\/usr\/local\/bin\/cloudinfra drift /);
  return command.split(" ").slice(1);
};

interface Deployment {
  spec: { template: { spec: { containers: [{ args: string[] }] } } };
}

const podCommand = (): string[] => {
  const [{ spec }] = documentsIn<Deployment>(read("kubernetes.yaml")) as [Deployment];
  const [{ args }] = spec.template.spec.containers;
  expect(args.slice(-2)).toEqual(["--listen", "0.0.0.0:4109"]);
  return args;
};

interface Compose {
  services: { drift: { command: string[]; environment: Record<string, string>; volumes: string[] } };
}

const composeCommand = (): string[] => {
  const [{ services }] = documentsIn<Compose>(read("compose.yaml")) as [Compose];
  const { command, environment, volumes } = services.drift;
  expect(volumes).toEqual(["./state:/state:ro"]);
  // The variables of the test are the same ones, with other values.
  expect(environment).toEqual({
    CLOUDINFRA_URL: "http://127.0.0.1:4108/v4",
    CLOUDINFRA_TOKEN: "emulator",
    PULUMI_BACKEND_URL: "file:///state",
    PULUMI_HOME: "/tmp/pulumi",
  });
  return command;
};

test.each([
  ["systemd unit", unitCommand],
  ["Kubernetes pod", podCommand],
  ["Compose service", composeCommand],
])("the command of the %s checks the stacks, becomes healthy, and stops without an error", async (_, command) => {
  // The passphrase is not among the settings on the page. Nothing is written outside of these folders.
  const { PULUMI_CONFIG_PASSPHRASE: __, ...rest } = backend;
  const home = join(folder, "home");
  const env = { ...rest, ...settings(), HOME: home, PULUMI_HOME: join(home, "pulumi") };
  const child = start([...command(), "--listen", "127.0.0.1:0"], { env, cwd: folder });
  onTestFinished(() => void child.kill("SIGKILL"));
  let log = "";
  child.stderr.on("data", (chunk) => {
    log += chunk;
  });
  await expect.poll(() => log, { timeout: 120_000 }).toContain("drift.found shop/prod/Volume/data /size");
  const [url] = /http:\/\/[\d.:]+/.exec(log) ?? [];
  const status = async (path: string) => (await fetch(`${url}${path}`)).status;
  expect([await status("/healthz"), await status("/livez"), await status("/metrics")]).toEqual([200, 200, 200]);
  child.kill("SIGTERM");
  expect(await once(child, "close")).toEqual([0, null]);
  expect(log).not.toContain("planted-token");
});

describe("checks in CI", () => {
  const project = () => team.folderOf("shop");
  const bin = join(folder, "bin");
  const inProject = (file: string): string => readFileSync(join(project(), file), "utf8");

  beforeAll(() => {
    // `npm ci` would install the package from a registry. `npx` gets the option `--no` before the name of the package.
    const commands = {
      npm: "exit 0",
      npx: `[ "$1 $2" = "--no cloudinfra" ] || exit 1; shift 2; exec ${process.execPath} ${main} "$@"`,
    };
    mkdirSync(bin);
    mkdirSync(join(project(), "packages"));
    writeFileSync(join(project(), "packages/packed.tgz"), "");
    for (const [name, script] of Object.entries(commands))
      writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  });

  /** Runs a script in the folder of the project, as a runner does. Returns its exit code and output. */
  function script(lines: string, env: NodeJS.ProcessEnv = {}): Promise<Checked> {
    const { PATH = "", HOME, TMPDIR, PULUMI_HOME } = process.env;
    const all = { PATH: `${bin}:${PATH}`, HOME, TMPDIR, PULUMI_HOME, ...backend, ...settings(), ...env };
    return checked("bash", ["-e", "-o", "pipefail", "-c", lines], {}, { cwd: project(), env: all });
  }

  const example = (file: string) => parse(readFileSync(join(__dirname, "../../examples/ci", file), "utf8"));

  describe("on GitHub", () => {
    const steps = (): { name?: string; run?: string }[] => example("github-drift.yml").jobs.drift.steps;

    test("the check fails because of the drift, and writes a report for people, code scanning and the artifact", async () => {
      const { code, output } = await script(steps().find(({ name }) => name === "Check")?.run ?? "no step Check");
      expect({ code, output }).toMatchObject({ code: 2 });
      expect(inProject("drift.md")).toContain("shop/prod/Volume/data");
      expect(JSON.parse(inProject("drift.sarif")).runs[0].results).toHaveLength(1);
      expect(inProject("drift.html")).toContain("shop/prod/Volume/data");
      const uploaded = JSON.stringify(steps());
      expect(uploaded).toContain('"path":"drift.html"');
      expect(uploaded).toContain('"sarif_file":"drift.sarif"');
    });
  });

  test("on GitLab, the job fails because of the drift, writes test results, and posts the report on the merge request", async () => {
    const { drift } = example("gitlab-drift.yml") as {
      drift: { script: string[]; after_script: string[]; artifacts: { paths: string[]; reports: { junit: string } } };
    };
    expect(drift.artifacts).toMatchObject({ paths: ["drift.html"], reports: { junit: "drift.xml" } });
    expect(await script(drift.script.join("\n"))).toMatchObject({ code: 2 });
    expect(inProject("drift.xml")).toMatch(/<testsuite[^>]* failures="1"/);
    expect(inProject("drift.html")).toContain("shop/prod/Volume/data");
    const notes: object[] = [];
    await using gitlab = await listening(async (request, response) => {
      const { url, headers } = request;
      const body = new URLSearchParams(await text(request)).get("body");
      notes.push({ url, token: headers["private-token"], body });
      response.writeHead(201).end("{}");
    });
    const variables = {
      CI_API_V4_URL: `${gitlab.url}/api/v4`,
      CI_PROJECT_ID: "3",
      GITLAB_TOKEN: "planted-gitlab-token",
    };
    const after = drift.after_script.join("\n");
    const printed = await script(after, variables);
    expect(printed).toMatchObject({ code: 0 });
    expect(printed.output).toContain("shop/prod/Volume/data");
    expect(notes).toEqual([]);
    expect(await script(after, { ...variables, CI_MERGE_REQUEST_IID: "9" })).toMatchObject({ code: 0 });
    const url = "/api/v4/projects/3/merge_requests/9/notes";
    expect(notes).toEqual([{ url, token: "planted-gitlab-token", body: inProject("drift.md") }]);
  });
});
