import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { kinds } from "../../../provider/resources";
import { readmeFile } from "../../../tools/generate/readme";
import { blocksOf } from "../../cli/markdown";

const root = join(__dirname, "../../..");
const read = (file: string): string => readFileSync(join(root, file), "utf8");

test("the table of kinds is what the definitions say", () => {
  const readme = read("README.md");
  expect(readmeFile(readme, kinds)["README.md"]).toBe(readme);
});

const decisions = readdirSync(join(root, "docs/decisions")).map((name) => `docs/decisions/${name}`);

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
