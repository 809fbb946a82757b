import type { Browser, Page } from "puppeteer-core";
import { comparison, desk, emulated, opened } from "./console-tab.mts";

/** The element with the focus: the number of a request, the key of a card, or the name of the element. */
const focused = (tab: Page): Promise<string> =>
  tab.evaluate(() => {
    const element = document.activeElement as HTMLElement | null;
    return element?.dataset.n ?? element?.dataset.key ?? (element?.id || element?.tagName || "");
  });

const scrolled = (tab: Page): Promise<number> => tab.$eval(".rows", ({ scrollTop }) => scrollTop);

const scrollTo = (tab: Page, top: number): Promise<void> =>
  tab.$eval(".rows", (rows, to) => rows.scrollTo({ top: to }), top);

/** Height of a row of the list in pixels. */
const ROW = 44;

/** Problems when the emulator ends while details are open, and starts again with other values. */
export async function reconnectProblems(browser: Browser): Promise<string[]> {
  const first = await emulated({ account: "small" });
  await first.call("GET", "/volumes");
  await using page = await opened(browser, desk, first);
  const { tab } = page;
  const { found, expect } = comparison("reconnect");
  const [web] = first.world.instances.all();
  await tab.click(`[data-key="Instance/${web?.id}"]`);
  await tab.waitForSelector(".details .facts");
  const shows = (text: string) => (): Promise<boolean> =>
    tab.$eval(".details", ({ textContent }, part) => textContent?.includes(part) ?? false, text);
  await first.close();
  await tab.keyboard.press("Escape");
  await tab.click(".row");
  await expect("an emulator that has ended", shows("The emulator does not respond. Check that it is running."), true);
  await tab.click(`[data-key="Instance/${web?.id}"]`);
  await expect("an object of an emulator that has ended", shows("The emulator does not respond."), true);
  await using second = await emulated({ account: "small", port: Number(new URL(first.url).port) });
  second.world.instances.patch(web?.id ?? 0, { tags: ["changed-meanwhile"] });
  await tab.waitForSelector(".live.on");
  await expect("the fields after that", shows("changed-meanwhile"), true);
  await expect("the message after that", shows("The emulator does not respond."), false);
  await tab.keyboard.press("Escape");
  await second.call("GET", "/volumes");
  await tab.locator(".row").click();
  await tab.waitForSelector(".details .facts");
  const { port } = new URL(second.url);
  await second.close();
  await using third = await emulated({ account: "small", port: Number(port) });
  await third.call("GET", "/regions");
  const restarted = shows("The request was removed: the emulator was started again.");
  await expect("a request of an emulator that was started again", restarted, true);
  await tab.waitForSelector('[data-n="1"]');
  await tab.keyboard.press("Escape");
  await expect("the focus is not on another request with its number", () => focused(tab), "tab-requests");
  return found;
}

/** Problems when a tab is hidden and shown again. */
export async function hiddenProblems(browser: Browser): Promise<string[]> {
  await using small = await emulated();
  await using page = await opened(browser, desk, small);
  const { tab } = page;
  const { found, expect } = comparison("hidden");
  const height = (): Promise<number> => tab.$eval(".rows .canvas", ({ clientHeight }) => clientHeight);
  const turn = (isHidden: boolean): Promise<void> =>
    tab.evaluate((value) => {
      Object.defineProperty(document, "hidden", { configurable: true, value });
      document.dispatchEvent(new Event("visibilitychange"));
    }, isHidden);
  for (let n = 1; n <= 250; n++) await small.call("GET", "/volumes");
  await expect("the requests before", height, 250 * ROW);
  await turn(true);
  await small.call("GET", "/volumes");
  await turn(false);
  await expect("the requests after that", height, 251 * ROW);
  return found;
}

/** Problems when details are opened and closed: the focus, the place in a list, and texts in a form. */
export async function placeProblems(browser: Browser): Promise<string[]> {
  await using small = await emulated({ account: "small" });
  for (let n = 1; n <= 100; n++) await small.call("GET", "/volumes");
  await using page = await opened(browser, desk, small);
  const { tab } = page;
  const { found, expect } = comparison("place");
  const focus = (): Promise<string> => focused(tab);
  const place = (): Promise<number> => scrolled(tab);
  const problem = (): Promise<(string | null)[]> =>
    tab.$$eval(".details .nothing", (texts) => texts.map(({ textContent }) => textContent));

  await scrollTo(tab, 1000);
  await tab.locator('[data-n="75"]').click();
  await tab.waitForSelector(".details .facts");
  await small.call("GET", "/volumes");
  await expect("a new request moves the list", place, 1000 + ROW);
  const before = await place();
  await tab.keyboard.press("Escape");
  await expect("the focus returns to the request", focus, "75");
  await expect("the list keeps its place", place, before);
  await scrollTo(tab, 0);
  await tab.waitForSelector('[data-n="101"]');
  await expect("a request that is scrolled away keeps the focus", focus, "75");
  await tab.keyboard.press("ArrowDown");
  await expect("an arrow key moves from there", focus, "74");
  await expect("and shows the request", async () => (await place()) > 500, true);

  await tab.click("#tab-faults");
  await tab.type("[name=path]", "volumes.create");
  const [web] = small.world.instances.all();
  await tab.click(`[data-key="Instance/${web?.id}"]`);
  await tab.waitForSelector(".details .link");
  await tab.click(".details .link");
  await tab.keyboard.press("Escape");
  await expect("the focus returns to the card that was opened first", focus, `Instance/${web?.id}`);
  const text = (): Promise<string> => tab.$eval("[name=path]", (input) => (input as HTMLInputElement).value);
  await expect("a form keeps its text", text, "volumes.create");

  await tab.click("#tab-requests");
  await tab.locator(".row").click();
  await tab.waitForSelector(".details .facts");
  await fetch(`${small.console}requests`, { method: "DELETE" });
  await expect("a request that was cleared", problem, ["The request was removed: the list of requests was cleared."]);
  await tab.keyboard.press("Escape");
  await expect("the focus after the request was cleared", focus, "tab-requests");
  return found;
}
