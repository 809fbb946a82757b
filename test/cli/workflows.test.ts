import { execFile, execFileSync } from "node:child_process";
import { globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { newFolder } from "../folder";
import { blocksOf } from "./markdown";

const root = join(__dirname, "../..");
const place = newFolder();
const read = (file: string): string => readFileSync(join(root, file), "utf8");

/** All workflows for GitHub in this repository by name: its own, those of templates and examples, and those in pages. */
function workflows(): Map<string, string> {
  const files = globSync(["{.,templates/*,examples/*}/.github/workflows/*.yml", "examples/ci/github-*.yml"], {
    cwd: root,
  });
  const blocks = globSync("docs/{*,guides/*,registry/**/*}.md", { cwd: root }).flatMap((page) =>
    blocksOf(read(page))
      .filter(({ language, text }) => language === "yaml" && text.includes("runs-on:"))
      .map(({ line, text }) => [`${basename(page, ".md")}-line-${line}.yml`, text] as const),
  );
  return new Map([...files.map((file) => [file, read(file)] as const), ...blocks]);
}

test("there are workflows for changes, nights and releases, in each template, in an example, and on the page about drift", () => {
  const names = [...workflows().keys()];
  expect(names).toEqual(
    expect.arrayContaining(["ci", "nightly", "release"].map((name) => `.github/workflows/${name}.yml`)),
  );
  expect(names.filter((name) => name.startsWith("templates/"))).toHaveLength(5);
  expect(names.filter((name) => name.startsWith("examples/"))).toContain(
    "examples/adopted-account/.github/workflows/drift.yml",
  );
  // The page is also a guide for the Pulumi Registry.
  expect(names.filter((name) => name.startsWith("drift-line-"))).toHaveLength(2);
});

test("every action is pinned to a commit, with its version in a comment, and to the same one everywhere", () => {
  const uses = [...workflows()].flatMap(([name, text]) =>
    [...text.matchAll(/uses: (.*)/g)].map(([, action = ""]) => ({ name, action })),
  );
  expect(uses.length).toBeGreaterThan(30);
  const loose = uses.filter(({ action }) => !/^[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(action));
  expect(loose).toEqual([]);
  const versions = Map.groupBy(uses, ({ action }) => action.split("@")[0]);
  for (const [name, used] of versions) expect([...new Set(used.map(({ action }) => action))], name).toHaveLength(1);
});

test("every workflow starts with read access, and only the release asks for more rights to this repository", () => {
  const own = [...workflows()].filter(([name]) => name.startsWith(".github/"));
  for (const [name, text] of own) expect(parse(text).permissions, name).toEqual({ contents: "read" });
  const writing = own.filter(([, text]) => /: write$/m.test(text)).map(([name]) => name);
  expect(writing).toEqual([".github/workflows/release.yml"]);
});

test("no run step contains an expression that a contributor can choose", () => {
  const steps = [...workflows()].flatMap(([name, text]) =>
    [...text.matchAll(/run: (?:[|>]\n(?: {8,}.*\n)+|.*)/g)].map(([step]) => ({ name, step })),
  );
  expect(steps.length).toBeGreaterThan(20);
  // Text of events, such as titles and names of branches, would become part of the command.
  const injected = steps.filter(({ step }) => /\$\{\{ *(github\.(event\.(?!number)|head_ref)|inputs)/.test(step));
  expect(injected).toEqual([]);
});

test("actionlint accepts every workflow", async ({ skip }) => {
  const modules = join(root, "tools/workflows");
  const env = { ...process.env, GOWORK: "off" };
  try {
    execFileSync("go", ["-C", modules, "mod", "download"], { env, stdio: "pipe" });
  } catch (error) {
    skip(`actionlint needs go and its modules: ${(error as Error).message.split("\n")[0]}`);
  }
  const folder = join(place, ".github/workflows");
  mkdirSync(folder, { recursive: true });
  const files = [...workflows()].map(([name, text]) => {
    const file = join(folder, name.replaceAll("/", "-"));
    writeFileSync(file, text);
    return file;
  });
  const args = ["-C", modules, "tool", "actionlint", "-no-color", "-shellcheck=", "-pyflakes=", ...files];
  const { stdout } = await promisify(execFile)("go", args, { env }).catch((error) => error);
  expect(stdout).toBe("");
});
