import { globSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { beforeAll, expect, test } from "vitest";
import * as catalog from "../../tools/pictures/catalog";
import { drawing } from "../../tools/pictures/drawing";
import { type Recordings, record } from "../../tools/pictures/run";
import { terminal, textOf, themes } from "../../tools/pictures/terminal";

const root = join(__dirname, "../..");
const folder = join(root, "docs/pictures");

let recordings: Recordings;

beforeAll(async () => {
  recordings = await record();
}, 300_000);

test("each picture exists in both themes and is small", () => {
  const pictures = readdirSync(folder).filter((file) => !file.endsWith(".txt"));
  expect(pictures.sort()).toEqual([
    "console-dark.png",
    "console-light.png",
    "drift-dark.svg",
    "drift-light.svg",
    "how-it-works-dark.svg",
    "how-it-works-light.svg",
    "preview-dark.svg",
    "preview-light.svg",
    "report-dark.png",
    "report-light.png",
  ]);
  expect([...catalog.files].sort()).toEqual(pictures);
  for (const file of pictures) expect(statSync(join(folder, file)).size, file).toBeLessThanOrEqual(200 * 1024);
});

test.each(themes)("pictures of terminals show what the commands print today (%s)", (theme) => {
  for (const name of catalog.namesOf(catalog.terminals))
    expect(linesOf(catalog.shownInTerminal(name, theme)), `${name}: run make pictures`).toEqual(
      linesOf(stripVTControlCharacters(recordings.terminals[name])),
    );
});

test.each(themes)("drawings are those of their sources (%s)", (theme) => {
  for (const name of catalog.drawings)
    expect(readFileSync(join(folder, catalog.fileOf(name, theme, "svg")), "utf8"), "run make pictures").toBe(
      drawing(name, theme),
    );
});

test("pictures of pages show what the pages contain today", () => {
  const texts = textsOf(recordings.pages.report);
  const shown = catalog.shownOnPage("report");
  expect(shown).toEqual(
    expect.arrayContaining(["2 differences (checked 12 of 12 resources in 1 stack)", '"0.0.0.0/0"']),
  );
  expect(
    shown.filter((text) => !texts.has(withoutIds(text))),
    "run make pictures",
  ).toEqual([]);
});

test("the picture of the console shows the objects of the stack", () => {
  const shown = catalog.shownOnPage("console");
  for (const name of ["web-1", "web-2", "database", "example.org"]) {
    expect(recordings.consoleObjects, `${name}: run make pictures`).toContain(name);
    expect(shown, `${name}: run make pictures`).toContain(name);
  }
});

test("pictures show a reboot, deleted backups, drift and its correction", () => {
  const { preview, drift } = recordings.terminals;
  const shown = stripVTControlCharacters(`${preview}\n${drift}`);
  for (const text of [
    "web-1: will shut down and boot to change its type from g6-nanode-1 to g6-standard-1",
    "database: the backup service is cancelled and its backups are deleted",
    "~ size: 20 => 40",
    '/rules/inbound/1/addresses/ipv4/0: "192.0.2.0/24" → "0.0.0.0/0"',
    "Unmanaged, 12 of 14 objects managed (85.7 %):",
    "+ 1 created",
  ])
    expect(shown).toContain(text);
  expect(shown).not.toContain("Correct-Horse");
});

test("a picture contains the text of the terminal, also with characters that SVG reserves", () => {
  const svg = terminal('\x1b[1m$ a  "b" < c\x1b[22m\n\x1b[38;5;1m&lt; red\ncontinued\x1b[0m', "dark", "A terminal");
  expect(textOf(svg)).toBe('$ a  "b" < c\n&lt; red\ncontinued');
  expect(svg.match(/fill="#ff8a80"/g)).toHaveLength(2);
});

test("each picture is on a page, and each page shows existing pictures", () => {
  const pages = ["README.md", ...globSync("docs/{*,guides/*}.md", { cwd: root })];
  const named = pages.flatMap((page) =>
    [...readFileSync(join(root, page), "utf8").matchAll(/pictures\/([\w-]+\.(?:svg|png))/g)].map(([, file]) => file),
  );
  const light = catalog.files.filter((file) => file.includes("-light."));
  expect(light.filter((file) => !named.includes(file))).toEqual([]);
  expect(named.filter((file) => !catalog.files.includes(file ?? ""))).toEqual([]);
});

/** The lines of an output in a fixed order, because Pulumi prints independent resources in varying orders. */
const linesOf = (output: string): string[] => output.split("\n").sort();

/** The texts of a page, without the tags between them. */
const textsOf = (html: string): Set<string> =>
  new Set(
    html
      .slice(html.indexOf("<body>"))
      .split(/<[^>]+>/)
      .map((text) => withoutIds(text.trim().replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code))))),
  );

/** A text whose ids are left out, because a program creates independent objects in varying orders. */
const withoutIds = (text: string): string => text.replace(/\b\d{6}\b/g, "ID");
