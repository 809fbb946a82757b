import { setTimeout as pause } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import type { Browser, Page } from "puppeteer-core";
import { type Emulator, type EmulatorOptions, startEmulator } from "../../../dist/emulator/index.js";
import { type Form, openedIn } from "./browser.mts";

export const desk: Form = { name: "light-desk", theme: "light", width: 1280 };

/** An emulator, and the address of its console. */
export async function emulated(options: EmulatorOptions = {}) {
  const emulator = await startEmulator({ pace: "stepped", ...options });
  const headers = { authorization: `Bearer ${emulator.token}`, "content-type": "application/json" };
  const call = async (method: string, path: string, body?: object): Promise<Record<string, unknown>> => {
    const response = await fetch(`${emulator.url}${path}`, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    });
    return response.json() as Promise<Record<string, unknown>>;
  };
  return { ...emulator, call, [Symbol.asyncDispose]: () => emulator.close() };
}

export async function opened(browser: Browser, form: Form, { console: address }: Pick<Emulator, "console">) {
  const page = await openedIn(browser, form);
  await page.tab.goto(address, { waitUntil: "load" });
  await page.tab.waitForSelector(".live.on");
  return page;
}

/** Clicks a button that copies a text, and returns the text. */
export async function copied(tab: Page, label: string): Promise<string> {
  const { origin } = new URL(tab.url());
  await tab.browserContext().overridePermissions(origin, ["clipboard-read", "clipboard-sanitized-write"]);
  const button = await tab.waitForSelector(`button[aria-label="${label}"]`);
  await button?.click();
  await tab.waitForFunction((clicked) => clicked?.ariaLabel === "Copied", {}, button);
  return tab.evaluate(() => navigator.clipboard.readText());
}

/** Milliseconds within which the page has to show what was done, also on a machine that is busy. */
const TIMEOUT = 5_000;

/** Compares what a page and its account contain with what they should, and collects the differences. */
export function comparison(subject: string) {
  const found: string[] = [];
  /** Reads a value until it is as expected or the time is over. */
  const expect = async (what: string, read: () => unknown, expected: unknown): Promise<void> => {
    const end = performance.now() + TIMEOUT;
    let value = await read();
    while (!isDeepStrictEqual(value, expected) && performance.now() < end) {
      await pause(25);
      value = await read();
    }
    if (!isDeepStrictEqual(value, expected))
      found.push(`${subject}: ${what}: ${JSON.stringify(value)} instead of ${JSON.stringify(expected)}`);
  };
  return { found, expect };
}
