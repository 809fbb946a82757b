import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { cutOff, openBrowser, violations } from "./browser.mts";
import { consoleProblems, consoleSpeedProblems } from "./console-page.mts";
import { driftPageProblems } from "./drift-page.mts";
import { deadLinks } from "./links.mts";
import { searchProblems } from "./search.mts";

const dist = fileURLToPath(new URL("../dist", import.meta.url));
const types: Record<string, string> = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
  ".png": "image/png",
};

const server = createServer(async ({ url = "/" }, response) => {
  const file = join(dist, decodeURIComponent(new URL(url, "http://site").pathname));
  try {
    const bytes = await readFile(file);
    response.setHeader("content-type", types[extname(file)] ?? "application/octet-stream").end(bytes);
  } catch {
    response.writeHead(404).end();
  }
});

/**
 * Checks the built site, the HTML report of `cloudinfra drift` and the emulator's console. `--pictures FOLDER` saves a picture of each checked
 * page. `--speed` only measures the console with many objects and requests.
 */
async function main(): Promise<void> {
  if (process.argv.includes("--speed")) return speed();
  const pictures = process.argv[process.argv.indexOf("--pictures") + 1];
  const dead = deadLinks(dist);
  report("dead links", dead);
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  const browser = await openBrowser();
  if (typeof browser === "string") console.log(`accessibility: skipped: ${browser}`);
  else {
    const { port } = server.address() as AddressInfo;
    const address = `http://127.0.0.1:${port}`;
    const chosen = process.argv.includes("--pictures") ? pictures : undefined;
    report("accessibility problems", await violations(browser, address, chosen));
    report("parts that are cut off", await cutOff(browser, address));
    report("search problems", await searchProblems(browser, address));
    report("problems of the drift report", await driftPageProblems(browser, chosen));
    report("problems of the console", await consoleProblems(browser, chosen));
    await browser.close();
  }
  server.close();
}

async function speed(): Promise<void> {
  const browser = await openBrowser();
  if (typeof browser === "string") return console.log(`speed of the console: skipped: ${browser}`);
  report("problems with the speed of the console", await consoleSpeedProblems(browser));
  await browser.close();
}

function report(name: string, problems: readonly string[]): void {
  console.log(`${name}: ${problems.length}`);
  for (const problem of problems) console.log(`  ${problem}`);
  if (problems.length) process.exitCode = 1;
}

await main();
