import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import ts from "typescript";

export const root = dirname(require.resolve("pulumi-cloudinfra/package.json"));

/** The mutated sources, also as compiled modules for processes that run dist/, and the record of which tests reach which mutant. */
export const work = join(root, "dist/mutants");

/** The folders whose code is mutated. */
export const folders = [
  "provider/engine",
  "provider/resources",
  "provider/plugin",
  "stack",
  "account",
  "emulator/areas",
] as const;

export interface Mutant {
  /** The number that makes the mutated sources run this mutant. It changes with the sources. */
  id: string;
  /** `file:line:column:number`: the number distinguishes the mutants of one place. */
  name: string;
  folder: string;
  file: string;
  /** Stryker's name of the kind of mutation, such as `ConditionalExpression`. */
  operator: string;
  /** The line on which the mutated code starts. */
  line: string;
  before: string;
  after: string;
}

const compilerOptions = { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022, esModuleInterop: true };

/** A section of the API documents, which only people read. */
const SOURCE = /^\s*(const source = |source: )["`](part |\$\{source\})/;

const quiet = () => undefined;
const logger = {
  ...{ isTraceEnabled: () => false, isDebugEnabled: () => false, isInfoEnabled: () => false },
  ...{ isWarnEnabled: () => false, isErrorEnabled: () => false, isFatalEnabled: () => false },
  ...{ trace: quiet, debug: quiet, info: quiet, warn: quiet, error: quiet, fatal: quiet },
};

/**
 * Writes a copy of each source that contains all of its mutants. The environment variable `__STRYKER_ACTIVE_MUTANT__`
 * chooses the one that runs, so nothing is compiled again for the next mutant.
 */
export async function writeMutants(): Promise<Mutant[]> {
  const { Instrumenter } = await import("@stryker-mutator/instrumenter");
  const names = folders.flatMap((folder) => globSync(`${folder}/**/*.ts`, { cwd: root })).sort();
  const sources = new Map(names.map((name) => [name, readFileSync(join(root, name), "utf8")]));
  const { files, mutants } = await new Instrumenter(logger).instrument(
    [...sources].map(([name, content]) => ({ name, content, mutate: true })),
    { plugins: null, excludedMutations: [], ignorers: [] },
  );
  for (const copies of ["sources", "compiled"]) rmSync(join(work, copies), { recursive: true, force: true });
  for (const { name, content } of files) {
    write(join(work, "sources", name), content);
    write(
      join(work, "compiled", name.replace(/\.ts$/, ".js")),
      ts.transpileModule(content, { compilerOptions }).outputText,
    );
  }
  const numbers = new Map<string, number>();
  const named = mutants.map(
    ({ id, fileName: file, location: { start, end }, mutatorName: operator, replacement }): Mutant => {
      const source = sources.get(file) ?? "";
      const place = `${file}:${start.line + 1}:${start.column + 1}`;
      const number = (numbers.get(place) ?? 0) + 1;
      numbers.set(place, number);
      return {
        id,
        name: `${place}:${number}`,
        folder: folders.find((folder) => file.startsWith(`${folder}/`)) ?? "",
        file,
        operator,
        line: source.split("\n")[start.line] ?? "",
        before: source.slice(offset(source, start), offset(source, end)),
        after: replacement,
      };
    },
  );
  return named.filter(({ operator, line }) => operator !== "StringLiteral" || !SOURCE.test(line));
}

function write(file: string, content: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
}

function offset(source: string, { line, column }: { line: number; column: number }): number {
  let start = 0;
  for (let index = 0; index < line; index++) start = source.indexOf("\n", start) + 1;
  return start + column;
}
