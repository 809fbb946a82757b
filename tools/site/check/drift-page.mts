import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser, Page } from "puppeteer-core";
import { formats } from "../../../dist/drift/report/index.js";
import { forms, openedIn, problemsOf } from "./browser.mts";
import { accountOf } from "./drift-account.mts";

/**
 * Maximum processor time in milliseconds for a change of a filter. The goal is 200; the limit leaves room for slow
 * machines and still finds a page that freezes because each object is compared with every other.
 */
const MAX_BUSY = 1_000;

const DRIFTED = "shop/prod/Instance/web-7";

/** Problems of the HTML report of `cloudinfra drift`, which is opened in a browser from a file. */
export async function driftPageProblems(browser: Browser, pictures?: string): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), "drift-page-"));
  const saved = (name: string, objects: number): string => {
    const file = join(folder, `${name}.html`);
    writeFileSync(file, formats.html(accountOf(objects)));
    return pathToFileURL(file).href;
  };
  const [small, large] = [saved("small", 120), saved("large", 10_000)];
  const found: string[] = [];
  try {
    for (const form of forms) {
      await using page = await openedIn(browser, form);
      const requests: string[] = [];
      page.tab.on("request", (request) => requests.push(request.url()));
      await page.tab.goto(small, { waitUntil: "load" });
      const problems = await problemsOf(page.tab);
      found.push(...problems.map((problem) => `${form.name}: ${problem}`));
      if (requests.length !== 1) found.push(`${form.name}: requests ${requests.slice(1).join(", ")}`);
      if (pictures) {
        mkdirSync(pictures, { recursive: true });
        await page.tab.screenshot({ path: join(pictures, `drift-${form.name}.png`), fullPage: form.width < 500 });
      }
    }
    await using page = await openedIn(browser, { name: "desk", theme: "light", width: 1280 });
    found.push(...(await keyboardProblems(page.tab, small)), ...(await speedProblems(page.tab, large)));
    if (pictures) await page.tab.screenshot({ path: join(pictures, "drift-large.png") });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return found.map((problem) => `drift report: ${problem}`);
}

const focused = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const { id, tagName, className } = document.activeElement ?? document.body;
    const name = document.activeElement?.getAttribute("name");
    return name ?? (id || className || tagName.toLowerCase());
  });

const shown = (page: Page): Promise<string[]> =>
  page.$$eval("ul.objects > li:not([hidden])", (items) => items.map(({ id }) => id));

/** Problems when the page is used by keyboard only: skip link, search, filter, list and deep links. */
async function keyboardProblems(page: Page, address: string): Promise<string[]> {
  const found: string[] = [];
  const expect = (what: string, actual: unknown, expected: unknown): void => {
    if (JSON.stringify(actual) !== JSON.stringify(expected))
      found.push(`${what}: ${JSON.stringify(actual)} instead of ${JSON.stringify(expected)}`);
  };
  await page.goto(address, { waitUntil: "load" });
  const drifted = await shown(page);
  expect("objects with a difference come first", drifted[0]?.startsWith("shop/prod/"), true);
  await page.keyboard.press("Tab");
  expect("first focus", await focused(page), "skip");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  expect("focus after the skip link", await focused(page), "search");
  await page.keyboard.type("web-7");
  expect("a search", await shown(page), [DRIFTED]);
  expect("its number", await page.$eval("#count", ({ textContent }) => textContent), "1 of 120 objects");
  await page.keyboard.press("Tab");
  await page.keyboard.type("unmanaged");
  expect("a search with a status", await shown(page), []);
  expect("the address keeps the filters", new URL(page.url()).search, "?search=web-7&status=unmanaged");
  await page.reload({ waitUntil: "load" });
  expect("filters of an address", await shown(page), []);
  await page.goto(`${address}?status=unmanaged#${encodeURIComponent(DRIFTED)}`, { waitUntil: "load" });
  expect("focus of a deep link", await focused(page), DRIFTED);
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  expect("a link of the list", decodeURIComponent(new URL(page.url()).hash), `#${DRIFTED}`);
  return found;
}

/**
 * Problems with speed. Changes the search and the filters of a large report, and measures the processor time of each
 * change.
 */
async function speedProblems(page: Page, address: string): Promise<string[]> {
  await page.goto(address, { waitUntil: "load" });
  const session = await page.createCDPSession();
  // Processor time is measured, because it does not depend on what else runs on the machine.
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  const busy = async (): Promise<number> => {
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done))));
    const { metrics } = await session.send("Performance.getMetrics");
    return 1000 * (metrics.find(({ name }) => name === "TaskDuration")?.value ?? Number.NaN);
  };
  const steps: Record<string, () => Promise<unknown>> = {
    "a letter": () => page.type("[name=search]", "d"),
    "another letter": () => page.type("[name=search]", "a"),
    "all statuses": () => page.select("[name=status]", ""),
    "a kind": () => page.select("[name=kind]", "Volume"),
    "a reset": () => page.click("button[type=reset]"),
    "all objects": () => page.select("[name=status]", ""),
    "more of them": () => page.$eval("#more", (button) => (button as HTMLButtonElement).click()),
  };
  const found: string[] = [];
  for (const [step, act] of Object.entries(steps)) {
    const before = await busy();
    await act();
    const took = Math.round((await busy()) - before);
    console.log(`drift report of 10,000 objects: ${step}: ${took} ms`);
    if (!(took <= MAX_BUSY)) found.push(`${step} takes ${took} ms with 10,000 objects`);
  }
  return found;
}
