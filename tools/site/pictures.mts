import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser, Page } from "puppeteer-core";
import {
  consoleWindow,
  drawings,
  fileOf,
  folder,
  namesOf,
  pages,
  terminals,
} from "../../dist/tools/pictures/catalog.js";
import { drawing } from "../../dist/tools/pictures/drawing.js";
import { record } from "../../dist/tools/pictures/run.js";
import { terminal, themes } from "../../dist/tools/pictures/terminal.js";
import { openBrowser } from "./check/browser.mts";
import { shownObjects, textsIn } from "./check/texts.mts";

/** Draws the pictures of the docs from a run of the program in `tools/pictures/shop`. */
async function main(): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const browser = await openBrowser();
  if (typeof browser === "string") throw new Error(browser);
  const recordings = await record((console) => pictureConsole(browser, console));
  const temporary = mkdtempSync(join(tmpdir(), "pictures-"));
  try {
    for (const theme of themes) {
      for (const name of namesOf(terminals))
        writeFileSync(
          join(folder, fileOf(name, theme, "svg")),
          terminal(recordings.terminals[name], theme, terminals[name]),
        );
      for (const name of drawings) writeFileSync(join(folder, fileOf(name, theme, "svg")), drawing(name, theme));
      for (const name of namesOf(pages)) {
        const source = join(temporary, `${name}.html`);
        writeFileSync(source, recordings.pages[name]);
        await picturePage(browser, pathToFileURL(source).href, { name, theme, ...pages[name] });
      }
    }
  } finally {
    await browser.close();
    rmSync(temporary, { recursive: true, force: true });
  }
}

/** Draws the emulator's console, as soon as it is connected and no change is highlighted any more. */
async function pictureConsole(browser: Browser, address: string): Promise<void> {
  for (const theme of themes)
    await picturePage(browser, address, { name: "console", theme, ...consoleWindow }, shownObjects);
}

interface Picture {
  name: string;
  theme: (typeof themes)[number];
  width: number;
  height: number;
  scale: number;
}

/** Draws a page, and writes the texts that it shows. */
async function picturePage(
  browser: Browser,
  address: string,
  { name, theme, width, height, scale }: Picture,
  shown = async (_tab: Page): Promise<void> => {},
): Promise<void> {
  const tab = await browser.newPage();
  await tab.setViewport({ width, height, deviceScaleFactor: scale });
  await tab.emulateMediaFeatures([{ name: "prefers-color-scheme", value: theme }]);
  await tab.goto(address, { waitUntil: "load" });
  await shown(tab);
  await tab.screenshot({ path: join(folder, fileOf(name, theme, "png")) as `${string}.png` });
  writeFileSync(join(folder, `${name}.txt`), `${(await textsIn(tab)).join("\n")}\n`);
  await tab.close();
}

await main();
