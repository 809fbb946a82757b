import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "puppeteer-core";
import { forms, problemsOf } from "./browser.mts";
import { emulated, opened } from "./console-tab.mts";

/** Accessibility, width and requests of the page with all its panels, in both themes and at two widths. */
export async function lookProblems(browser: Browser, pictures?: string): Promise<string[]> {
  const found: string[] = [];
  await using empty = await emulated();
  await using small = await emulated({ account: "small" });
  small.faults.add({ path: "volumes.list", kind: "status", status: 503, times: 2 });
  for (const path of ["/volumes", "/volumes/7", "/compute/instances"]) await small.call("GET", path);
  const [web] = small.world.instances.all();
  for (const form of forms) {
    const check = async (tab: Page, name: string): Promise<void> => {
      found.push(...(await problemsOf(tab)).map((problem) => `${name} (${form.name}): ${problem}`));
      if (!pictures) return;
      mkdirSync(pictures, { recursive: true });
      await tab.screenshot({ path: join(pictures, `console-${name}-${form.name}.png`) });
    };
    await using page = await opened(browser, form, empty);
    await check(page.tab, "empty");
    const requests: string[] = [];
    page.tab.on("request", (request) => requests.push(request.url()));
    await page.tab.goto(small.console, { waitUntil: "load" });
    await page.tab.waitForSelector(".canvas .card");
    await check(page.tab, "small");
    await page.tab.click(`[data-key="Instance/${web?.id}"]`);
    await page.tab.waitForSelector(".details .facts");
    await check(page.tab, "object");
    await page.tab.keyboard.press("Escape");
    for (const panel of ["faults", "data", "access", "requests"]) {
      await page.tab.click(`#tab-${panel}`);
      await check(page.tab, panel);
    }
    await page.tab.click(".row");
    await page.tab.waitForSelector(".details .facts");
    await check(page.tab, "request");
    const foreign = requests.filter((url) => !url.startsWith(small.console) && !url.startsWith("data:"));
    if (foreign.length > 0) found.push(`${form.name}: requests ${foreign.join(", ")}`);
  }
  return found;
}
