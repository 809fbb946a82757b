import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { kebab } from "../../api";
import { kinds } from "../../provider/resources";
import { openDecisions } from "./decisions";
import { filesOf, namesOf } from "./names";
import { notRun, type Step, stepsOf } from "./steps";

interface Result {
  step: Step;
  isPassed: boolean;
  /** Whether all tests of the step were skipped. */
  isSkipped: boolean;
  seconds: number;
  output: string;
}

const root = dirname(require.resolve("pulumi-cloudinfra/package.json"));

/**
 * Runs every check that can fail because of one resource class, and lists the checks that take too long for this. If all
 * decisions are made and the types are right, the others run even if one fails. `make kind KIND=Volume` first writes the
 * generated files and compiles.
 */
async function main(kind = ""): Promise<void> {
  if (!Object.hasOwn(kinds, kind)) {
    const problem = kind ? `"${kind}" is not a kind` : "no kind is named";
    console.error(`${problem}: run make kind KIND=Volume with a kind of provider/resources/index.ts`);
    process.exitCode = 2;
    return;
  }
  const open = decisionsIn(kind);
  if (open.length) return stop(`Decide what these comments ask, and delete them:\n  ${open.join("\n  ")}`);
  const results: Result[] = [];
  const steps = stepsOf(kind);
  for (const step of steps.filter(({ isFirst }) => isFirst)) {
    console.log(`== ${step.name}`);
    const result = await resultOf(step);
    const { definition } = filesOf(namesOf(kind));
    const first = result.output.includes(definition) ? `, first those in ${definition}` : "";
    if (!result.isPassed) return stop(`Correct these type errors${first}, then run it again.`);
    results.push(result);
  }
  const background = steps.filter(({ isBackground }) => isBackground).map(printedOf);
  for (const step of steps.filter(({ isFirst, isBackground }) => !isFirst && !isBackground)) {
    console.log(`\n== ${step.name}`);
    results.push(await resultOf(step));
  }
  report(kind, [...results, ...(await Promise.all(background))]);
}

/** The places of decisions that the files of the kind, which began as copies, leave open. */
const decisionsIn = (kind: string): string[] =>
  Object.values(filesOf(namesOf(kind)))
    .filter((path) => existsSync(join(root, path)))
    .flatMap((path) => openDecisions(readFileSync(join(root, path), "utf8")).map((line) => `${path}:${line}`));

function stop(advice: string): void {
  console.error(`\n${advice}`);
  process.exitCode = 1;
}

/** Runs a step next to others, and prints its output when it ends. */
async function printedOf(step: Step): Promise<Result> {
  const result = await resultOf(step);
  console.log(`\n== ${step.name}\n${result.output.trim()}\n`);
  return result;
}

function report(kind: string, results: readonly Result[]): void {
  console.log(`\n${kind}:`);
  for (const { step, isPassed, isSkipped, seconds } of results)
    console.log(
      `  ${isSkipped ? "skipped" : isPassed ? "passed" : "FAILED"} ${`${seconds} s`.padStart(5)}  ${step.name}: ${isSkipped && step.needs ? `\`${step.needs}\` of the fixture is a reason` : step.repeat}`,
    );
  console.log("Not run, because they take minutes or need other tools (`.ci/run` has all but the last two):");
  for (const { name, repeat } of notRun) console.log(`  ${name}: ${repeat}`);
  if (results.every(({ isPassed }) => isPassed)) {
    console.log("After changes of texts alone, run only: make format generate prose");
    return;
  }
  console.log(
    `Most tests of a kind take their inputs from test/lifecycle/kinds/${kebab(kind)}.ts. Repeat only the commands that failed, and make kind at the end.`,
  );
  process.exitCode = 1;
}

function resultOf(step: Step): Promise<Result> {
  const [program, ...args] = step.command;
  const start = Date.now();
  const env = {
    ...process.env,
    ...(process.stdout.isTTY && !step.isBackground ? { FORCE_COLOR: "1" } : { NO_COLOR: "1" }),
  };
  const child = spawn(program, args, {
    cwd: root,
    env: { ...env, ...step.env },
    stdio: ["inherit", "pipe", "pipe"],
  });
  let output = "";
  const add = (part: Buffer): void => {
    output += part;
    if (!step.isBackground) process.stdout.write(part);
  };
  child.stdout?.on("data", add);
  child.stderr?.on("data", add);
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) =>
      resolve({
        step,
        output,
        isPassed: code === 0,
        isSkipped: code === 0 && /^0 passed, 0 failed, [1-9]/m.test(output),
        seconds: Math.round((Date.now() - start) / 1000),
      }),
    );
  });
}

main(process.argv[2]).catch((error) => {
  console.error(error);
  process.exitCode = 1;
});
