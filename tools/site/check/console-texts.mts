import type { Browser } from "puppeteer-core";
import { namedOperations, operations } from "../../../dist/api/index.js";
import { consoleWindow, shownOnPage } from "../../../dist/tools/pictures/catalog.js";
import { withShop } from "../../../dist/tools/pictures/run.js";
import { openedIn } from "./browser.mts";
import { desk } from "./console-tab.mts";
import { shownObjects, textsIn } from "./texts.mts";

/** Texts that the picture of the console in the docs shows and the console does not, or the other way round. */
export async function textProblems(browser: Browser): Promise<string[]> {
  const texts = await withShop(async ({ console: address }) => {
    await using page = await openedIn(browser, desk);
    await page.tab.setViewport(consoleWindow);
    await page.tab.goto(address, { waitUntil: "load" });
    await shownObjects(page.tab);
    return textsIn(page.tab);
  });
  const [shown, pictured] = [new Set(texts.map(comparable)), new Set(shownOnPage("console").map(comparable))];
  const vanished = [...pictured].filter((text) => !shown.has(text));
  const added = [...shown].filter((text) => !pictured.has(text));
  return [
    ...vanished.map((text) => `does not show ${JSON.stringify(text)}, as its picture in the docs does (make pictures)`),
    ...added.map((text) => `shows ${JSON.stringify(text)}, which its picture in the docs does not (make pictures)`),
  ];
}

const operationNames: ReadonlySet<string> = new Set(namedOperations(operations).map(({ name }) => name));

/**
 * A text without what differs between runs: ids, times, ports and addresses, and the requests that the list shows. A
 * program creates independent objects in varying orders.
 */
const comparable = (text: string): string =>
  operationNames.has(text)
    ? "OPERATION"
    : text
        .split(", ")
        .sort()
        .join(", ")
        .replace(/^\/v4\/.+/, "PATH")
        .replace(/^(GET|POST|PUT|DELETE)$/, "METHOD")
        .replace(/\b\d+(\.\d+){3}(:\d+)?\b/, "ADDRESS")
        .replace(/^[\d.]+ m?s$/, "TIME")
        .replace(/\b\d{6}\b/g, "ID");
