import { join } from "node:path";
import type { TestModule, TestSpecification, Vitest } from "vitest/node" with { "resolution-mode": "import" };
import { root } from "./mutants";

/** A mutant, or the unchanged code if it is undefined, and the tests to run. */
export interface Job {
  mutant: string | undefined;
  tests: readonly { project: string; file: string; names: readonly string[] }[];
}

/** A test, a group or a file that failed, as `file > name`, with the message of its first error. */
export interface Failure {
  test: string;
  message: string;
}

/**
 * A process that runs the tests of one mutant after another. It keeps the transformed modules, and each job gets a new
 * worker, which evaluates them again with its mutant.
 */
async function main(): Promise<void> {
  const { createVitest } = await import("vitest/node");
  const vitest = await createVitest({
    config: join(root, "tools/mutants/vitest.config.mts"),
    watch: false,
    bail: 1,
    maxWorkers: 1,
    silent: true,
    reporters: [{}],
  });
  await vitest.standalone();
  process.on("message", (job: Job) => {
    failures(vitest, job).then(
      (result) => process.send?.(result),
      (error) => {
        console.error(error);
        process.exit(1);
      },
    );
  });
  process.send?.([]);
}

async function failures(vitest: Vitest, { mutant, tests }: Job): Promise<Failure[]> {
  const specifications: TestSpecification[] = [];
  for (const project of vitest.projects) {
    project.config.env = { ...project.config.env, __STRYKER_ACTIVE_MUTANT__: mutant ?? "" };
    const own = tests.filter((test) => test.project === project.name);
    for (const [file, inFile] of Map.groupBy(own, (test) => test.file)) {
      const testNames = inFile.flatMap(({ names }) => names);
      specifications.push(project.createSpecification(join(root, file), { testNames }));
    }
  }
  // Otherwise, the result contains the failures of earlier runs.
  vitest.state.filesMap.clear();
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specifications);
  const all = testModules.flatMap(failuresOf);
  for (const error of unhandledErrors)
    all.push({ test: "an error outside of tests", message: error instanceof Error ? error.message : "" });
  return all;
}

function failuresOf(module: TestModule): Failure[] {
  const file = module.relativeModuleId;
  const suites = [...module.children.allSuites()];
  const tests = [...module.children.allTests("failed")];
  return [
    ...module.errors().map(({ message }) => ({ test: file, message })),
    ...suites.flatMap((suite) =>
      suite.errors().map(({ message }) => ({ test: `${file} > ${suite.fullName}`, message })),
    ),
    ...tests.map((test) => ({ test: `${file} > ${test.fullName}`, message: test.result().errors?.[0]?.message ?? "" })),
  ];
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
