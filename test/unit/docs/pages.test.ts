import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { kinds } from "../../../provider/resources";
import { blocksOf } from "../../cli/markdown";

const root = join(__dirname, "../../..");
const read = (file: string): string => readFileSync(join(root, file), "utf8");

test("README.md is short and contains the program of Getting started", () => {
  const readme = read("README.md");
  expect(readme.split("\n").length).toBeLessThanOrEqual(150);
  const program = (text: string) => blocksOf(text).find(({ file }) => file === "index.ts")?.text;
  expect(program(readme)).toBe(program(read("docs/getting-started.md")));
});

test.each(["docs/from-terraform.md", "docs/from-pulumi-linode.md"])("%s has a row for every kind", (page) => {
  const rows = [...read(page).matchAll(/^\| \[`(\w+)`\]\(resources\//gm)].map(([, kind]) => kind);
  expect(rows, `the table of ${page}, in alphabetical order`).toEqual(Object.keys(kinds).sort());
});

const examples = globSync("examples/*/README.md", { cwd: root })
  .map(dirname)
  .filter((example) => existsSync(join(root, example, "Pulumi.yaml")))
  .sort();

test.each(examples)("%s: its page sets what pulumi new asks for only if the question was left out", (example) => {
  const { template } = parse(read(`${example}/Pulumi.yaml`)) as { template?: { config?: Record<string, unknown> } };
  const page = read(`${example}/README.md`);
  for (const { line, language, text } of blocksOf(page)) {
    if (language !== "sh") continue;
    const questions = Object.keys(template?.config ?? {}).filter((key) => new RegExp(`--secret ${key}\\b`).test(text));
    const before = page
      .split("\n")
      .slice(0, line - 2)
      .join("\n")
      .trimEnd();
    if (questions.length) expect(before, text).toMatch(/If you left the questions? of `pulumi new` out, [^\n]*:$/);
  }
});

test.each(["docs/guides/kubernetes.md", "docs/functions.md"])(
  "%s: its newest version of Kubernetes is the highest number, whatever the order of the list",
  async (page) => {
    const programs = blocksOf(read(page)).filter(({ text }) => text.includes("listLkeVersions"));
    expect(programs.length).toBeGreaterThan(0);
    for (const { text } of programs) {
      expect(text).toContain("k8sVersion: newest,");
      const [, expression = ""] = /const newest = ([\s\S]*?\n\}\));?\n/.exec(text) ?? [];
      const newest = (...ids: string[]): unknown => {
        const listLkeVersions = async () => ({ lkeVersions: ids.map((id) => ({ id })) });
        return runInNewContext(expression, { listLkeVersions, cloudinfra: { listLkeVersions } });
      };
      expect(await newest("1.9", "1.10", "1.8")).toBe("1.10");
      expect(await newest("1.22", "2.1", "1.100")).toBe("2.1");
      expect(await newest("1.20", "1.21", "1.22")).toBe("1.22");
    }
  },
);

test.each([
  ["docs/configuration.md", "If it was deleted, and so were all other objects that the command does not find, set"],
  [
    "docs/configuration.md",
    "except those of an explicit provider (`new Provider(…)`), which has only its own settings.",
  ],
  ["docs/from-pulumi-linode.md", "the new program would create other objects for them, and delete theirs."],
  ["docs/getting-started.md", "Also skip [Look at the account](#look-at-the-account), [See drift](#see-drift) and"],
  ["docs/guides/instances.md", 'Each explicit provider (`new Provider(…)`) needs its own `allowReboot: "forbid"`.'],
  ["docs/guides/migrating-away.md", "Run no update in between: it would create another object"],
  ["docs/guides/unattended.md", "is deleted with its disks and backups. Set `protect` on what must not be deleted."],
  ["docs/guides/unattended.md", "`/home` and `/root` are empty for the service (`ProtectHome=yes`): if the folder"],
  ["docs/guides/unattended.md", "export CLOUDINFRA_URL=http://127.0.0.1:4108/v4 CLOUDINFRA_TOKEN=emulator"],
  ["docs/guides/unattended.md", "In a real account, the volume of each stack costs money until you delete it"],
  ["docs/emulator.md", "or replaces the permissions of an existing one"],
  ["docs/functions.md", '{ ignoreChanges: ["region", "k8sVersion", "pools"] },'],
  ["docs/guides/dns.md", "After an `IpAssignment`, a private address can be the first"],
  ["docs/guides/load-balancers.md", "pulumi config set --secret cert < cert.pem"],
  [
    "docs/guides/managed-and-account.md",
    "Another `label` removes the old tag from all objects, also those of other programs",
  ],
  ["docs/guides/managed-and-account.md", "The account's only payment method cannot be deleted"],
  ["docs/guides/object-storage.md", "If there are more than 1,000, nothing is deleted and the deletion fails"],
  ["docs/guides/rate-limits.md", "it repeats the change only if the object still differs"],
  ["docs/guides/secrets.md", "Without `--secret`, it is in plain text in both."],
  [
    "docs/import.md",
    "for each file with objects of the import that it does not load, whether the file is new or existed before.",
  ],
  [
    "docs/import.md",
    "If you have renamed `index.ts`, the command warns which files with objects of the import your main file",
  ],
  ["docs/import.md", "If the folder had files before the import, such as `package.json` or `.git`, do not remove it"],
  ["docs/providers.md", "all stacks of the project share the program, so migrate every stack"],
  ["docs/providers.md", "such as `cloudinfra:allowReboot`, do not apply to its resources."],
  [
    "examples/adopted-account/README.md",
    "The values below are for the emulator: in your own account, choose strong ones",
  ],
  [
    "examples/unattended/pulumi-operator.yaml",
    "is deleted with its disks and backups. Set `protect` on what must not be",
  ],
])("%s protects objects, money and secrets of readers: %s", (file, warning) => {
  const words = read(file).replace(/\s+(?:# )?/g, " ");
  expect(words).toContain(warning);
});

test("the programs of guides have no passwords, except those of tests", () => {
  const guides = globSync("docs/guides/*.md", { cwd: root, exclude: ["docs/guides/testing.md"] });
  const blocks = guides.flatMap((page) => blocksOf(read(page)).filter(({ language }) => language === "ts"));
  expect(blocks.length).toBeGreaterThan(20);
  expect(blocks.filter(({ text }) => text.includes('rootPass: "'))).toEqual([]);
});

const templates = globSync("templates/*/README.md", { cwd: root }).sort();

test.each(templates)("%s warns that another region deletes data, and that a stack belongs to one account", (page) => {
  const words = read(page).replace(/\s+/g, " ");
  expect(words).toContain("**Another `region` replaces the server and the volume, which deletes the data of both.**");
  expect(words).toContain("create another stack, because a stack belongs to one account. Run `pulumi stack init prod`");
  expect(words).toContain("An emulator without `--data` is a new account after each start");
});

test("no command for a real account passes a secret as an argument", () => {
  const exclude = ["**/node_modules"];
  const files = globSync(["docs/**/*.md", "{examples,templates}/**/*.{md,ts,yaml}"], { cwd: root, exclude });
  expect(files.length).toBeGreaterThan(200);
  const commands = files.flatMap((file) => read(file).match(/^.*config set --secret .*$/gm) ?? []);
  expect(commands.filter((command) => command.includes("$("))).toEqual([]);
  // These values belong to the emulator: its token, and the passwords of the servers in its demo accounts.
  const ofEmulator =
    /--secret (?:\w+:token|productionToken|stagingToken) emulator$|--secret (?:webRootPass|deploymentPassword) \S+$/;
  const isArgument = /--secret [\w:]+ +(?!--stack|#|<)[^\s`"]/;
  expect(commands.filter((command) => isArgument.test(command) && !ofEmulator.test(command))).toEqual([]);
  // In a pasted block, Pulumi would take the next line for the token.
  const continued = files.filter((file) => /# asks for the \w+\n(?!```)/.test(read(file)));
  expect(continued).toEqual([]);
  const sources = globSync("{cli,import,stack,provider,account}/**/*.ts", { cwd: root });
  expect(sources.flatMap((file) => read(file).match(/config set --secret \S+ (?:[A-Z…]).*/g) ?? [])).toEqual([]);
});

test("the programs of pages and examples do not take the first address for the public one", () => {
  const files = ["docs/guides/dns.md", ...globSync("examples/{two-accounts,website/*}/*.{ts,py,go}", { cwd: root })];
  expect(files.length).toBeGreaterThan(4);
  const first = /ipv4\.apply\(\(\[|ddresses\[0\]|Ipv4\.Index/;
  expect([...files, "examples/resources/reverse-dns.ts"].filter((file) => first.test(read(file)))).toEqual([]);
});

test("secrets are written to files that only the user can read", () => {
  const files = globSync(["docs/**/*.md", "examples/**/*.{md,ts,sh}"], { cwd: root, exclude: ["**/node_modules"] });
  const lines = files.flatMap((file) => read(file).match(/^.*--show-secrets >.*$/gm) ?? []);
  expect(lines.length).toBeGreaterThan(5);
  expect(lines.filter((line) => !line.includes("umask 077"))).toEqual([]);
});

/** The folders with a page for contributors. */
const folders = [
  ...["account", "api", "cli", "docs", "drift", "emulator", "emulator/core", "import"],
  ...["provider", "provider/engine", "provider/resources", "sdk", "stack", "test"],
];

const pages = [
  ...["README.md", "CONTRIBUTING.md", "CHANGELOG.md"],
  ...globSync(["docs/**/*.md", "examples/{,*/}README.md"], { cwd: root, exclude: ["**/node_modules"] }).sort(),
  ...folders.filter((folder) => folder !== "docs").map((folder) => `${folder}/README.md`),
];
const address = "https://github.com/pulumi-cloudinfra/pulumi-cloudinfra";

/** The anchors that GitHub generates for the headings of a page. */
const anchorsOf = (page: string): Set<string> =>
  new Set(
    [...read(page).matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) =>
      heading
        .toLowerCase()
        .replace(/[^\p{L}\p{N}_\- ]/gu, "")
        .replaceAll(" ", "-"),
    ),
  );

test.each(pages)("every link of %s has a target", (page) => {
  const text = read(page).replace(/^```[\s\S]*?^```$/gm, "");
  const dead = [...text.matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, link = ""]) => {
    const [, inRepository] = new RegExp(`^${address}/(?:blob|tree)/main/(.*)$`).exec(link) ?? [];
    if (!inRepository && /^https?:/.test(link)) return [];
    const [path = "", heading] = (inRepository ?? link).split("#");
    const target = inRepository ? path : path ? join(dirname(page), path) : page;
    if (!existsSync(join(root, target))) return [`${page} links to ${target}, which does not exist`];
    const exists = !heading || anchorsOf(target).has(heading);
    return exists ? [] : [`${page} links to a heading that ${target} does not have: #${heading}`];
  });
  expect(dead, dead.join("\n")).toEqual([]);
});

test.each(folders)("%s/README.md says on half a page what to read first and what to run", (folder) => {
  const text = read(`${folder}/README.md`);
  expect(text.split("\n").length).toBeLessThanOrEqual(25);
  expect(text).toMatch(/read first/i);
  expect(text).toMatch(/`make [a-z]/);
  // Named files exist, relative to the folder or to the repository.
  const files = [...text.matchAll(/`([\w./-]+\.(?:ts|mts|md))`/g)].map(([, file = ""]) => file);
  const missing = files.filter((file) => ![join(folder, file), file].some((path) => existsSync(join(root, path))));
  expect(missing).toEqual([]);
});

test("CONTRIBUTING.md has at most 1,500 words: details belong in hover texts and in the pages of the folders", () => {
  expect(read("CONTRIBUTING.md").split(/\s+/).filter(Boolean).length).toBeLessThanOrEqual(1500);
});

test("the files that CONTRIBUTING.md names exist", () => {
  const around = [
    "",
    "provider/resources",
    "provider/client/interceptors",
    "test/lifecycle/kinds",
    "test/lifecycle/behaviour",
  ];
  const text = read("CONTRIBUTING.md").replace(/^```[\s\S]*?^```$/gm, "");
  const files = [...text.matchAll(/`([\w./-]+\.(?:ts|json|mts))`/g)].map(([, file = ""]) => file);
  expect(files.length).toBeGreaterThan(20);
  expect(files.filter((file) => !around.some((folder) => existsSync(join(root, folder, file))))).toEqual([]);
});

/** `make format` formats the code in pages, where a quoted test is not inside a `describe`. */
const withoutIndent = (text: string): string => text.replace(/^ +/gm, "");

test("the code that CONTRIBUTING.md quotes exists", () => {
  const shown = blocksOf(read("CONTRIBUTING.md")).filter(({ file }) => file);
  expect(shown.length).toBeGreaterThan(1);
  for (const { file = "", text } of shown)
    for (const part of text.split(/^\s*\/\/ …\n/m))
      expect(withoutIndent(read(file)), `${file}: ${part}`).toContain(withoutIndent(part));
});
