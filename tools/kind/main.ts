import { spawnSync } from "node:child_process";
import { dirname } from "node:path";
import { kebab } from "../../api";
import { kinds } from "../../provider/resources";
import { notRun, type Step, stepsOf } from "./steps";

/**
 * Runs every check that can fail because of one resource class, all of them even if one fails, and lists the checks that
 * take too long for this. `make kind KIND=Volume` first writes the generated files and compiles.
 */
function main(kind = ""): void {
  if (!Object.hasOwn(kinds, kind)) {
    const given = kind ? `"${kind}" is not a kind` : "no kind is named";
    console.error(`${given}: run make kind KIND=Volume with a kind of provider/resources/index.ts`);
    process.exitCode = 2;
    return;
  }
  const root = dirname(require.resolve("pulumi-cloudinfra/package.json"));
  const results = stepsOf(kind).map((step) => ({ step, ...result(step, root) }));
  console.log(`\n${kind}:`);
  for (const { step, isPassed, seconds } of results)
    console.log(`  ${isPassed ? "passed" : "FAILED"} ${`${seconds} s`.padStart(5)}  ${step.name}: ${step.repeat}`);
  console.log("Not run, because they take minutes or need other tools:");
  for (const { name, repeat } of notRun(kind)) console.log(`  ${name}: ${repeat}`);
  if (results.some(({ isPassed }) => !isPassed)) {
    console.log(`Most tests of a kind take their inputs from test/lifecycle/kinds/${kebab(kind)}.ts.`);
    process.exitCode = 1;
  }
}

function result({ name, command: [program, ...args] }: Step, cwd: string): { isPassed: boolean; seconds: number } {
  console.log(`\n== ${name}`);
  const start = Date.now();
  const env = process.stdout.isTTY ? process.env : { ...process.env, NO_COLOR: "1" };
  const { status } = spawnSync(program, args, { cwd, env, stdio: "inherit" });
  return { isPassed: status === 0, seconds: Math.round((Date.now() - start) / 1000) };
}

main(process.argv[2]);
