import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import type { Browser, Page } from "puppeteer-core";
import { commandProblems } from "./console-commands.mts";
import { formProblems } from "./console-forms.mts";
import { lookProblems } from "./console-look.mts";
import { hiddenProblems, placeProblems, reconnectProblems } from "./console-place.mts";
import { liveProblems, memoryProblems, pulumiProblems, readyProblems, speedProblems } from "./console-speed.mts";
import { comparison, desk, emulated, opened } from "./console-tab.mts";
import { textProblems } from "./console-texts.mts";

/** Maximum size of the console's files in bytes, compressed. */
const MAX_SIZE = 150 * 1024;
/** Problems of the emulator's console. */
export async function consoleProblems(browser: Browser, pictures?: string): Promise<string[]> {
  const found = [
    ...sizeProblems(),
    ...(await lookProblems(browser, pictures)),
    ...(await textProblems(browser)),
    ...(await readyProblems(browser)),
    ...(await liveProblems(browser)),
    ...(await pulumiProblems(browser)),
    ...(await keyboardProblems(browser)),
    ...(await placeProblems(browser)),
    ...(await reconnectProblems(browser)),
    ...(await hiddenProblems(browser)),
    ...(await formProblems(browser)),
    ...(await commandProblems(browser)),
    ...(await hostileProblems(browser)),
  ];
  return found.map((problem) => `console: ${problem}`);
}

/** Problems of the console with 10,000 objects, and after an hour of requests. */
export async function consoleSpeedProblems(browser: Browser): Promise<string[]> {
  const found = [...(await speedProblems(browser)), ...(await memoryProblems(browser))];
  return found.map((problem) => `console: ${problem}`);
}

function sizeProblems(): string[] {
  const folder = fileURLToPath(new URL("../../../dist/console", import.meta.url));
  const size = ["console.js", "console.css"].reduce(
    (sum, file) => sum + gzipSync(readFileSync(join(folder, file))).length,
    0,
  );
  console.log(`console: ${(size / 1024).toFixed(1)} KB, compressed`);
  return size > MAX_SIZE ? [`has ${size} bytes, compressed; allowed are ${MAX_SIZE}`] : [];
}

const focused = (tab: Page): Promise<string> =>
  tab.evaluate(() => {
    const element = document.activeElement as HTMLElement | null;
    return element?.dataset.key ?? (element?.id || element?.getAttribute("aria-label") || element?.tagName || "");
  });

/** Problems when the console is used by keyboard only. */
async function keyboardProblems(browser: Browser): Promise<string[]> {
  await using small = await emulated({ account: "small" });
  await using page = await opened(browser, desk, small);
  const { tab } = page;
  const { found, expect } = comparison("keyboard");
  await tab.waitForSelector(".canvas .card");
  const focus = (): Promise<string> => focused(tab);
  const shown = (): Promise<string[]> =>
    tab.$$eval(".canvas .card .card-name", (names) => names.map(({ textContent }) => textContent ?? ""));
  const search = (): Promise<string> => tab.$eval("#search", (input) => (input as HTMLInputElement).value);
  await tab.keyboard.press("/");
  await expect("the shortcut of the search", focus, "search");
  await tab.keyboard.type("archive");
  await expect("a search", shown, ["archive"]);
  await tab.keyboard.press("Escape");
  await expect("Escape clears the search", search, "");
  const keyOf = (name: string): string =>
    `Instance/${small.world.instances.where(({ label }) => label === name)[0]?.id}`;
  await tab.focus(".canvas .card");
  const first = await focus();
  await tab.keyboard.press("ArrowDown");
  await tab.keyboard.press("ArrowRight");
  await expect("arrow keys move between cards", focus, keyOf("web"));
  const stops = (): Promise<number> => tab.$$eval(".canvas .card[tabindex='0']", (cards) => cards.length);
  await expect("Tab has one stop among the cards", stops, 1);
  await tab.keyboard.press("Enter");
  await tab.waitForSelector(".details .facts");
  await expect("details get the focus", () => tab.evaluate(() => document.activeElement?.tagName), "H2");
  await tab.keyboard.press("Escape");
  await expect("the focus returns to the card", focus, keyOf("web"));
  await tab.keyboard.press("Home");
  await expect("Home moves to the first card", focus, first);
  await tab.focus("#tab-requests");
  await tab.keyboard.press("ArrowRight");
  await expect("arrow keys move between panels", focus, "tab-faults");
  await tab.type("[name=path]", "volumes.create");
  await tab.keyboard.press("Enter");
  await expect("Enter adds a fault", () => small.faults.list().map(({ path }) => path), ["volumes.create"]);
  await tab.waitForSelector(".list .mark");
  await small.call("POST", "/volumes", { label: "data", region: "us-east" });
  await tab.waitForSelector(".list .mark.hit");
  const mark = (): Promise<string | null> => tab.$eval(".list .mark", ({ textContent }) => textContent);
  await expect("the fault has hit", mark, "hit 1 of 1");
  await tab.click("#tab-data");
  const pace = ".body > .field select";
  await tab.waitForSelector(pace);
  await tab.select(pace, "real");
  await tab.waitForFunction(() => document.querySelector(".time .soft")?.textContent?.includes("real"));
  await expect("a choice changes the pace", () => small.world.clock.pace, "real");
  return found;
}

