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
/** What the demo printed, by step. */
let steps: { title: string; text: string }[];

/** As `make demo` runs it, but in a folder of its own: a demo that somebody keeps running is not disturbed. */
beforeAll(async () => {
  place = await mkdtemp(join(tmpdir(), "demo-"));
  const { KEEP: _, ...inherited } = process.env;
  const own = { CLOUDINFRA_CACHE: place, PULUMI_HOME: join(place, "pulumi-home"), PULUMI_CONFIG_PASSPHRASE: "demo" };
  const env = { ...inherited, ...own, PULUMI_SKIP_UPDATE_CHECK: "true", DEMO_TEST: place };
  const began = performance.now();
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
  seconds = (performance.now() - began) / 1000;
  const [, ...parts] = stripVTControlCharacters(output).split(/^━━ \d+ · /m);
  steps = parts.map((part) => ({ title: part.slice(0, part.indexOf("\n")), text: part.slice(part.indexOf("\n")) }));
}, 400_000);

afterAll(async () => {
  await killMarked(`DEMO_TEST=${place}`);
  await rm(place, { recursive: true, force: true, maxRetries: 3 });
});

const step = (title: string): string => steps.find((step) => step.title === title)?.text ?? "";

test("it succeeds in good time", () => {
  expect(code, steps.at(-1)?.text).toBe(0);
  // A machine that has more to do than this is slower by as much.
  const busy = Math.max(1, (loadavg()[0] as number) / availableParallelism());
  console.log(`the demo took ${seconds.toFixed(0)} s on a machine that was busy ${busy.toFixed(1)} times over`);
  expect(seconds / busy).toBeLessThan(90);
});

test("it tells its story in steps", () => {
  expect(steps.map(({ title }) => title)).toEqual([
    "An account to play with",
    "Up",
    "Nothing to do",
    "Somebody changes things by hand",
    "The program puts it right",
    "The volume grows",
    "The volume moves",
    "Down",
  ]);
});

test("all comes up, and then there is nothing to do", () => {
  expect(step("Up")).toMatch(/Resources:\n\s+\+ \d+ created\n/);
  expect(step("Nothing to do")).toMatch(/Resources:\n\s+\d+ unchanged\n/);
});

test("what was changed by hand is found and put right, and nothing else", () => {
  const found = step("Somebody changes things by hand");
  expect(found).toMatch(/~ label\s*: "web-2" => "renamed-by-hand"/);
  expect(found).toMatch(/Resources:\n\s+~ 1 to update\n\s+- 1 to delete\n/);
  expect(step("The program puts it right")).toMatch(/Resources:\n\s+\+ 1 created\n\s+~ 1 updated\n/);
});

test("only the volume that moves would be replaced", () => {
  expect(step("The volume grows")).toMatch(/Resources:\n\s+~ 1 updated\n\s+\d+ unchanged\n/);
  expect(step("The volume moves")).toMatch(/Resources:\n\s+\+-1 to replace\n\s+\d+ unchanged\n/);
  const others = steps.filter(({ title }) => title !== "The volume moves" && title !== "The volume grows");
  for (const { title, text } of others) expect(text, title).not.toMatch(/\+-|replaced/);
});

test("in the end the account is empty", () => {
  expect(step("Down")).toMatch(/Resources:\n\s+- \d+ deleted\n/);
  expect(step("Down")).toMatch(/The account is empty: 0 instances, 0 volumes, 0 firewalls, 0 domains, 0 clusters\./);
});

test("no secret is printed", () => {
  for (const { title, text } of steps) expect(text, title).not.toMatch(/Correct-Horse|BEGIN CERTIFICATE/);
});
