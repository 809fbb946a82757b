import { readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { blocksOf } from "../cli/markdown";
import { Terminal } from "../cli/terminal";
import { expectLife, newProject } from "../engine/template-project";
import { newFolder } from "../folder";
import { root, version } from "./machine";

const guide = readFileSync(join(root, "docs/guides/languages.md"), "utf8");

describe("a project from a template, next to a clone", () => {
  const place = newFolder();
  const clone = join(place, "pulumi-cloudinfra");

  beforeAll(async () => {
    symlinkSync(root, clone);
    const terminal = new Terminal(place, place);
    const [packages = "", create = ""] = blocksOf(guide.split("## Start from a template")[1] ?? "").map(
      ({ text }) => text,
    );
    expect(create).toContain("pulumi new ../pulumi-cloudinfra/templates/python");
    const [plugin = ""] = guide.match(/^pulumi plugin install .*$/m) ?? [];
    for (const script of [packages, `cd "${clone}" && ${plugin}`]) {
      const { code, output } = await terminal.run(script, { keep: false });
      expect(code, output).toBe(0);
    }
  });

  // An official Pulumi CLI creates the virtual environment. The Python host that is built here does not know that option.
  const venv = `[ -d venv ] || { python3 -m venv venv && venv/bin/pip install --quiet -r requirements.txt; }`;

  test.for([
    {
      language: "python",
      prepare: `npm install\n${venv}\n. venv/bin/activate`,
      ownTest: "venv/bin/python -m unittest",
    },
    { language: "go", prepare: "npm install", ownTest: "go test ./..." },
  ])(
    "$language: errors in its settings, its test, preview, up, no changes, no drift, destroy",
    async ({ language, prepare, ownTest }) => {
      const template = join(clone, "templates", language);
      await using it = await newProject({ place, template, prepare });
      expect(readFileSync(join(template, "README.md"), "utf8")).toContain(`with \`${ownTest}\``);
      await it.run(ownTest);
      await expectLife(it);
      expect(await it.run("pulumi plugin ls")).toMatch(new RegExp(`cloudinfra +resource +${version}`));
    },
  );
});
