import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { Browser, CDPSession, Page } from "puppeteer-core";
import type { Emulator } from "../../../dist/emulator/index.js";
import { openedIn } from "./browser.mts";
import { desk, emulated, opened } from "./console-tab.mts";
import { exampleStack } from "./example-stack.mts";

/** Maximum time in milliseconds from the start of the navigation to the first card. */
const MAX_READY = 300;
/** Maximum time in milliseconds from a change of the account to its card. */
const MAX_DELAY = 200;
/** Maximum processor time of a frame in milliseconds: 60 frames in a second. */
const MAX_FRAME = 1000 / 60;
/** Minimum frames per second as a share of 60, or of a bare page's, if the machine draws that one more slowly. */
const MIN_SHARE = 0.95;
/** Maximum growth of the page's memory in bytes in an hour. */
const MAX_GROWTH = 20 * 1024 * 1024;

/** Maximum number of runs in which the console may reach a time, because other work on the machine disturbs some. */
const RUNS = 15;

/** Measures the time until the first card is drawn. */
export async function readyProblems(browser: Browser): Promise<string[]> {
  await using small = await emulated({ account: "small" });
  const times: number[] = [];
  while (times.length < 3 || (times.length < RUNS && Math.min(...times) > MAX_READY)) {
    await using page = await openedIn(browser, desk);
    await page.tab.evaluateOnNewDocument(() => {
      const seen = new MutationObserver(() => {
        if (!document.querySelector(".canvas .card")) return;
        seen.disconnect();
        (globalThis as { readyAt?: number }).readyAt = performance.now();
      });
      seen.observe(document, { childList: true, subtree: true });
    });
    await page.tab.goto(small.console, { waitUntil: "load" });
    await page.tab.waitForSelector(".canvas .card");
    times.push(await page.tab.evaluate(() => (globalThis as { readyAt?: number }).readyAt ?? Number.NaN));
  }
  const best = Math.round(Math.min(...times));
  console.log(`console: ready after ${best} ms (best of ${times.map(Math.round).join(", ")})`);
  return best <= MAX_READY ? [] : [`is ready after ${best} ms; allowed are ${MAX_READY}`];
}