/** Texts that would run a script if the page inserted them as HTML or as an address. */
const hostileTexts = [
  '<img src=x onerror="window.hacked=1">',
  '"><script>window.hacked=1</script>',
  "javascript:window.hacked=1",
  "{{constructor.constructor('window.hacked=1')()}}",
];

/** Problems when texts of the account, of requests and of tokens contain scripts. */
async function hostileProblems(browser: Browser): Promise<string[]> {
  await using small = await emulated({ account: "small" });
  const { world } = small;
  const [web] = world.instances.all();
  for (const [at, text] of hostileTexts.entries()) {
    world.managedContacts.insert({ name: text, email: text, group: null, phone: { primary: null, secondary: null } });
    world.vlans.insert({ id: `us-east/${text}`, region: "us-east", label: text, created: web?.created ?? "" });
    world.instances.patch(world.instances.all()[at]?.id ?? 0, { label: text, status: text as "running" });
    await small.call("GET", `/volumes/${encodeURIComponent(text)}?page=${encodeURIComponent(text)}`);
    await small.call("POST", "/domains", { domain: text, type: "master", soa_email: text });
    await fetch(`${small.console}tokens`, {
      method: "POST",
      body: JSON.stringify({ label: text }),
      headers: { "content-type": "application/json" },
    });
  }
  await using page = await opened(browser, desk, small);
  const { tab } = page;
  const blocked: string[] = [];
  tab.on("console", (message) => blocked.push(message.text()));
  await tab.waitForSelector(".canvas .card");
  await tab.click(`[data-key="Instance/${web?.id}"]`);
  await tab.waitForSelector(".details .facts");
  const titles = [await tab.$eval(".details h2", ({ textContent }) => textContent)];
  for (const panel of ["access", "data", "faults", "requests"]) await tab.click(`#tab-${panel}`);
  await tab.click(".row");
  await tab.waitForSelector(".details .facts");
  const { hacked, elements } = await tab.evaluate(() => ({
    hacked: "hacked" in globalThis,
    elements: document.querySelectorAll("img, iframe, #console script, a[href^='javascript']").length,
  }));
  return [
    ...(titles[0]?.includes(hostileTexts[0] ?? "") ? [] : [`a hostile label is not shown as text: ${titles[0]}`]),
    ...(hacked ? ["a hostile text ran a script"] : []),
    ...(elements > 0 ? [`hostile texts created ${elements} elements`] : []),
    ...blocked.map((text) => `hostile texts caused a message of the browser: ${text}`),
  ];
}
