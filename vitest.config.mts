import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** A tier is a folder under test/; `vitest run --project unit` runs one of them. */
const tier = (name: string, options: object = {}) => ({
  extends: true as const,
  test: { name, include: [`test/${name}/**/*.test.ts`], ...options },
});

/** Its files share a worker and its modules: loading them for each file would take as long as the contract tests. */
const shared = { isolate: false };

// Those with the longest files come first, so that all workers are busy until the end.
const projects = [
  tier("engine", { ...shared, testTimeout: 600_000, hookTimeout: 300_000 }),
  tier("cli", { ...shared, testTimeout: 300_000 }),
  // The native plugin passes the same tests of every kind, in this process over gRPC; `make nightly` tries every fault.
  tier("native", {
    include: ["matrix", "secrets", "unknowns", "faults-create", "faults-update", "faults-delete", "stalls"].map(
      (name) => `test/lifecycle/${name}.test.ts`,
    ),
    env: { HEAD: "native", ...(process.env.NIGHTLY ? {} : { MOST_CASES: "1" }) },
    testTimeout: 180_000,
  }),
  tier("lifecycle", { ...shared, testTimeout: 180_000 }),
  tier("contract", shared),
  tier("unit", shared),
  // `make languages` generates the SDKs, which takes a Go compiler and minutes.
  ...(process.env.LANGUAGES ? [tier("languages", { testTimeout: 600_000, hookTimeout: 600_000 })] : []),
];

/** Runs the tiers in the order above. */
class Sequencer extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return projects.flatMap(({ test }) => sorted.filter(({ project }) => project.name === test.name));
  }
}

export default defineConfig({
  test: {
    environment: "node",
    // Two cores are the least that CI has. Tests that start processes wait for them much of the time, so a third worker
    // keeps the cores busy; each needs about 0.5 GB.
    maxWorkers: 3,
    sequence: { sequencer: Sequencer },
    unstubEnvs: true,
    // Limits for tests that hang: other work on the machine can make a test many times slower.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    projects,
    reporters: ["default", "./test/reporter.ts"],
  },
});
