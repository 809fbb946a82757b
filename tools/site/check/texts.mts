import type { Page } from "puppeteer-core";

/** Waits until the emulator's console is connected and shows objects. */
export async function shownObjects(tab: Page): Promise<void> {
  await tab.waitForSelector(".live.on");
  await tab.waitForSelector(".canvas .card");
}

/** The texts that the window shows, without times and without texts of scripts. */
export const textsIn = (tab: Page): Promise<string[]> =>
  tab.evaluate(() => {
    const texts = new Set<string>();
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const parent = node.parentElement;
      if (
        !parent?.checkVisibility({ contentVisibilityAuto: true }) ||
        parent.closest("time, option, .spoken, [role=status]")
      )
        continue;
      const range = document.createRange();
      range.selectNode(node);
      const { top, bottom, width } = range.getBoundingClientRect();
      const text = (node.textContent ?? "").trim();
      if (text.length > 2 && width > 0 && bottom > 0 && top < innerHeight) texts.add(text);
    }
    return [...texts];
  });
