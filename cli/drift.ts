import { dirname, join, resolve } from "node:path";
import timers from "node:timers/promises";
import {
  ALLOW_LIST,
  type AllowList,
  AuthenticationError,
  allowListIn,
  type DriftReport,
  detectDrift,
  type ExportedState,
  exitCodeOf,
  type TimeLimit,
} from "../drift";
import { type Format, formats, isFormat } from "../drift/report";
import type { Hooks } from "../provider/client/options";
import { CommandError, UsageError } from "../stack/errors";
import { Pulumi, projectFileFrom } from "../stack/pulumi";
import { readText, replaceFile, textIfExists } from "../stack/text-file";
import { statesOfProjects, type Target, targetOf } from "./drift/backend";
import { type DriftCommand, scopeOf } from "./drift/options";
import { printError } from "./say";
import { withinLimit } from "./time-limit";

/**
 * Runs `cloudinfra drift`: compares stacks with the account and prints the differences. Exits with 2 if there is drift.
 */
export async function drift(options: DriftCommand): Promise<void> {
  try {
    await run(options);
  } catch (error) {
    // The exit code 2 means drift here. Usage errors therefore exit with 1, like any other failure.
    throw error instanceof UsageError ? new CommandError(error.message, 1) : error;
  }
}

async function run(options: DriftCommand): Promise<void> {
  const outputs = outputsOf(options);
  if (options.every !== undefined) {
    const { driftService } = await import("./drift-service.js");
    return driftService(options, async (limit, hooks) => {
      const report = await check(options, limit, hooks);
      // The alerts and the metrics of a check do not depend on its files.
      await print(
        report,
        outputs.filter(({ file }) => file !== undefined),
      ).catch(printError);
      return report;
    });
  }
  if (options.listen !== undefined) throw new UsageError("--listen requires --watch and --every");
  if (options.watch === undefined) return once(options, outputs);
  const seconds = options.watch === true ? 60 : Number(options.watch);
  if (!(seconds >= 1)) throw new UsageError(`--watch ${options.watch}: must be a number of seconds, at least 1`);
  if (!process.stdout.isTTY)
    throw new UsageError("--watch requires a terminal; without one, set --every to run it as a service");
  for (;;) {
    process.stdout.write("\u001b[2J\u001b[H");
    await once(options, outputs).catch(failedOnce);
    process.stdout.write(`\nNext check in ${seconds} s; Ctrl-C ends the command.\n`);
    await timers.setTimeout(seconds * 1000);
  }
}

/**
 * With `--watch`, an error of one check is only printed, because the next check may succeed. Usage errors and a
 * rejected token end the command.
 */
function failedOnce(error: Error): void {
  if (error instanceof UsageError || error instanceof AuthenticationError) throw error;
  printError(error);
  process.exitCode = 1;
}

async function once(options: DriftCommand, outputs: ReturnType<typeof outputsOf>): Promise<void> {
  const report = await withinLimit(options.timeout, (limit) => check(options, limit));
  // A reader that closes the pipe early, such as `head`, ends the command with this exit code.
  process.exitCode = exitCodeOf(report);
  await print(report, outputs);
}

/** Writes all files, and prints the report. If files cannot be written, throws the error of the first one at the end. */
async function print(report: DriftReport, outputs: ReturnType<typeof outputsOf>): Promise<void> {
  const errors: unknown[] = [];
  const printedLast = [...outputs].sort((a, b) => Number(a.file === undefined) - Number(b.file === undefined));
  for (const { format, file } of printedLast)
    try {
      const text = formats[format](report);
      if (file === undefined) process.stdout.write(text);
      else await written(file, text);
    } catch (error) {
      errors.push(error);
    }
  if (errors.length) throw errors[0];
}

/** The selected report formats, each with its output file. At most one format has no file, or `-`; it is printed. */
function outputsOf({ format, out }: DriftCommand): { format: Format; file: string | undefined }[] {
  const wanted = format.length ? format : ["text"];
  const unknown = wanted.find((name) => !isFormat(name));
  if (unknown !== undefined)
    throw new UsageError(`--format ${unknown}: must be one of ${Object.keys(formats).join(", ")}`);
  if (out.length > wanted.length)
    throw new UsageError("there are more --out files than --format formats: set --format once for each file");
  const files = wanted.map((_, i) => (out[i] === "-" ? undefined : out[i]));
  if (files.filter((file) => file === undefined).length > 1)
    throw new UsageError("only one format can be printed: name a file with --out for each of the others");
  return wanted.map((name, i) => ({ format: name as Format, file: files[i] }));
}

async function check(options: DriftCommand, limit: TimeLimit, hooks?: Hooks): Promise<DriftReport> {
  const [target, scope] = [targetOf(options), await scopeOf(options)];
  const [allowList, baseline] = [await allowed(target), await earlier(options)];
  const states =
    target.projects === undefined
      ? { states: await statesOf(options, target, limit) }
      : await statesOfProjects(target, options, limit);
  const previews = await previewsOf(options, target, limit);
  const { acceptAllDeleted } = options;
  return await detectDrift({ ...states, ...scope, allowList, baseline, previews, limit, acceptAllDeleted, hooks });
}

/**
 * The changes that the programs of the stacks would make, according to `pulumi preview`. Undefined without `--program`.
 */
async function previewsOf(
  { program, state, stack }: DriftCommand,
  { folder }: Target,
  limit: TimeLimit,
): Promise<unknown[] | undefined> {
  if (!program) return undefined;
  if (state.length)
    throw new UsageError(
      "--program requires a stack, because it runs the stack's program: use --stack instead of --state",
    );
  const previews: unknown[] = [];
  for (const name of stack.length ? stack : [undefined]) previews.push(await new Pulumi(folder, name, limit).preview());
  return previews;
}

/** The states in the given files or of the given stacks. Defaults to the selected stack. */
async function statesOf(
  { stack, state }: DriftCommand,
  { folder }: Target,
  limit: TimeLimit,
): Promise<ExportedState[]> {
  const files = state.map(async (file) => ({ name: file, state: await readText(file) }));
  const names = stack.length || state.length ? stack : [undefined];
  const stacks = names.map(async (name) => ({
    name: name ?? "the selected stack",
    state: await new Pulumi(folder, name, limit).export(),
  }));
  return await Promise.all([...files, ...stacks]);
}

/**
 * The accepted differences in `cloudinfra.drift.yaml` of the folder, or else of its project, which can be above it.
 * Undefined if neither has the file.
 */
async function allowed({ folder }: Target): Promise<AllowList | undefined> {
  const project = projectFileFrom(resolve(folder));
  for (const one of [folder, ...(project === undefined ? [] : [dirname(project)])]) {
    const text = await textIfExists(join(one, ALLOW_LIST));
    if (text !== undefined) return await allowListIn(text);
  }
  return undefined;
}

async function earlier({ baseline }: DriftCommand): Promise<DriftReport | undefined> {
  if (baseline === undefined) return undefined;
  const text = await readText(baseline);
  const { reportIn } = await import("../drift/report/json.js");
  return reportIn(text, baseline);
}

async function written(file: string, text: string): Promise<void> {
  try {
    await replaceFile(file, text);
  } catch (error) {
    throw new CommandError(`${file} cannot be written (${(error as NodeJS.ErrnoException).code})`, 1);
  }
}
