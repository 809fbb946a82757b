import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** A tier of tests, which is a folder under test/. `vitest run --project unit` runs one tier. */
const tier = (name: string, options: object = {}) => ({
  extends: true as const,
  test: { name, include: [`test/${name}/**/*.test.ts`], ...options },
});

/**
 * Test files of a tier with this setting share a worker and its loaded modules. Loading the modules for each file would
 * take as long as the contract tests.
 */
const shared = { isolate: false };

/**
 * Files that only `make nightly` runs, because others prove the same for every change, or because they only try out the
 * programs of `bench/`. A command that names one runs it.
 */
const nightly = process.env.NIGHTLY
  ? []
  : [
      ...["cli/endurance", "engine/adopt", "engine/calls", "engine/chaos", "engine/concurrent", "engine/example"],
      ...["engine/get", "engine/import-project", "engine/native-import", "engine/native-kinds", "engine/objects"],
      "engine/stack-traces",
    ]
      .map((name) => `test/${name}.test.ts`)
      .filter((file) => !process.argv.some((named) => named.endsWith(file)));

// Tiers with the longest files are first, so that all workers are busy until the end.
const projects = [
  tier("engine", { ...shared, exclude: nightly, testTimeout: 600_000, hookTimeout: 300_000 }),
  tier("cli", { ...shared, exclude: nightly, testTimeout: 300_000 }),
  // The native plugin passes the same tests for every resource class. It runs in the test's process, and is called over
  // gRPC. `make nightly` also tests every fault and every input.
  tier("native", {
    include: [
      "matrix",
      "secrets",
      "unknowns",
      "faults-create",
      "faults-update",
      "faults-delete",
      "stalls",
      "hidden-inputs",
      "unannounced",
    ].map((name) => `test/lifecycle/${name}.test.ts`),
    env: { PROVIDER: "native", ...(process.env.NIGHTLY ? {} : { MOST_CASES: "1" }) },
    testTimeout: 180_000,
  }),
  // Both sides speak a dialect: the provider and the emulator. No expectation is another one.
  ...(process.env.DIALECTS
    ? [
        tier("dialect", {
          ...shared,
          include: ["matrix", "secrets", "drift", "import", "faults-create", "faults-update", "faults-delete"].map(
            (name) => `test/lifecycle/${name}.test.ts`,
          ),
          env: { CLOUDINFRA_TEST_DIALECT: "linode" },
          testTimeout: 180_000,
        }),
      ]
    : []),
  // Random schedules. `make chaos` runs more of them.
  tier("chaos"),
  tier("lifecycle", { ...shared, testTimeout: 180_000 }),
  tier("contract", shared),
  tier("unit", shared),
  // `make backends` starts the backends that teams use: S3 and KMS of AWS, and PostgreSQL.
  ...(process.env.BACKENDS ? [tier("backends", { testTimeout: 300_000, hookTimeout: 300_000 })] : []),
  // `make languages` generates the SDKs, which requires a Go compiler and takes minutes.
  ...(process.env.LANGUAGES ? [tier("languages", { testTimeout: 1_800_000, hookTimeout: 600_000 })] : []),
  // `make release-check` names the folder of a release.
  ...(process.env.RELEASE ? [tier("release", { testTimeout: 900_000, hookTimeout: 600_000 })] : []),
];

/** Runs the tiers in the order of the list. */
class Sequencer extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return projects.flatMap(({ test }) => sorted.filter(({ project }) => project.name === test.name));
  }
}

export default defineConfig({
  test: {
    environment: "node",
    // CI has at least two cores. Tests that start processes mostly wait for them, so a third worker keeps the cores
    // busy. Each worker needs about 0.5 GB.
    maxWorkers: 3,
    sequence: { sequencer: Sequencer },
    unstubEnvs: true,
    // Time limits for tests that hang. They are long, because other work on the machine can make a test many times
    // slower.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    projects,
    reporters: ["default", "./test/reporter.ts"],
  },
});
