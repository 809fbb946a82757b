import type { Browser } from "puppeteer-core";
import { openedIn } from "./browser.mts";

/** Words that occur on pages for users and on pages for contributors. */
const words = ["engine", "replacement", "volumes cannot shrink"];

/** Problems of the search: results without text, and pages for contributors before pages for users. */
export async function searchProblems(browser: Browser, address: string): Promise<string[]> {
  await using opened = await openedIn(browser, { name: "desk", theme: "light", width: 1280 });
  const page = opened.tab;
  const found: string[] = [];
  for (const word of words) {
    await page.goto(`${address}/index.html`, { waitUntil: "networkidle0" });
    await page.click(".DocSearch-Button");
    await page.waitForSelector("#localsearch-input");
    await page.type("#localsearch-input", word);
    await page.waitForSelector(".results .result .excerpt");
    const results = await page.$$eval(".results .result", (links) =>
      links.slice(0, 5).map((link) => ({
        path: link.getAttribute("href") ?? "",
        text: link.querySelector(".excerpt")?.textContent?.trim() ?? "",
      })),
    );
    for (const { path, text } of results) {
      if (!text) found.push(`"${word}": ${path} is shown without its text`);
      if (/\/(decisions|contributing|coverage|rules)\b/.test(path))
        found.push(`"${word}": ${path} comes before pages for users`);
    }
  }
  return found;
}