/** Problems while `pulumi up` creates the objects of an example, and `pulumi destroy` deletes them. */
export async function pulumiProblems(browser: Browser): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), "console-pulumi-"));
  try {
    await using fast = await emulated({ pace: "fast" });
    await using page = await opened(browser, { ...desk, width: 1920 }, fast);
    await recordCards(page.tab);
    const events = recordRows(fast, { instances: "Instance", lkeClusters: "LkeCluster", domains: "Domain" });
    const project = await exampleStack(folder, fast);
    await project.quietly("up", "--yes", "--skip-preview");
    const created = await page.tab.$$eval(".canvas .card .card-name", (names) => names.map((name) => name.textContent));
    await project.quietly("destroy", "--yes", "--skip-preview");
    await page.tab.waitForFunction(() => !document.querySelector(".canvas .card"));
    const missing = ["web-1", "web-2", "example.org"].filter((name) => !created.includes(name));
    return [
      ...missing.map((name) => `pulumi up: ${name} is not shown`),
      ...delays("pulumi up and destroy", events, await recordedCards(page.tab), 6),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Records when rows of tables are created and removed, as `Kind/id appears`, by the machine's clock. */
function recordRows({ world }: Emulator, kinds: Readonly<Record<string, string>>): Map<string, number> {
  const events = new Map<string, number>();
  world.watchers.add((table, id, how, before) => {
    const kind = kinds[table];
    // The nodes of a cluster have no cards of their own.
    const isNode = table === "instances" && !world.instances.find(Number(id))?.label.startsWith("web-") && !before;
    if (!kind || isNode || (how === "written" && before)) return;
    if (how === "removed" && !events.has(`${kind}/${id} appears`)) return;
    const key = `${kind}/${id} ${how === "written" ? "appears" : "disappears"}`;
    events.set(key, performance.timeOrigin + performance.now());
  });
  return events;
}

/** Records in the page when each card appears, changes its status and disappears, by the machine's clock. */
const recordCards = (tab: Page): Promise<void> =>
  tab.evaluate(() => {
    const records: Record<string, number> = {};
    const now = (): number => performance.timeOrigin + performance.now();
    let before = new Map<string, string>();
    new MutationObserver(() => {
      const cards = [...document.querySelectorAll<HTMLElement>(".canvas .card")].map((card): [string, string] => [
        card.dataset.key ?? "",
        card.querySelector(".mark")?.textContent?.replace(/^\W+/, "") ?? "",
      ]);
      const after = new Map(cards);
      for (const [key, status] of after) {
        if (!before.has(key)) records[`${key} appears`] ??= now();
        if (before.get(key) !== status) records[`${key} ${status}`] ??= now();
      }
      for (const key of before.keys()) if (!after.has(key)) records[`${key} disappears`] ??= now();
      before = after;
    }).observe(document.body, { childList: true, subtree: true, characterData: true });
    (globalThis as { records?: typeof records }).records = records;
  });

const recordedCards = (tab: Page): Promise<Record<string, number>> =>
  tab.evaluate(() => (globalThis as { records?: Record<string, number> }).records ?? {});

/** Problems with the time from a change to its card, in the best of several runs. */
export async function liveProblems(browser: Browser): Promise<string[]> {
  let found = await liveRun(browser);
  for (let run = 1; run < RUNS && found.length > 0; run++) found = await liveRun(browser);
  return found;
}

/** Creates and deletes volumes. Their jobs end without a request that the console could follow. */
async function liveRun(browser: Browser): Promise<string[]> {
  await using fast = await emulated({ pace: "fast" });
  await using page = await opened(browser, desk, fast);
  await recordCards(page.tab);
  const events = new Map<string, number>();
  fast.world.watchers.add((table, id, how) => {
    if (table !== "volumes") return;
    const status = how === "removed" ? "disappears" : fast.world.volumes.find(Number(id))?.status;
    events.set(`Volume/${id} ${status}`, performance.timeOrigin + performance.now());
  });
  const ids: unknown[] = [];
  for (let at = 0; at < 8; at++)
    ids.push((await fast.call("POST", "/volumes", { label: `live-${at}`, region: "us-east", size: 20 })).id);
  await page.tab.waitForFunction(() => document.querySelectorAll(".canvas .card.t-good").length === 8);
  for (const id of ids) await fast.call("DELETE", `/volumes/${id}`);
  await page.tab.waitForFunction(() => !document.querySelector(".canvas .card"));
  return delays("volumes", events, await recordedCards(page.tab), 24);
}

/** Compares the times of events with the times of their cards. */
function delays(
  what: string,
  events: ReadonlyMap<string, number>,
  records: Readonly<Record<string, number>>,
  expected: number,
): string[] {
  const times = [...events].flatMap(([event, at]) => (records[event] === undefined ? [] : [records[event] - at]));
  const sorted = times.toSorted((a, b) => a - b);
  const [median = Number.NaN, worst = Number.NaN] = [sorted[Math.floor(sorted.length / 2)], sorted.at(-1)];
  console.log(
    `console: ${what}: ${times.length} changes drawn after ${Math.round(median)} ms (median), at most ${Math.round(worst)} ms`,
  );
  return [
    ...(times.length < expected ? [`${what}: only ${times.length} of ${expected} changes were drawn`] : []),
    ...(median <= MAX_DELAY
      ? []
      : [`${what}: changes are drawn after ${Math.round(median)} ms; allowed are ${MAX_DELAY}`]),
  ];
}

/** Processor time of the page's main thread in milliseconds. */
async function meter(tab: Page): Promise<{ session: CDPSession; busy: () => Promise<number> }> {
  const session = await tab.createCDPSession();
  // Processor time is measured, because it does not depend on what else runs on the machine.
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  const busy = async (): Promise<number> => {
    const { metrics } = await session.send("Performance.getMetrics");
    return 1000 * (metrics.find(({ name }) => name === "TaskDuration")?.value ?? Number.NaN);
  };
  return { session, busy };
}

/** Scrolls the element with the class `scroller` in 120 frames. Returns the number of frames per second. */
const framesPerSecond = (tab: Page, step: number): Promise<number> =>
  tab.evaluate(
    (pixels) =>
      new Promise<number>((done) => {
        const scroller = document.querySelector(".scroller") as HTMLElement;
        let count = 0;
        const startedAt = performance.now();
        const frame = (): void => {
          scroller.scrollTop += pixels;
          if (++count < 120) requestAnimationFrame(frame);
          else done((1000 * count) / (performance.now() - startedAt));
        };
        requestAnimationFrame(frame);
      }),
    step,
  );

/**
 * A page without a script that has as many boxes as the console has cards, in the same places, with one line of text
 * each. It scrolls as fast as the machine can: without a graphics card, the browser needs longer than a sixtieth of a
 * second to draw a screen.
 */
async function barePage(browser: Browser, objects: number): Promise<AsyncDisposable & { tab: Page }> {
  const page = await openedIn(browser, { ...desk, width: 1440 });
  const boxes = Array.from({ length: objects }, (_, i) => `<div class="box">object ${i}</div>`).join("");
  await page.tab.setContent(`<!doctype html><style>
    body { margin: 0 } .scroller { width: 1000px; height: 100vh; overflow-y: auto }
    .canvas { position: relative; height: ${Math.ceil(objects / 3) * 100}px }
    .box { position: absolute; contain: strict; width: 320px; height: 88px; border: 1px solid #ddd }
    ${[0, 1, 2].map((column) => `.box:nth-child(3n + ${column + 1}) { left: ${column * 333}px }`).join(" ")}
  </style><div class="scroller"><div class="canvas">${boxes}</div></div>`);
  await page.tab.evaluate(() => {
    for (const [i, box] of [...document.querySelectorAll<HTMLElement>(".box")].entries())
      box.style.top = `${Math.floor(i / 3) * 100}px`;
  });
  return page;
}

/**
 * Problems with speed: 10,000 objects are scrolled, and change, at 60 frames per second, or at the rate of a bare page
 * where the machine draws that one more slowly.
 */
export async function speedProblems(browser: Browser): Promise<string[]> {
  await using large = await emulated({ account: "large" });
  await using bare = await barePage(browser, 10_000);
  await using page = await opened(browser, { ...desk, width: 1440 }, large);
  const { tab } = page;
  await tab.waitForSelector(".canvas .card");
  await pause(500);
  const { busy } = await meter(tab);
  const volumes = large.world.volumes.all();
  let at = 0;
  const change = async (isMoved: boolean): Promise<NodeJS.Timeout> =>
    setInterval(() => {
      const { id } = volumes[at++ % volumes.length] ?? { id: 0 };
      if (isMoved)
        large.world.volumes.insert({ ...large.world.volumes.get(id), id: 5_000_000 + at, label: `new-${at}` });
      else large.world.volumes.patch(id, { label: `changed-${at}` });
    }, 20);
  const found: string[] = [];
  const steps = {
    scrolling: [40, undefined],
    "50 changes per second": [40, false],
    "50 new objects per second": [0, true],
  } as const;
  for (const [name, [scrolled, isMoved]] of Object.entries(steps)) {
    const rates: { bare: number; console: number }[] = [];
    let perFrame = Number.NaN;
    const isFast = (): boolean => rates.some((rate) => rate.console >= MIN_SHARE * Math.min(60, rate.bare));
    while (rates.length < 3 || (rates.length < RUNS && !isFast())) {
      await bare.tab.bringToFront();
      const bareRate = await framesPerSecond(bare.tab, 40);
      await tab.bringToFront();
      const timer = isMoved === undefined ? undefined : await change(isMoved);
      const before = await busy();
      rates.push({ bare: bareRate, console: await framesPerSecond(tab, scrolled) });
      perFrame = ((await busy()) - before) / 120;
      clearInterval(timer);
    }
    const list = rates.map((rate) => `${rate.console.toFixed(0)} (bare page: ${rate.bare.toFixed(0)})`).join(", ");
    console.log(
      `console: 10,000 objects, ${name}: ${list} frames per second, ${perFrame.toFixed(1)} ms of processor time per frame`,
    );
    if (!(perFrame <= MAX_FRAME)) found.push(`${name} takes ${perFrame.toFixed(1)} ms per frame with 10,000 objects`);
    if (!isFast()) found.push(`${name} is slower than a bare page with 10,000 objects: ${list} frames per second`);
  }
  return found;
}

/** Problems with memory: an hour at three requests per second, in a shorter time. */
export async function memoryProblems(browser: Browser): Promise<string[]> {
  await using small = await emulated({ account: "small" });
  await using page = await opened(browser, desk, small);
  const { tab } = page;
  const session = await tab.createCDPSession();
  const heap = async (): Promise<number> => {
    await session.send("HeapProfiler.collectGarbage");
    const { usedSize } = await session.send("Runtime.getHeapUsage");
    return usedSize;
  };
  const work = async (rounds: number): Promise<void> => {
    for (let round = 0; round < rounds; round++) {
      const { id } = await small.call("POST", "/volumes", { label: `v-${round}`, region: "us-east", size: 20 });
      await small.call("GET", `/volumes/${id}`);
      small.settle();
      await small.call("DELETE", `/volumes/${id}`);
    }
    await pause(200);
  };
  await work(50);
  const before = await heap();
  await work(3600);
  const growth = (await heap()) - before;
  console.log(`console: ${(growth / 1024 / 1024).toFixed(1)} MB more memory after 10,800 requests and 14,400 changes`);
  return growth <= MAX_GROWTH ? [] : [`needs ${growth} bytes more memory after an hour; allowed are ${MAX_GROWTH}`];
}
