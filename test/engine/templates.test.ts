import { globSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, type TestContext, test } from "vitest";
import { parse } from "yaml";
import { startEmulator } from "../../emulator";
import { fill } from "../../emulator/accounts";
import { blocksOf } from "../cli/markdown";
import { Terminal } from "../cli/terminal";
import { newFolder } from "../folder";
import { expectPicture } from "./gallery-picture";
import { expectLife, hasHost, newProject, packages, root, runWorkflow } from "./template-project";

const read = (file: string): string => readFileSync(join(root, "templates", file), "utf8");
const templates = ["go", "python", "typescript", "typescript-native", "yaml"];
const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };

test("there is a template for every language, with the same questions, a README of three commands, and a workflow", () => {
  const folders = readdirSync(join(root, "templates"), { withFileTypes: true }).filter((one) => one.isDirectory());
  expect(folders.map(({ name }) => name).sort()).toEqual(templates);
  for (const name of templates) {
    const { template } = parse(read(`${name}/Pulumi.yaml`));
    expect(template, name).toMatchObject({ important: true, description: expect.stringMatching(/^A server with/) });
    expect(template.config, name).toMatchObject({
      "cloudinfra:url": { default: "http://127.0.0.1:4108/v4" },
      region: { default: "us-east" },
      rootPass: { secret: true },
    });
    const [, commands = ""] = /```sh\n([\s\S]*?)```/.exec(read(`${name}/README.md`)) ?? [];
    expect(commands.trim().split("\n"), name).toHaveLength(3);
    expect(parse(read(`${name}/.github/workflows/drift.yml`)), name).toMatchObject({ name: "drift" });
  }
});

test("the two TypeScript templates have the same test, and programs that differ only in the import", () => {
  const program = read("typescript-native/index.ts").replace("pulumi-cloudinfra/native", "pulumi-cloudinfra");
  expect(program).toBe(read("typescript/index.ts"));
  for (const file of ["index.test.ts", "package.json", "tsconfig.json", ".github/workflows/drift.yml"])
    expect(read(`typescript-native/${file}`), file).toBe(read(`typescript/${file}`));
});

