import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { go, python } from "../../tools/install";
import { clients } from "../clients/clients";
import { compatibilityPage, type Result } from "../clients/page";

afterEach(() => vi.unstubAllEnvs());

test("the page lists each client with its version and its result, and the clients that were not run", () => {
  const [first, ...others] = clients.map((client) => ({ client, passed: ["a", "b"], failed: [] as string[] }));
  const page = compatibilityPage([{ ...(first as Result), failed: ["c"] }, ...others]);
  expect(page).toContain("| linode_api4 (Python) | 5.2.1 | 2 of 3 pass; not: c |");
  expect(page).toContain("| boto3 (S3) | 1.44.5 | 2 of 2 pass |");
  for (const { name, version } of clients) expect(page).toContain(`| ${name} | ${version} |`);
  expect(page).toContain("`@pulumi/linode`");
});

test("the page that is published lists every client in its version, and all of their tests pass", () => {
  const page = readFileSync(join(__dirname, "../../docs/compatibility.md"), "utf8");
  for (const { name, version } of clients)
    expect(page).toMatch(new RegExp(`\\| ${name.replace(/[()]/g, "\\$&")} +\\| ${version} +\\| (\\d+) of \\1 pass`));
});

test.each([
  ["python", "python3 is missing or does not run. Install Python 3.10 or later with its module venv."],
  ["go", "go is missing or does not run. Install Go 1.25 or later."],
] as const)("make clients reports the tools that are missing for %s", async (tool, message) => {
  const cache = mkdtempSync(join(tmpdir(), "clients-"));
  vi.stubEnv("CLOUDINFRA_CACHE", cache);
  vi.stubEnv("PATH", cache);
  const folder = join(__dirname, "../clients", tool);
  const install = tool === "go" ? go(folder, "go.mod") : python(join(folder, "requirements.txt"));
  await expect(install).rejects.toThrow(message);
  rmSync(cache, { recursive: true });
});
