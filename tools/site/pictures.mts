import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Page } from "puppeteer-core";
import { drawings, fileOf, folder, namesOf, pages, terminals } from "../../dist/tools/pictures/catalog.js";
import { drawing } from "../../dist/tools/pictures/drawing.js";
import { record } from "../../dist/tools/pictures/run.js";
import { terminal, themes } from "../../dist/tools/pictures/terminal.js";
import { openBrowser } from "./check/browser.mts";

/** Draws the pictures of the docs from a run of the program in `tools/pictures/shop`. */
async function main(): Promise<void> {
  const recordings = await record();
  const browser = await openBrowser();
  if (typeof browser === "string") throw new Error(browser);
  const temporary = mkdtempSync(join(tmpdir(), "pictures-"));
  mkdirSync(folder, { recursive: true });
  try {
    for (const theme of themes) {
      for (const name of namesOf(terminals))
        writeFileSync(
          join(folder, fileOf(name, theme, "svg")),
          terminal(recordings.terminals[name], theme, terminals[name]),
        );
      for (const name of drawings) writeFileSync(join(folder, fileOf(name, theme, "svg")), drawing(name, theme));
      for (const name of namesOf(pages)) {
        const { width, height, scale } = pages[name];
        const source = join(temporary, `${name}.html`);
        writeFileSync(source, recordings.pages[name]);
        const tab = await browser.newPage();
        await tab.setViewport({ width, height, deviceScaleFactor: scale });
        await tab.emulateMediaFeatures([{ name: "prefers-color-scheme", value: theme }]);
        await tab.goto(pathToFileURL(source).href, { waitUntil: "load" });
        await tab.screenshot({ path: join(folder, fileOf(name, theme, "png")) as `${string}.png` });
        writeFileSync(join(folder, `${name}.txt`), `${(await textsIn(tab)).join("\n")}\n`);
        await tab.close();
      }
    }
  } finally {
    await browser.close();
    rmSync(temporary, { recursive: true, force: true });
  }
}

/** The texts that the window shows, without times and without texts of scripts. */
const textsIn = (tab: Page): Promise<string[]> =>
  tab.evaluate(() => {
    const texts = new Set<string>();
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const parent = node.parentElement;
      if (
        !parent?.checkVisibility({ contentVisibilityAuto: true }) ||
        parent.closest("time, option, .spoken, [role=status]")
      )
        continue;
      const range = document.createRange();
      range.selectNode(node);
      const { top, bottom, width } = range.getBoundingClientRect();
      const text = (node.textContent ?? "").trim();
      if (text.length > 2 && width > 0 && bottom > 0 && top < innerHeight) texts.add(text);
    }
    return [...texts];
  });

await main();
