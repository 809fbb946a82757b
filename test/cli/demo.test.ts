import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { availableParallelism, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { killMarked } from "../../testing/processes";

let place: string;
let code: number | null;
let seconds: number;
/** The output of `make demo`, split into the steps that it prints. */
let steps: { title: string; text: string }[];

/**
 * Runs `make demo` with its own folder and cache, so that a demo that a developer has left running with `KEEP=1` is not
 * affected.
 */
beforeAll(async () => {
  place = await mkdtemp(join(tmpdir(), "demo-"));
  const { KEEP: _, ...inherited } = process.env;
  const own = { CLOUDINFRA_CACHE: place, PULUMI_HOME: join(place, "pulumi-home"), PULUMI_CONFIG_PASSPHRASE: "demo" };
  const env = { ...inherited, ...own, PULUMI_SKIP_UPDATE_CHECK: "true", DEMO_TEST: place };
  const startedAt = performance.now();
  const demo = spawn(process.execPath, [join(__dirname, "../../dist/tools/demo/main.js")], {
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [demo.stdout, demo.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  [code] = (await once(demo, "close")) as [number | null];
  seconds = (performance.now() - startedAt) / 1000;
  const [, ...parts] = stripVTControlCharacters(output).split(/^━━ \d+ · /m);
  steps = parts.map((part) => ({ title: part.slice(0, part.indexOf("\n")), text: part.slice(part.indexOf("\n")) }));
}, 400_000);

afterAll(async () => {
  await killMarked(`DEMO_TEST=${place}`);
  await rm(place, { recursive: true, force: true, maxRetries: 3 });
});

const step = (title: string): string => steps.find((step) => step.title === title)?.text ?? "";

test("the demo succeeds within 90 seconds", () => {
  expect(code, steps.at(-1)?.text).toBe(0);
  // Other processes on the machine slow the demo down, so the time limit is proportional to the load.
  const busy = Math.max(1, (loadavg()[0] as number) / availableParallelism());
  console.log(`the demo took ${seconds.toFixed(0)} s on a machine that was busy ${busy.toFixed(1)} times over`);
  expect(seconds / busy).toBeLessThan(90);
});

test("prints its steps in order", () => {
  expect(steps.map(({ title }) => title)).toEqual([
    "An emulated account",
    "Create the stack",
    "Preview without changes",
    "Detect drift",
    "Correct the drift",
    "Resize the volume",
    "Preview a replacement",
    "Destroy the stack",
  ]);
});

test("creates the stack, and the next preview shows no change", () => {
  expect(step("Create the stack")).toMatch(/Resources:\n\s+\+ \d+ created\n/);
  expect(step("Preview without changes")).toMatch(/Resources:\n\s+\d+ unchanged\n/);
});

test("detects and corrects the drift, and changes nothing else", () => {
  const found = step("Detect drift");
  expect(found).toMatch(/~ label\s*: "web-2" => "renamed-by-hand"/);
  expect(found).toMatch(/Resources:\n\s+~ 1 to update\n\s+- 1 to delete\n/);
  expect(step("Correct the drift")).toMatch(/Resources:\n\s+\+ 1 created\n\s+~ 1 updated\n/);
});

test("shows a replacement only for the volume that changes its region", () => {
  expect(step("Resize the volume")).toMatch(/Resources:\n\s+~ 1 updated\n\s+\d+ unchanged\n/);
  expect(step("Preview a replacement")).toMatch(/Resources:\n\s+\+-1 to replace\n\s+\d+ unchanged\n/);
  const others = steps.filter(({ title }) => title !== "Preview a replacement" && title !== "Resize the volume");
  for (const { title, text } of others) expect(text, title).not.toMatch(/\+-|replaced/);
});

test("leaves an empty account", () => {
  expect(step("Destroy the stack")).toMatch(/Resources:\n\s+- \d+ deleted\n/);
  expect(step("Destroy the stack")).toMatch(
    /The account is empty: 0 instances, 0 volumes, 0 firewalls, 0 domains, 0 clusters\./,
  );
});

test("prints none of the secrets", () => {
  for (const { title, text } of steps) expect(text, title).not.toMatch(/Correct-Horse|BEGIN CERTIFICATE/);
});
