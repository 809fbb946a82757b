import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import ts from "typescript";
import { expect, test } from "vitest";

const root = join(__dirname, "../..");
const read = (file: string): string => readFileSync(join(root, file), "utf8");
const address = "https://github.com/pulumi-cloudinfra/pulumi-cloudinfra";

async function pack(): Promise<string[]> {
  const { stdout } = await promisify(execFile)("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], {
    cwd: root,
  });
  const [{ files }] = JSON.parse(stdout) as [{ files: { path: string }[] }];
  return files.map(({ path }) => path);
}

let tarball: Promise<string[]> | undefined;

function packed(): Promise<string[]> {
  tarball ??= pack();
  return tarball;
}

test("every link of the packed README and docs points to a packed file or to the repository", async () => {
  const files = await packed();
  const folders = new Set(files.flatMap((file) => [dirname(file), dirname(dirname(file))]));
  const pages = files.filter((file) => file.endsWith(".md"));
  expect(pages).toEqual(
    expect.arrayContaining(["README.md", "CHANGELOG.md", "docs/adopt.md", "docs/resources/volume.md"]),
  );
  const dead = pages.flatMap((page) =>
    [...read(page).matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, link = ""]) => {
      const [path = ""] = link.split("#");
      const [, inRepository] =
        /^https:\/\/github\.com\/pulumi-cloudinfra\/.*\/(?:blob|tree)\/main\/(.*)$/.exec(path) ?? [];
      if (inRepository) return existsSync(join(root, inRepository)) ? [] : [`${page}: ${link}`];
      if (/^https?:/.test(path) || path === "") return [];
      const target = join(dirname(page), path);
      return files.includes(target) || folders.has(target) ? [] : [`${page}: ${link}`];
    }),
  );
  expect(dead).toEqual([]);
});

test("the tarball contains docs and examples, and no stacks, tests or build files", async () => {
  const files = await packed();
  expect(files).toEqual(
    expect.arrayContaining(["examples/web-cluster/index.ts", "examples/resources/volume.ts", "LICENSE"]),
  );
  expect(
    files.filter((file) =>
      /node_modules|Pulumi\.\w+\.yaml|^test\/|dist\/(tools|bench|test)\/|\.tsbuildinfo/.test(file),
    ),
  ).toEqual([]);
});

/** Folders and file types that belong in the tarball. Any other file is there by mistake. */
const meant = [
  /^(LICENSE|README\.md|CHANGELOG\.md|package\.json|schema\.json|drift\.schema\.json|pulumi-resource-(cloudinfra)?(\.cmd)?)$/,
  /^dist\/(plugin\.js|console\/console\.(css|js)|(account|api|cli|drawing|drift|emulator|import|provider|sdk|stack|testing)\/([\w-]+\/)*[\w-]+(\.d\.ts|\.js))$/,
  /^docs\/([\w-]+\/)*[\w-]+\.(md|svg)$/,
  /^docs\/pictures\/[\w-]+-light\.png$/,
  /^examples\/([\w-]+\/)+(Pulumi\.yaml|requirements\.txt|pom\.xml|go\.(mod|sum)|[\w-]+\.(ts|js|json|yaml|yml|py|go|cs|csproj|java))$/,
  /^examples\/unattended\/(Dockerfile|[\w-]+\.service)$/,
  /^examples\/([\w-]+\/)?README\.md$/,
  /^examples\/[\w-]+\/(picture\.svg|drift-report\.sh|[\w-]+\/[\w-]+\.test\.ts|index\.test\.ts|public\/([\w-]+\/)*[\w-]+\.(html|css))$/,
  /^(templates|examples)\/[\w-]+\/(\$\{DESCRIPTION\}\.gitignore|\.github\/workflows\/drift\.yml|plugin\/pulumi-resource-cloudinfra(\.cmd)?)$/,
  /^templates\/[\w-]+\/([\w-]+|index\.test)\.(go|json|md|mod|py|sh|ts|txt|yaml)$/,
];

test("the tarball has only expected files, and none contains a path of this machine", async () => {
  const files = await packed();
  expect(files.filter((file) => file.startsWith("dist/")).length).toBeGreaterThan(300);
  expect(files.filter((file) => !meant.some((one) => one.test(file)))).toEqual([]);
  const informative = [root, `${homedir()}/`, "sourceMappingURL="];
  expect(files.filter((file) => informative.some((text) => read(file).includes(text)))).toEqual([]);
});

test("everything that package.json exports or runs is in the tarball", async () => {
  const { exports, bin } = JSON.parse(read("package.json")) as Record<
    "exports" | "bin",
    Record<string, string | Record<string, string>>
  >;
  const targets = [exports, bin]
    .flatMap((group) => Object.values(group))
    .flatMap((one) => (typeof one === "string" ? one : Object.values(one)));
  expect(await packed()).toEqual(expect.arrayContaining(targets.map((target) => target.replace("./", ""))));
});

test("each file that Pulumi starts has one for Windows next to it, which runs it with node", async () => {
  const files = await packed();
  const started = files.filter((file) => /(^|\/)pulumi-resource-(cloudinfra)?$/.test(file));
  expect(started).toHaveLength(5);
  for (const file of started) {
    expect(files).toContain(`${file}.cmd`);
    const text = read(`${file}.cmd`);
    expect(text).toMatch(/^@echo off\r\n[\s\S]*node "%(~dp0pulumi-resource-cloudinfra|plugin%)" %\*\r\n$/);
  }
});

test("package.json contains the URLs of the repository and the docs", () => {
  expect(JSON.parse(read("package.json"))).toMatchObject({
    homepage: `${address}#readme`,
    repository: { type: "git", url: `git+${address}.git` },
    bugs: { url: `${address}/issues` },
  });
});

test("programs that import the emulator see the tables of all areas with the types of their rows", () => {
  const program = join(mkdtempSync(join(tmpdir(), "cloudinfra-")), "program.ts");
  const lines = [
    `import type { World } from ${JSON.stringify(join(root, "dist/emulator"))};`,
    "export const size = (world: World): number => world.volumes.get(1).size;",
    "export const label = (world: World): number => world.instances.get(1).label;",
  ];
  writeFileSync(program, lines.join("\n"));
  const { options } = ts.convertCompilerOptionsFromJson(
    { target: "es2022", module: "node16", strict: true, noEmit: true, skipLibCheck: true, types: ["node"] },
    root,
  );
  const found = ts.getPreEmitDiagnostics(
    ts.createProgram([program], { ...options, typeRoots: [join(root, "node_modules/@types")] }),
  );
  expect(found.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"))).toEqual([
    "Type 'string' is not assignable to type 'number'.",
  ]);
});
