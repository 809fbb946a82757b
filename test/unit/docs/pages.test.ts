import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { blocksOf } from "../../cli/markdown";

const root = join(__dirname, "../../..");
const read = (file: string): string => readFileSync(join(root, file), "utf8");

const decisions = readdirSync(join(root, "docs/decisions")).map((name) => `docs/decisions/${name}`);

test("README.md is one screenful with the program of Getting started", () => {
  const readme = read("README.md");
  expect(readme.split("\n").length).toBeLessThanOrEqual(150);
  const program = (text: string) => blocksOf(text).find(({ file }) => file === "index.ts")?.text;
  expect(program(readme)).toBe(program(read("docs/getting-started.md")));
});

test.each([
  "README.md",
  "CONTRIBUTING.md",
  "docs/adopt.md",
  "docs/client.md",
  "docs/component-libraries.md",
  ...decisions,
])("every link of %s leads somewhere", (file) => {
  for (const [, link = ""] of read(file).matchAll(/\]\(([^)]+)\)/g)) {
    if (link.startsWith("https:")) continue;
    const [path, heading] = link.split("#");
    const target = path ? join(dirname(file), path) : file;
    expect(existsSync(join(root, target)), link).toBe(true);
    if (heading) expect(read(target).toLowerCase()).toContain(`# ${heading.replaceAll("-", " ")}\n`);
  }
});

test("what CONTRIBUTING.md shows of a file is there", () => {
  const shown = blocksOf(read("CONTRIBUTING.md")).filter(({ file }) => file);
  expect(shown.length).toBeGreaterThan(2);
  for (const { file = "", text } of shown)
    for (const part of text.split(/^\s*\/\/ …\n/m)) expect(read(file), `${file}: ${part}`).toContain(part);
});
