import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { loadedBy } from "./loads";
import { type Mutant, root, work } from "./mutants";
import type { FileReach } from "./setup";

/** All tiers except `engine`, which takes too long. */
const tiers = ["unit", "contract", "lifecycle", "native", "chaos", "cli"];

/** Processes of the command load this file first. */
export const hook = join(__dirname, "hook.js");

/** Tests that run together, mostly one, with the numbers of the mutants whose code they run. */
export interface Test {
  project: string;
  file: string;
  names: readonly string[];
  milliseconds: number;
  mutants: ReadonlySet<string>;
  /** The modules that the test's file loads. */
  modules: ReadonlySet<string>;
}

export interface Reached {
  tests: readonly Test[];
  /** The mutants in code that runs when modules are loaded. */
  loading: ReadonlySet<string>;
}

/** The tests that reach each mutant. They run once, and again in files that changed since. */
export function recordedReach(): Reached {
  const folder = join(work, "reach");
  const keyFile = join(folder, "key");
  const key = hashOf(globSync("**/*.ts", { cwd: join(work, "sources") }).map((name) => join(work, "sources", name)));
  const isCurrent = existsSync(keyFile) && readFileSync(keyFile, "utf8") === key;
  if (!isCurrent) rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const changed = isCurrent ? changedTests(folder, statSync(keyFile).mtimeMs) : [];
  if (!isCurrent || changed.length) record(folder, changed);
  writeFileSync(keyFile, key);
  return read(folder);
}

function hashOf(files: readonly string[]): string {
  const hash = createHash("sha256");
  for (const file of files.toSorted()) hash.update(file).update(readFileSync(file));
  return hash.digest("hex");
}

function changedTests(folder: string, since: number): string[] {
  const recorded = new Map(records(folder).map(([file, reach]) => [reach.file, statSync(file).mtimeMs]));
  return globSync(`test/{${tiers.join(",")}}/**/*.test.ts`, { cwd: root }).filter(
    (name) => statSync(join(root, name)).mtimeMs > (recorded.get(name) ?? since),
  );
}

function record(folder: string, files: readonly string[]): void {
  console.log(`Recording which tests reach which mutants: ${files.length ? files.join(", ") : "all tests"}`);
  const vitest = join(root, "node_modules/vitest/vitest.mjs");
  const projects = tiers.flatMap((tier) => ["--project", tier]);
  const config = ["--config", "tools/mutants/vitest.config.mts", "--maxWorkers", "2", "--reporter", "dot"];
  const { status } = spawnSync(process.execPath, [vitest, "run", ...config, ...projects, ...files], {
    cwd: root,
    stdio: ["ignore", "inherit", "inherit"],
    env: { ...process.env, RECORD_REACH: folder, MUTANTS_HOOK: hook, CI: "1" },
  });
  // A failed test is not recorded, because it would fail for every mutant.
  if (status !== 0) console.log("Some tests failed without any mutant. They are not used.");
}

function records(folder: string): [string, FileReach][] {
  return globSync("*.json", { cwd: folder }).map((name) => {
    const file = join(folder, name);
    const reach: FileReach = JSON.parse(readFileSync(file, "utf8"));
    return [file, reach];
  });
}

function read(folder: string): Reached {
  const files = records(folder).map(([, reach]) => reach);
  const loading = new Set(files.flatMap((file) => file.loading));
  const tests = files.flatMap(({ project, file, tests: all }) => {
    const modules = loadedBy(file);
    return all.map(({ names, milliseconds, mutants }): Test => {
      // The command loads most modules when it needs them, which is not a use of their tables.
      const used = project === "cli" ? mutants.filter((id) => !loading.has(id)) : mutants;
      return { project, file, names, milliseconds, mutants: new Set(used), modules };
    });
  });
  return { tests, loading };
}

/** Whether the test names the subject of the file: `instance-disk.ts` is about InstanceDisk. */
function isAbout({ file, names }: Test, source: string): boolean {
  const subject = basename(source, ".ts");
  return new RegExp(`\\b(${subject}|${subject.replaceAll("-", "")})\\b`, "i").test(`${file} ${names[0]}`);
}

/**
 * The tests for the tables of a file, with the number of its mutants that each reaches. If no test reaches a function of
 * the file, the tests for its folder count. Tests that name the file's subject are first.
 */
function sharesOf(file: string, reached: Reached, mutants: readonly Mutant[]): Map<Test, number> {
  for (const place of [file, `${dirname(file)}/`]) {
    const ids = mutants.filter((mutant) => mutant.file.startsWith(place)).map(({ id }) => id);
    const shares = new Map<Test, number>();
    for (const test of reached.tests) {
      const share = ids.filter((id) => test.mutants.has(id)).length + (isAbout(test, file) ? ids.length : 0);
      if (share) shares.set(test, share);
    }
    if (shares.size) return shares;
  }
  return new Map();
}

/**
 * The tests for a mutant: first those that name its subject, are fast and run little other code, up to the given time.
 * Code that runs when its module is loaded can affect each test whose file loads it, although only the first one, or none,
 * runs it. `sharesOf` finds those that most likely fail.
 */
export function testsFor({ id, file }: Mutant, reached: Reached, mutants: readonly Mutant[], limit: number): Test[] {
  const cost = (test: Test): number => ((test.milliseconds + 20) * test.mutants.size) / (isAbout(test, file) ? 20 : 1);
  const all = sortedBy(cost, reached.tests);
  let tests = all.filter((test) => test.mutants.has(id));
  if (reached.loading.has(id)) {
    const shares = sharesOf(file, reached, mutants);
    const sharing = sortedBy(
      (test) => -(shares.get(test) ?? 0),
      all.filter((test) => shares.has(test)),
    );
    tests = [...new Set([...sharing, ...tests, ...all.filter(({ modules }) => modules.has(file))])];
  }
  let left = limit;
  return tests.filter(({ milliseconds }) => {
    if (milliseconds > left) return false;
    left -= milliseconds;
    return true;
  });
}

function sortedBy(value: (test: Test) => number, tests: readonly Test[]): Test[] {
  const values = new Map(tests.map((test) => [test, value(test)]));
  return tests.toSorted((a, b) => (values.get(a) ?? 0) - (values.get(b) ?? 0));
}
