import { globSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, beforeEach, describe, expect, type TestContext, test } from "vitest";
import { parse } from "yaml";
import { startEmulator } from "../../emulator";
import { fill } from "../../emulator/accounts";
import { blocksOf } from "../cli/markdown";
import { Terminal } from "../cli/terminal";
import { newFolder } from "../folder";
import { forEveryChange, nightly } from "../nightly";
import { more, rowsOf } from "../rows";
import { expectExample, expectPicture } from "./example-project";
import { expectLife, generatePassword, hasHost, newProject, packages, root, TemplateProject } from "./template-project";

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
      rootPass: { secret: true, description: expect.stringMatching(/Press Enter to generate one in the next step$/) },
    });
    expect(template.quickstart, name).toContain(generatePassword);
    const commands = blocksOf(read(`${name}/README.md`)).find(({ text }) =>
      text.includes("npx cloudinfra emulator"),
    )?.text;
    expect(commands?.trim().split("\n"), name).toHaveLength(3);
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
  const example = (name: string): string => join(place, "node_modules/pulumi-cloudinfra/examples", name);

  beforeEach(({ skip }) => skip(unreachable !== undefined, `npm is not reachable (${unreachable})`));

  const needsHost = ({ skip }: TestContext, name: string): void =>
    skip(name === "yaml" && !hasHost("yaml"), "the Pulumi CLI has no YAML host; `make languages` adds it");

  // The example three-tiers below has dynamic resources in TypeScript too.
  test.for(forEveryChange(["typescript", "typescript-native", "yaml"], (name) => name === "yaml"))(
    "%s: errors in its settings, its test, preview, up, no changes, no drift, destroy",
    async (name, context) => {
      needsHost(context, name);
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
      needsHost(context, name);
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

  test("the example three-tiers: a load balancer in front of two web servers and a database", async () => {
    await using it = await newProject({ place, template: example("three-tiers") });
    await expectExample(it, "three-tiers", {
      holds: {
        ...{ nodeBalancers: 1, nodeBalancerConfigs: 1, nodeBalancerNodes: 2, instances: 3, volumes: 2 },
        ...{ firewalls: 2, firewallDevices: 3, domains: 1, domainRecords: 4 },
      },
    });
  });

  nightly(
    "the example static-site: uploads every file of the folder, and gives the bucket the certificate of its domain",
    async () => {
      await using it = await newProject({ place, template: example("static-site") });
      expect(readFileSync(join(example("static-site"), "README.md"), "utf8")).toContain("-subj /CN=www.example.org ");
      await expectExample(it, "static-site", {
        holds: { objectStorageBuckets: 1, objectStorageObjects: 2, domains: 1, domainRecords: 2 },
        meanwhile(up) {
          expect(up).toMatch(/^ *secretKey *: \[secret\]$/m);
          expect(up).toMatch(/^ *website *: "https:\/\/www\.example\.org\/index\.html"$/m);
        },
      });
    },
  );

  nightly(
    "the example team-account: a firewall protects servers by their tag, and destroy deletes protected objects only after `state unprotect`",
    async () => {
      await using it = await newProject({ place, template: example("team-account") });
      await it.through(
        "npx cloudinfra api instances create --region us-east --type g6-nanode-1 --label legacy --tags public-web",
      );
      await expectExample(it, "team-account", {
        holds: { instances: 2, volumes: 1, firewalls: 3, firewallDevices: 2 },
        drift: "--unmanaged",
        others: ["Instance legacy"],
        async meanwhile() {
          expect(await it.fails("pulumi destroy")).toMatch(/wiki.* cannot be deleted|protected/);
        },
      });
    },
  );

  nightly("the example two-accounts: each has its own server, and production has the domain of both", async () => {
    // Without another seed, the objects of both accounts would have the same ids.
    await using staging = await startEmulator({ pace: "instant", seed: 2 });
    const fresh = rowsOf(staging);
    await using it = await newProject({
      place,
      template: example("two-accounts"),
      addresses: { "http://127.0.0.1:4111/v4": staging.url },
    });
    await expectExample(it, "two-accounts", {
      holds: { instances: 1, firewalls: 1, domains: 1, domainRecords: 2 },
      drift: "--all-stacks",
      meanwhile() {
        expect(more(rowsOf(staging), fresh)).toMatchObject({ instances: 1, firewalls: 1, firewallDevices: 1 });
        expect(staging.world.instances.all()).toMatchObject([{ tags: ["website", "staging"] }]);
      },
    });
    expect(more(rowsOf(staging), fresh)).toEqual({});
  });

  nightly(
    "the example component-library: its tests pass with mocks and on the emulator, and its program makes two web services and a database",
    async () => {
      await using it = await newProject({ place, template: example("component-library") });
      expect((await it.through("npm test")).match(/^\S pass [1-9]\d*\n\S fail 0$/gm)).toHaveLength(2);
      await expectExample(it, "component-library", {
        holds: { instances: 5, volumes: 1, nodeBalancers: 2, nodeBalancerNodes: 4, firewalls: 3 },
      });
    },
  );

  nightly("the example kubernetes: without the app, creates the cluster and the domain", async () => {
    // Without access to get.pulumi.com, Pulumi cannot download the plugin of @pulumi/kubernetes.
    await using it = await newProject({
      place,
      template: example("kubernetes"),
      harmless: "failed to download plugin: kubernetes-",
    });
    await expectExample(it, "kubernetes", {
      holds: { lkeClusters: 1, lkePools: 2, lkeNodes: 4, domains: 1 },
      meanwhile(up) {
        expect(up).toMatch(/^ *endpoint *: "https:/m);
        expect(up).toMatch(/^ *kubeconfig *: \[secret\]$/m);
      },
    });
  });

  nightly("the example adopted-account: import, no changes, the weekly report, a change by hand, destroy", async () => {
    const emulator = await startEmulator({ pace: "instant", shuffle: true });
    await fill(emulator.world, "small");
    const page = join(example("adopted-account"), "README.md");
    await using it = new TemplateProject({ place, folder: place, page, emulator });
    const imported = await it.through("npx cloudinfra import --out account --into prod");
    expect(imported).toMatch(/^imported 29 objects into prod/m);
    const folder = join(place, "account");
    for (const file of globSync("{*.ts,*.json,Pulumi.yaml}", { cwd: folder }).filter((one) => !one.includes("before")))
      await expect(readFileSync(join(folder, file), "utf8")).toMatchFileSnapshot(
        join(root, "examples/adopted-account", file),
      );
    await it.through("pulumi preview --expect-no-changes");
    await expectPicture("adopted-account", await it.run("npx cloudinfra drift --stack prod --format json"));

    const summary = join(place, "summary.md");
    await it.run(`export GITHUB_STEP_SUMMARY="${summary}"`);
    await it.runWorkflow();
    expect(readFileSync(summary, "utf8")).toContain("no drift");

    const report = "sh drift-report.sh prod";
    await it.through(report);
    expect(await it.through(report, 2)).toMatch(
      /account\/prod\/Volume\/data .*\n +\/tags\/0: "production" → "by-hand"/,
    );
    expect(readFileSync(join(folder, "report/drift.html"), "utf8")).toContain("by-hand");
    await it.run("pulumi up --refresh");
    await it.run(report);
    await it.run("pulumi destroy");
    const { instances, volumes, firewalls, nodeBalancers, domains, lkeClusters, objectStorageBuckets } = emulator.world;
    for (const table of [instances, volumes, firewalls, nodeBalancers, domains, lkeClusters, objectStorageBuckets])
      expect(table.all()).toEqual([]);
  });

  test("typescript-native: without its packages, the program fails with the command that installs them", async () => {
    const folder = join(place, "generated-typescript-native/plugin");
    const { code, output } = await new Terminal(folder, place).run("./pulumi-resource-cloudinfra 127.0.0.1:1");
    expect(code).toBe(1);
    expect(output).toBe(
      "the package pulumi-cloudinfra is not installed: run npm install in the folder of Pulumi.yaml\n",
    );
  });
});

/** Installs the plugin from the npm package, with the command that the README.md of the YAML template shows. */
async function installPlugin(place: string): Promise<void> {
  const [command] = /^pulumi plugin install .*$/m.exec(read("yaml/README.md")) ?? [];
  const { code, output } = await new Terminal(place, place).run(command ?? "");
  expect(code, output).toBe(0);
}
