import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { kinds } from "../../../provider/resources";

const root = join(__dirname, "../../..");
const read = (folder: string, pattern: RegExp): [file: string, text: string][] =>
  readdirSync(join(root, folder))
    .filter((file) => pattern.test(file))
    .map((file) => [`${folder}/${file}`, readFileSync(join(root, folder, file), "utf8")]);

test("P4: every page and hover text says how an object is adopted, and none that Pulumi imports it", () => {
  const pages = read("docs/resources", /^(?!README).*\.md$/);
  const classes = read("sdk", /^(?!index|types|dynamic).*\.ts$/);
  const { length } = Object.keys(kinds);
  expect(pages).toHaveLength(length);
  expect(classes).toHaveLength(length);
  for (const [file, text] of [...pages, ...classes, ...read(".", /^schema\.json$/)]) {
    expect(text, file).not.toMatch(/for import/);
    const isAction = /\/(instance-action|lke-node-recycle)\.\w+$/.test(file);
    const words = text.replace(/\s+(\* )?/g, " ");
    expect(words, file).toMatch(
      isAction ? /It is an action, so there is no object to adopt/ : /cloudinfra adopt \w+ NAME ID/,
    );
  }
});
