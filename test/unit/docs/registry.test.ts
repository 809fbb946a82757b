import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";

const root = join(__dirname, "../../..");
const read = (file: string): string => readFileSync(join(root, "docs/registry", file), "utf8");
const pages = globSync("**/*.md", { cwd: join(root, "docs/registry") }).sort();
const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };

test("the registry has an overview, an installation page and how-to guides", () => {
  expect(pages.slice(0, 1)).toEqual(["_index.md"]);
  expect(pages).toContain("installation-configuration.md");
  expect(pages.filter((page) => page.startsWith("how-to-guides/")).length).toBeGreaterThan(10);
});

test.each(pages)("%s has the front matter that the registry requires, and no heading of the first level", (page) => {
  const [, front = "", body = ""] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(read(page)) ?? [];
  expect(parse(front)).toEqual({
    title: expect.stringMatching(/^[A-Z]/),
    meta_desc: expect.stringMatching(/^[^`[\]#\n]{20,159}[.…]$/),
    layout: "package",
  });
  expect(body.replace(/^```[\s\S]*?^```$/gm, "")).not.toMatch(/^# /m);
});

test.each(pages)("every link of %s works on another site", (page) => {
  const links = [
    ...read(page)
      .replace(/^```[\s\S]*?^```$/gm, "")
      .matchAll(/\]\(([^)\s]+)\)/g),
  ].map(([, link]) => link);
  expect(links.filter((link) => !/^(https:\/\/|#)/.test(link ?? ""))).toEqual([]);
});

test("the overview has one example in each language, between the marks of the registry", () => {
  const text = read("_index.md");
  expect(text).toContain('{{< chooser language "typescript,python,go,csharp,yaml" >}}');
  for (const language of ["typescript", "python", "go", "csharp", "yaml"])
    expect(text).toMatch(
      new RegExp(
        `\\{\\{% choosable language ${language} %\\}\\}\\n\\n\`\`\`${language}\\n[^]*?Volume[^]*?\\{\\{% /choosable %\\}\\}`,
      ),
    );
  expect(text).toContain('from "pulumi-cloudinfra/native"');
});

test("the installation page has the SDKs, the command that installs the plugin, and both ways to configure it", () => {
  const text = read("installation-configuration.md");
  const server = "github://api.github.com/pulumi-cloudinfra/pulumi-cloudinfra";
  expect(text).toContain(`pulumi plugin install resource cloudinfra v${version} --server ${server}`);
  expect(text).toContain("https://pypi.org/project/pulumi-cloudinfra/");
  expect(text).toContain("pulumi config set --secret cloudinfra:token   # asks for the token");
  expect(text).toContain("export CLOUDINFRA_TOKEN=TOKEN");
  for (const setting of ["url", "token", "dialect", "timeouts", "rateLimit", "allowReboot", "labelPrefix"])
    expect(text).toContain(`| \`cloudinfra:${setting}\` |`);
});
