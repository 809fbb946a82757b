import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Browser } from "puppeteer-core";
import { comparison, copied, desk, emulated, opened } from "./console-tab.mts";

interface Sent {
  method: string;
  path: string;
  body?: object;
  filter?: object;
}

/** Requests whose values a shell or a command line could misread. */
const requests = (volume: number | undefined): Sent[] => [
  { method: "GET", path: "/volumes?page=1&page_size=25", filter: { "+or": [{ label: "data" }, { label: "it's" }] } },
  {
    method: "POST",
    path: "/volumes",
    body: { label: "copy", region: "us-east", tags: ["it's $(id) `id`", '"b" \\ c'] },
  },
  { method: "PUT", path: `/volumes/${volume}`, body: { label: "renamed", tags: [] } },
  { method: "DELETE", path: `/volumes/${volume}` },
];

/**
 * Problems with the commands in the details of requests and objects. A user who copies and runs them gets the same
 * response. Each runs on the account as it was before the request.
 */
export async function commandProblems(browser: Browser): Promise<string[]> {
  const folder = userFolder();
  try {
    await using account = await emulated({ account: "small" });
    await using page = await opened(browser, desk, account);
    const { tab } = page;
    const { found, expect } = comparison("commands");
    // Each restored account would highlight all cards, which takes seconds without a graphics card.
    await tab.emulateMediaFeatures([{ name: "prefers-reduced-motion", value: "reduce" }]);
    const json = { "content-type": "application/json" };
    const snapshot = await (await fetch(`${account.console}state`)).text();
    const restore = () => fetch(`${account.console}state`, { method: "PUT", headers: json, body: snapshot });
    const send = async ({ method, path, body, filter }: Sent): Promise<unknown> => {
      const headers = {
        ...json,
        authorization: `Bearer ${account.token}`,
        ...(filter && { "x-filter": JSON.stringify(filter) }),
      };
      await restore();
      const response = await fetch(account.url + path, {
        method,
        headers,
        ...(body && { body: JSON.stringify(body) }),
      });
      return response.json();
    };
    const env = { ...process.env, CLOUDINFRA_URL: account.url, CLOUDINFRA_TOKEN: account.token };
    const run = async (command: string): Promise<unknown> => {
      await restore();
      const { stdout } = await promisify(execFile)("sh", ["-c", command], { cwd: folder, env });
      return JSON.parse(stdout);
    };
    const compare = async (response: unknown): Promise<void> => {
      for (const label of ["Copy the cloudinfra command", "Copy the curl command"]) {
        const command = await copied(tab, label);
        const output = await run(command).catch(String);
        await expect(command, () => output, response);
      }
    };
    const [volume, instance] = [account.world.volumes.all()[0]?.id, account.world.instances.all()[0]?.id];
    for (const request of requests(volume)) {
      const response = await send(request);
      await tab.locator(`[data-n="${account.requests.list().at(-1)?.n}"]`).click();
      await compare(response);
      await tab.keyboard.press("Escape");
    }
    const response = await send({ method: "GET", path: `/compute/instances/${instance}` });
    await tab.locator(`[data-key="Instance/${instance}"]`).click();
    await compare(response);
    return found;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A folder in which the command of the package is installed, so that npx finds it. */
function userFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "console-commands-"));
  const main = fileURLToPath(new URL("../../../dist/cli/main.js", import.meta.url));
  mkdirSync(join(folder, "node_modules/.bin"), { recursive: true });
  writeFileSync(join(folder, "node_modules/.bin/cloudinfra"), `#!/bin/sh\nexec node '${main}' "$@"\n`, { mode: 0o755 });
  return folder;
}
