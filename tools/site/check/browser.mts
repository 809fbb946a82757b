import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import timers from "node:timers/promises";
import puppeteer, { type Browser, type Page } from "puppeteer-core";

/** Pages with different layouts: home, guide, drawing, diagram, tables, tabs, long, generated and code. */
const pages = [
  "index",
  "getting-started",
  "how-it-works",
  "from-terraform",
  "guides/languages",
  "guides/instances",
  "guides/load-balancers",
  "examples/index",
  "examples/three-tiers",
  "resources/index",
  "resources/volume",
  "api/instances",
  "troubleshooting",
  "messages/port-is-in-use-stop-the-program-that-listens-on-it",
  "contributing",
];
/** A combination of theme and width in which pages are checked. */
export interface Form {
  name: string;
  theme: "light" | "dark";
  width: number;
}

export const forms: readonly Form[] = (["light", "dark"] as const).flatMap((theme) => [
  { name: `${theme}-desk`, theme, width: 1280 },
  { name: `${theme}-phone`, theme, width: 390 },
]);

/** Opens a tab of the browser, which is closed at the end of the block. */
export async function openedIn(browser: Browser, { theme, width }: Form): Promise<AsyncDisposable & { tab: Page }> {
  const tab = await browser.newPage();
  await tab.setViewport({ width, height: width > 500 ? 900 : 844 });
  await tab.emulateMediaFeatures([{ name: "prefers-color-scheme", value: theme }]);
  return { tab, [Symbol.asyncDispose]: () => tab.close() };
}

/** The reason of a failure, which can be an error or, with a WebSocket, an event that contains one. */
const reasonOf = (error: unknown): string =>
  String((error as { message?: unknown } | null)?.message || error).split("\n")[0] ?? "";

/**
 * Starts a browser: the machine's own, or else the one in the npm package. That package unpacks it into the folder for
 * temporary files, where it can be incomplete, for example because another process is unpacking it. So it is unpacked
 * again, up to four times, with pauses. If no browser starts, returns the reason.
 */
export async function openBrowser(tries = 5): Promise<Browser | string> {
  const installed = [process.env.CHROME_PATH ?? "", "/usr/bin/chromium", "/usr/bin/google-chrome"].find(existsSync);
  try {
    if (installed)
      return await puppeteer.launch({ executablePath: installed, args: ["--no-sandbox", "--disable-dev-shm-usage"] });
    const { default: chromium } = await import("@sparticuz/chromium");
    return await puppeteer.launch({ executablePath: await chromium.executablePath(), args: chromium.args });
  } catch (error) {
    if (tries <= 1) return `no Chromium starts here (set CHROME_PATH): ${reasonOf(error)}`;
    rmSync(join(tmpdir(), "chromium"), { force: true });
    await timers.setTimeout(3_000);
    return openBrowser(tries - 1);
  }
}

/**
 * Accessibility problems of these pages, in both themes and at two widths. If a folder is given, saves a picture of each
 * page.
 */
export async function violations(browser: Browser, address: string, pictures?: string): Promise<string[]> {
  const found: string[] = [];
  for (const form of forms) {
    await using page = await openedIn(browser, form);
    for (const path of pages) {
      await goTo(page.tab, `${address}/${path}.html`);
      for (const problem of await problemsOf(page.tab)) found.push(`${path} (${form.name}): ${problem}`);
      if (pictures) {
        mkdirSync(pictures, { recursive: true });
        await page.tab.screenshot({ path: join(pictures, `${path.replaceAll("/", "-")}-${form.name}.png`) });
      }
    }
  }
  return found;
}

/** Goes to a page of the docs site, and waits until its script has mounted: the layout changes a little at that moment. */
async function goTo(tab: Page, address: string): Promise<void> {
  await tab.goto(address, { waitUntil: "load" });
  await tab.waitForFunction(() => "__vue_app__" in (document.querySelector("#app") ?? {}));
}

/** Widths of laptops, and those around which the layout of wide windows begins. */
const laptops = [1366, 1440, 1519, 1520, 1920];

/** Parts of a page that end outside the window, or whose content ends outside them, in windows of different widths. */
export async function cutOff(browser: Browser, address: string): Promise<string[]> {
  const found: string[] = [];
  for (const width of laptops) {
    await using page = await openedIn(browser, { name: "laptop", theme: "light", width });
    await goTo(page.tab, `${address}/guides/instances.html`);
    const parts = await page.tab.evaluate(() =>
      [".VPNavBar .title a", ".VPNavBar .content", ".VPDoc .content-container"].map((name) => {
        const part = document.querySelector(name);
        if (!part) return { name, isWhole: false };
        const { left, right } = part.getBoundingClientRect();
        const isInside = left >= 0 && right <= document.documentElement.clientWidth;
        return { name, isWhole: isInside && part.scrollWidth <= part.clientWidth };
      }),
    );
    for (const { name, isWhole } of parts) if (!isWhole) found.push(`${name} is cut off at a width of ${width} pixels`);
  }
  return found;
}

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Accessibility problems of the page in a tab. */
export async function problemsOf(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  const results = await page.evaluate(async () => {
    const { axe } = globalThis as unknown as { axe: typeof import("axe-core") };
    const { violations } = await axe.run();
    const { scrollWidth, clientWidth } = document.documentElement;
    const wide = scrollWidth > clientWidth ? [`is ${scrollWidth - clientWidth} pixels wider than the screen`] : [];
    return [
      ...wide,
      ...violations.map(({ id, help, nodes }) => `${id}: ${help}: ${nodes.length} times, first ${nodes[0]?.html}`),
    ];
  });
  return results.map((result) => result.slice(0, 300));
}