test("the templates name the packed file and the plugin of this version", () => {
  const versions = templates.flatMap((name) =>
    readdirSync(join(root, "templates", name), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .flatMap(({ parentPath, name: file }) => [
        ...readFileSync(join(parentPath, file), "utf8").matchAll(
          /(?:pulumi-cloudinfra-|resource cloudinfra )(\d\S*?)(?=\.tgz| )/g,
        ),
      ]),
  );
  expect(versions.length).toBeGreaterThan(10);
  expect([...new Set(versions.map(([, found]) => found))]).toEqual([version]);
});

describe("a project from the npm package", () => {
  const place = newFolder();
  let unreachable: string | undefined;
  beforeAll(async () => {
    unreachable = await packages(place);
  });
  const template = (name: string): string => join(place, "node_modules/pulumi-cloudinfra/templates", name);

  const needs = ({ skip }: TestContext, name: string): void => {
    skip(unreachable !== undefined, `npm is not reachable (${unreachable})`);
    skip(name === "yaml" && !hasHost("yaml"), "the Pulumi CLI has no YAML host; `make languages` adds it");
  };

  test.for(["typescript", "typescript-native", "yaml"])(
    "%s: errors in its settings, its test, preview, up, no changes, no drift, destroy",
    async (name, context) => {
      needs(context, name);
      if (name === "yaml") await installPlugin(place);
      // Pulumi installs packages only for languages that need them to run.
      const prepare = name === "yaml" ? "npm install" : "";
      await using it = await newProject({ place, template: template(name), prepare });
      await expectLife(it);
    },
  );

  test.for(["typescript", "typescript-native", "yaml"])(
    "%s: --generate-only works without a network, and writes only the files of the template",
    async (name, context) => {
      needs(context, name);
      const folder = join(place, `generated-${name}`);
      mkdirSync(folder);
      const proxy = "http://127.0.0.1:1";
      const { code, output } = await new Terminal(folder, place).run(
        `HTTPS_PROXY=${proxy} HTTP_PROXY=${proxy} pulumi new "${template(name)}" --yes --generate-only --name Shop`,
      );
      expect(code, output).toBe(0);
      const expected = readdirSync(template(name), { recursive: true, encoding: "utf8" });
      expect(readdirSync(folder, { recursive: true, encoding: "utf8" }).sort()).toEqual(
        expected.map((file) => file.replace(`\${DESCRIPTION}`, "")).sort(),
      );
      const { template: questions, ...project } = parse(readFileSync(join(folder, "Pulumi.yaml"), "utf8"));
      expect(questions).toBeUndefined();
      expect(project.name).toBe("Shop");
      expect(readFileSync(join(folder, "README.md"), "utf8")).toMatch(/^# Shop\n/);
    },
  );

  test("the example three-tiers, by the commands of its page: create, up, no changes, no drift, destroy", async (context) => {
    needs(context, "three-tiers");
    const examples = join(place, "node_modules/pulumi-cloudinfra/examples");
    await using it = await newProject({ place, template: join(examples, "three-tiers") });
    const [password = "", commands = ""] = commandsOf("three-tiers");
    const [up = "", preview = "", destroy = ""] = commands.split("\n");
    await it.succeeds(password);
    expect(await it.succeeds(up)).toContain("+ 17 created");
    expect(it.holds()).toMatchObject({
      ...{ nodeBalancers: 1, nodeBalancerConfigs: 1, nodeBalancerNodes: 2, instances: 3, volumes: 2 },
      ...{ firewalls: 2, firewallDevices: 3, domains: 1, domainRecords: 4 },
    });
    await it.succeeds(preview);
    expect(await expectPicture("three-tiers", await it.succeeds("npx cloudinfra drift --format json"))).toHaveLength(
      16,
    );
    await it.succeeds(destroy);
    expect(it.holds()).toEqual({});
  });

  test("the example adopted-account, by the commands of its page: import, no changes, the weekly report, a change by hand, destroy", async (context) => {
    needs(context, "adopted-account");
    await using emulator = await startEmulator({ pace: "instant", shuffle: true });
    await fill(emulator.world, "small");
    const terminal = new Terminal(place, place);
    const run = async (script: string, code = 0): Promise<string> => {
      const ran = await terminal.run(script.replaceAll("http://127.0.0.1:4108/v4", emulator.url));
      expect(ran.code, `${script}\n${ran.output}`).toBe(code);
      return ran.output;
    };
    const [install = "", , adopt = "", preview = "", report = "", change = ""] = commandsOf("adopted-account");
    await run(install);
    expect(await run(adopt)).toMatch(/^imported 29 objects into prod/m);
    const folder = join(place, "account");
    for (const file of globSync("{*.ts,*.json,Pulumi.yaml}", { cwd: folder }).filter((one) => !one.includes("before")))
      await expect(readFileSync(join(folder, file), "utf8")).toMatchFileSnapshot(
        join(root, "examples/adopted-account", file),
      );
    await run(preview);
    await expectPicture("adopted-account", await run("npx cloudinfra drift --stack prod --format json"));

    const summary = join(place, "summary.md");
    await run(`export GITHUB_STEP_SUMMARY="${summary}"`);
    await runWorkflow(folder, place, run, { page: join(root, "examples/adopted-account/README.md") });
    expect(readFileSync(summary, "utf8")).toContain("no drift");

    const [update = ""] = change.split("\n");
    expect(change).toBe(`${update}\n${report}`);
    await run(update);
    expect(await run(report, 2)).toMatch(/account\/prod\/Volume\/data .*\n +\/tags\/0: "production" → "by-hand"/);
    expect(readFileSync(join(folder, "report/drift.html"), "utf8")).toContain("by-hand");
    await run("pulumi up --refresh");
    await run(report);
    await run("pulumi destroy");
    const { instances, volumes, firewalls, nodeBalancers, domains, lkeClusters, objectStorageBuckets } = emulator.world;
    for (const table of [instances, volumes, firewalls, nodeBalancers, domains, lkeClusters, objectStorageBuckets])
      expect(table.all()).toEqual([]);
  });

  test("typescript-native: without its packages, the program fails with the command that installs them", async (context) => {
    needs(context, "typescript-native");
    const folder = join(place, "generated-typescript-native/plugin");
    const { code, output } = await new Terminal(folder, place).run("./pulumi-resource-cloudinfra 127.0.0.1:1");
    expect(code).toBe(1);
    expect(output).toBe(
      "the package pulumi-cloudinfra is not installed: run npm install in the folder of Pulumi.yaml\n",
    );
  });
});

/** The commands in the shell blocks of an example's page. */
const commandsOf = (example: string): string[] =>
  blocksOf(readFileSync(join(root, "examples", example, "README.md"), "utf8"))
    .filter(({ language }) => language === "sh")
    .map(({ text }) => text.trim());

/** Installs the plugin from the npm package, with the command that the README.md of the YAML template shows. */
async function installPlugin(place: string): Promise<void> {
  const [command] = /^pulumi plugin install .*$/m.exec(read("yaml/README.md")) ?? [];
  const { code, output } = await new Terminal(place, place).run(command ?? "");
  expect(code, output).toBe(0);
}
