import { type ChildProcess, fork, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import fc from "fast-check";
import { equivalents, isSame } from "./equivalents";
import { folders, type Mutant, root, writeMutants } from "./mutants";
import { hook, type Reached, recordedReach, type Test, testsFor } from "./reach";
import type { Failure, Job } from "./runner";

type Verdict = "killed" | "timeout" | "survived" | "unreached" | "equivalent";

interface Result {
  mutant: Mutant;
  verdict: Verdict;
  /** The test that failed, or the reason why the mutant is equivalent. */
  note: string;
}

const WORKERS = 2;
const MUST_KILL = 0.9;
/** The tests for a mutant take this long without it. */
const TESTS_MS = 40_000;
/** How long a mutant may take with a busy machine. */
const HANGS_AFTER_MS = 300_000;

/**
 * Changes the code in small ways, and checks that a test fails for each: `MUTANTS=300 SEED=1 PATHS="stack account"`. A
 * path is a folder, a file, or a place in one as this command prints it.
 */
async function main(): Promise<void> {
  const count = Number(process.env.MUTANTS || 300);
  const seed = Number(process.env.SEED || Date.now() % 1_000_000);
  const paths = (process.env.PATHS ?? "").split(/\s+/).filter(Boolean);
  const start = Date.now();
  const mutants = await writeMutants();
  const reached = recordedReach();
  const candidates = mutants.filter(({ name }) => !paths.length || paths.some((path) => isIn(name, path)));
  if (!candidates.length) throw new Error(`PATHS=${paths.join(" ")} contains no mutants`);
  const sample = sampleOf(candidates, count, seed);
  console.log(`SEED=${seed}: ${sample.length} of ${candidates.length} mutants`);
  const results = await resultsOf(sample, reached, mutants);
  report(results, Math.round((Date.now() - start) / 1000));
}

const isIn = (name: string, path: string): boolean =>
  name === path || name.startsWith(`${path.replace(/\/$/, "")}/`) || name.startsWith(`${path}:`);

function sampleOf(mutants: readonly Mutant[], count: number, seed: number): Mutant[] {
  const length = Math.min(count, mutants.length);
  const subarray = fc.shuffledSubarray([...mutants], { minLength: length, maxLength: length });
  return fc.sample(subarray, { seed, numRuns: 1 })[0] ?? [];
}

async function resultsOf(sample: readonly Mutant[], reached: Reached, all: readonly Mutant[]): Promise<Result[]> {
  const results: Result[] = [];
  const queue = [...sample];
  const canCompare = await matchesGenerated("");
  if (!canCompare) console.log("The generated files are out of date and not compared: run make generate.");
  const work = async (): Promise<void> => {
    const runner = new Runner();
    for (let mutant = queue.shift(); mutant; mutant = queue.shift()) {
      const equivalent = equivalents.find((candidate) => isSame(candidate, mutant));
      const result: Result = equivalent
        ? { mutant, verdict: "equivalent", note: equivalent.reason }
        : await resultOf(mutant, runner, testsFor(mutant, reached, all, TESTS_MS));
      if (canCompare && isAlive(result) && reached.loading.has(mutant.id) && !(await matchesGenerated(mutant.id)))
        Object.assign(result, { verdict: "killed", note: "make generate ARGS=--check" });
      results.push(result);
      console.log(`${results.length}/${sample.length} ${result.verdict} ${mutant.name} ${result.note}`);
    }
    runner.end();
  };
  await Promise.all(Array.from({ length: WORKERS }, work));
  return results;
}

const isAlive = ({ verdict }: Result): boolean => verdict === "survived" || verdict === "unreached";

/** Whether the generated files, such as schema.json and the pages, are up to date with the mutant. */
async function matchesGenerated(mutant: string): Promise<boolean> {
  const child = spawn(process.execPath, ["--require", hook, join(root, "dist/tools/generate.js"), "--check"], {
    cwd: root,
    stdio: "ignore",
    env: { ...process.env, __STRYKER_ACTIVE_MUTANT__: mutant },
  });
  const [code]: unknown[] = await once(child, "close");
  return code === 0;
}

async function resultOf(mutant: Mutant, runner: Runner, reaching: readonly Test[]): Promise<Result> {
  if (!reaching.length) return { mutant, verdict: "unreached", note: "" };
  // The first test notices most mutants.
  const [first, ...others] = reaching;
  let batches = [first ? [first] : [], others];
  for (let tests = batches.shift(); tests; tests = batches.shift()) {
    if (!tests.length) continue;
    const failure = await runner.failure(mutant.id, tests);
    const failed = failure && tests.find((test) => isOf(test, failure));
    if (failure && (!failed || (await isNoticed(runner, mutant, failed, tests.length > 1))))
      return { mutant, verdict: isTimeout(failure) ? "timeout" : "killed", note: failure.test };
    if (failed) batches = [tests.filter((test) => test !== failed), ...batches];
  }
  return { mutant, verdict: "survived", note: `${reaching.flatMap(({ names }) => names).length} tests` };
}

const isOf = ({ file, names }: Test, { test }: Failure): boolean =>
  names.some((name) => `${file} > ${name}`.startsWith(test));

const isTimeout = ({ message }: Failure): boolean => /timed out in|Hit count limit|^hangs$/.test(message);

const reliable = new Map<Test, boolean>();

/** Whether a test fails because of the mutant: it fails alone with it, and passes alone without it. */
async function isNoticed(runner: Runner, mutant: Mutant, test: Test, ranWithOthers: boolean): Promise<boolean> {
  if (ranWithOthers && !(await runner.failure(mutant.id, [test]))) return false;
  const isReliable = reliable.get(test) ?? !(await runner.failure(undefined, [test]));
  reliable.set(test, isReliable);
  return isReliable;
}

/** A process of `runner.ts`. After a mutant that makes it hang, the next one gets a new process. */
class Runner {
  private child: ChildProcess | undefined;

  /** The first failure of the tests. Undefined if all pass. */
  async failure(mutant: string | undefined, tests: readonly Test[]): Promise<Failure | undefined> {
    const child = this.child ?? (await this.started());
    const job: Job = { mutant, tests: tests.map(({ project, file, names }) => ({ project, file, names })) };
    child.send(job);
    const signal = AbortSignal.timeout(HANGS_AFTER_MS);
    const ended = new AbortController();
    try {
      const [outcome]: (readonly Failure[])[] = await Promise.race([
        once(child, "message", { signal: AbortSignal.any([signal, ended.signal]) }),
        once(child, "exit", { signal: ended.signal }).then(() => {
          throw new Error("the process that runs the tests exited");
        }),
      ]);
      return outcome?.[0];
    } catch (error) {
      if (!signal.aborted) throw error;
      this.end();
      return { test: "the tests", message: "hangs" };
    } finally {
      ended.abort();
    }
  }

  /** Also ends the worker, which may be in an endless loop. */
  end(): void {
    if (this.child?.pid) process.kill(-this.child.pid, "SIGKILL");
    this.child = undefined;
  }

  private async started(): Promise<ChildProcess> {
    const child = fork(join(__dirname, "runner.js"), {
      cwd: root,
      detached: true,
      env: { ...process.env, MUTANTS_HOOK: hook, CI: "1" },
    });
    this.child = child;
    await once(child, "message");
    return child;
  }
}

function report(results: readonly Result[], seconds: number): void {
  const verdicts = ["killed", "timeout", "survived", "unreached", "equivalent"] as const;
  const rows = folders.map((folder) => {
    const inFolder = results.filter(({ mutant }) => mutant.folder === folder);
    return [folder, ...verdicts.map((verdict) => inFolder.filter((result) => result.verdict === verdict).length)];
  });
  const line = ([name, ...cells]: readonly (string | number)[]): string =>
    `${name}`.padEnd(20) + cells.map((cell) => `${cell}`.padStart(11)).join("");
  console.log(`\n${line(["", ...verdicts])}`);
  for (const row of rows.filter((cells) => cells.some(Number))) console.log(line(row));
  for (const { mutant, verdict, note } of results)
    if (verdict !== "killed" && verdict !== "timeout") print(mutant, verdict, note);
  const killed = results.filter(({ verdict }) => verdict === "killed" || verdict === "timeout").length;
  const counted = results.filter(({ verdict }) => verdict !== "equivalent").length;
  const share = counted ? killed / counted : 1;
  console.log(`\n${killed} of ${counted} mutants killed (${Math.floor(share * 1000) / 10} %) in ${seconds} s`);
  if (share >= MUST_KILL) return;
  console.log(`At least ${MUST_KILL * 100} % must be killed: write tests for those that survived.`);
  process.exitCode = 1;
}

function print({ name, operator, before, after }: Mutant, verdict: Verdict, note: string): void {
  console.log(`\n${verdict}: ${name} ${operator}${note && ` (${note})`}`);
  for (const [sign, text] of [
    ["-", before],
    ["+", after],
  ] as const)
    console.log(text.replaceAll(/^/gm, `  ${sign} `));
  console.log(`  make mutants PATHS=${name}`);
}

main().catch((error) => {
  console.error(error);
  process.exitCode = 1;
});
