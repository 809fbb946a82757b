import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "puppeteer-core";
import { startEmulator } from "../../../dist/emulator/index.js";
import { openedIn } from "../check/browser.mts";
import { exampleStack } from "../check/example-stack.mts";

/**
 * Takes pictures of the console after a real `pulumi up` of the example program: `console-light.png`,
 * `console-dark.png`, and the same with `-phone`. Needs `pulumi` on the path. Returns the paths of the files.
 */
export async function consolePictures(browser: Browser, folder: string): Promise<string[]> {
  mkdirSync(folder, { recursive: true });
  const work = mkdtempSync(join(tmpdir(), "console-pictures-"));
  const files: string[] = [];
  try {
    await using emulator = await startEmulator({ pace: "fast", seed: 1 });
    for (const theme of ["light", "dark"] as const)
      for (const [suffix, width, height] of [
        ["", 1440, 900],
        ["-phone", 390, 844],
      ] as const) {
        await using page = await openedIn(browser, { name: theme, theme, width });
        await page.tab.setViewport({ width, height, deviceScaleFactor: 2 });
        await page.tab.goto(emulator.console, { waitUntil: "load" });
        if (files.length === 0) await (await exampleStack(work, emulator)).quietly("up", "--yes", "--skip-preview");
        await shown(page.tab);
        const path = join(folder, `console-${theme}${suffix}.png`) as `${string}.png`;
        await page.tab.screenshot({ path });
        files.push(path);
      }
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
  return files;
}

/** Waits until all instances run, and until no card is highlighted. */
async function shown(tab: Page): Promise<void> {
  await tab.waitForFunction(() => {
    const cards = [...document.querySelectorAll(".canvas .card")];
    return cards.length > 2 && !document.querySelector(".canvas .card.t-busy, .chip.t-busy");
  });
  await new Promise((done) => setTimeout(done, 1000));
}
