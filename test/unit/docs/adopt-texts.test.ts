import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { kebab } from "../../../api";
import { isAction } from "../../../provider/engine/identity";
import { kinds } from "../../../provider/resources";

const root = join(__dirname, "../../..");
const read = (folder: string, pattern: RegExp): [file: string, text: string][] =>
  readdirSync(join(root, folder))
    .filter((file) => pattern.test(file))
    .map((file) => [`${folder}/${file}`, readFileSync(join(root, folder, file), "utf8")]);

test("every page and hover text says how an object is adopted, and none that Pulumi imports it", () => {
  const pages = read("docs/resources", /^(?!README).*\.md$/);
  const classes = read("sdk", /^(?!index|types|dynamic|native|plugin|pulumi).*\.ts$/);
  const { length } = Object.keys(kinds);
  const actions = Object.entries(kinds).flatMap(([name, kind]) => (isAction(kind) ? [kebab(name)] : []));
  expect(pages).toHaveLength(length);
  expect(classes).toHaveLength(length);
  for (const [file, text] of [...pages, ...classes, ...read(".", /^schema\.json$/)]) {
    expect(text, file).not.toMatch(/for import/);
    const isOfAction = actions.some((action) => file.includes(`/${action}.`));
    const words = text.replace(/\s+(\* )?/g, " ");
    expect(words, file).toMatch(
      isOfAction ? /An action does not create an object that could be adopted/ : /cloudinfra adopt \w+ NAME ID/,
    );
  }
});

test("the pages say that a declared action runs, also one that has run before", () => {
  const words = (page: string) => readFileSync(join(root, "docs", page), "utf8").replace(/\s+/g, " ");
  expect(words("adopt.md")).toContain(
    "Do not declare one that has run already: it would run again, and a `rebuild` deletes the disks of the instance.",
  );
  expect(words("guides/instances.md")).toContain(
    "It runs when the resource is created, which includes a renaming without `aliases`, and again whenever a value in `triggers` changes.",
  );
});
