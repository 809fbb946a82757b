import { expect, test } from "vitest";
import { whileVisible } from "../../../console/while-visible";

function page(hidden: boolean) {
  const events = new EventTarget();
  const one = {
    hidden,
    addEventListener: (event: string, listener: () => void) => events.addEventListener(event, listener),
    turn(isHidden: boolean) {
      one.hidden = isHidden;
      events.dispatchEvent(new Event("visibilitychange"));
    },
  };
  return one;
}

test("a page has a stream only while it is visible, and a new one each time that it becomes visible", () => {
  const log: string[] = [];
  let opened = 0;
  const open = () => {
    const n = ++opened;
    log.push(`open ${n}`);
    return { close: () => log.push(`close ${n}`) };
  };
  const tab = page(true);
  whileVisible(tab, open);
  expect(log).toEqual([]);
  for (const hidden of [false, false, true, true, false]) tab.turn(hidden);
  expect(log).toEqual(["open 1", "close 1", "open 2"]);
});
