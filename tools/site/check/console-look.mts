import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "puppeteer-core";
import { type Form, forms, problemsOf } from "./browser.mts";
import { comparison, emulated, opened } from "./console-tab.mts";

/** Accessibility, width and requests of the page, in both themes and at two widths. */
export async function lookProblems(browser: Browser, pictures?: string): Promise<string[]> {
  const found: string[] = [];
  await using empty = await emulated();
  await using small = await emulated({ account: "small" });
  await using medium = await emulated({ account: "small" });
  await using large = await emulated({ account: "large" });
  addObjects(medium, 300);
  small.faults.add({ path: "volumes.list", kind: "status", status: 503, times: 2 });
  for (const path of ["/volumes", "/volumes/7", "/compute/instances"]) await small.call("GET", path);
  for (const form of forms) {
    const check = async (tab: Page, name: string): Promise<void> => {
      found.push(...(await problemsOf(tab)).map((problem) => `${name} (${form.name}): ${problem}`));
      if (!pictures) return;
      mkdirSync(pictures, { recursive: true });
      await tab.screenshot({ path: join(pictures, `console-${name}-${form.name}.png`) });
    };
    await using page = await opened(browser, form, empty);
    await check(page.tab, "empty");
    found.push(...(await panelProblems(page.tab, small, form, check)));
    for (const [name, account] of Object.entries({ medium, large })) {
      await page.tab.goto(account.console, { waitUntil: "load" });
      found.push(...(await regionProblems(page.tab, `${name} (${form.name})`)));
      await check(page.tab, name);
    }
  }
  return found;
}

type Account = Awaited<ReturnType<typeof emulated>>;
type Check = (tab: Page, name: string) => Promise<void>;

/** Checks the account `small` with all panels, and that the page sends no request to another address. */
async function panelProblems(tab: Page, small: Account, form: Form, check: Check): Promise<string[]> {
  const requests: string[] = [];
  tab.on("request", (request) => requests.push(request.url()));
  const [web] = small.world.instances.all();
  await tab.goto(small.console, { waitUntil: "load" });
  await tab.waitForSelector(".canvas .card");
  await check(tab, "small");
  await tab.click(`[data-key="Instance/${web?.id}"]`);
  await tab.waitForSelector(".details .facts");
  await check(tab, "object");
  await tab.keyboard.press("Escape");
  for (const panel of ["faults", "data", "access", "requests"]) {
    await tab.click(`#tab-${panel}`);
    await check(tab, panel);
  }
  await tab.click(".row");
  await tab.waitForSelector(".details .facts");
  await check(tab, "request");
  await tab.click("#tab-faults");
  await tab.type("[name=path]", "volumes.creat");
  await tab.keyboard.press("Enter");
  await tab.waitForSelector(".field [role=alert]");
  await check(tab, "rejected");
  tab.removeAllListeners("request");
  const foreign = requests.filter((url) => !url.startsWith(small.console) && !url.startsWith("data:"));
  return foreign.length > 0 ? [`${form.name}: requests ${foreign.join(", ")}`] : [];
}

/** Adds objects with names of the maximum length in all regions. */
function addObjects({ world }: Account, count: number): void {
  const regions = world.regions.all();
  const [instance, volume] = [world.instances.all()[0], world.volumes.all()[0]];
  if (!instance || !volume) throw new Error("the account has no instance or no volume");
  for (let at = 0; at < count; at += 2) {
    const region = regions[at % regions.length]?.id ?? "";
    world.instances.insert({ ...instance, id: 5_000_000 + at, label: `server-${at}-`.padEnd(64, "x"), region });
    world.volumes.insert({
      ...volume,
      id: 5_000_000 + at,
      label: `volume-${at}-`.padEnd(32, "x"),
      region,
      compute_id: null,
    });
  }
}

/** Problems with the links to the regions: each scrolls the heading of its region to the top. */
async function regionProblems(tab: Page, subject: string): Promise<string[]> {
  const { found, expect } = comparison(subject);
  await tab.waitForSelector("nav.regions");
  const textsOf = (selector: string): Promise<string[]> =>
    tab.$$eval(selector, (all) => all.map(({ firstChild }) => firstChild?.textContent?.trim() ?? ""));
  const names = await textsOf("nav.regions button");
  await expect("links to regions", () => textsOf(".region"), names);
  for (const name of [names.at(-1), names[0]]) {
    await tab.locator(`nav.regions ::-p-xpath(.//button[starts-with(., "${name} ")])`).click();
    const isInView = (): Promise<boolean> =>
      tab.$$eval(
        ".region",
        (all, text) => {
          const { top, bottom } = document.querySelector(".scroller")?.getBoundingClientRect() ?? { top: 0, bottom: 0 };
          const heading = all
            .find(({ firstChild }) => firstChild?.textContent?.trim() === text)
            ?.getBoundingClientRect();
          return heading !== undefined && heading.top >= top - 1 && heading.bottom <= bottom;
        },
        name,
      );
    await expect(`the link to ${name}`, isInView, true);
  }
  return found;
}
