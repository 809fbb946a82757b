import { defineConfig } from "vitest/config";

/** A tier is a folder under test/; `vitest run --project unit` runs one of them. */
const tier = (name: string, order: number, options: object = {}) => ({
  extends: true as const,
  test: { name, include: [`test/${name}/**/*.test.ts`], sequence: { groupOrder: order }, ...options },
});

/** Its files share a worker and its modules: loading them for each file would take as long as the contract tests. */
const shared = { isolate: false };

export default defineConfig({
  test: {
    environment: "node",
    // Two cores are the least that CI has.
    maxWorkers: 2,
    unstubEnvs: true,
    // Limits for tests that hang: other work on the machine can make a test many times slower.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // Quick tiers run first, so that their failures are seen first. Tests that start processes wait for them much of the time, so a
    // third worker keeps the cores busy; each needs about 0.5 GB.
    projects: [
      tier("unit", 0),
      tier("contract", 0, shared),
      tier("lifecycle", 1, { ...shared, testTimeout: 180_000 }),
      // The native plugin passes the same tests of every kind, in this process over gRPC; `make nightly` tries every fault.
      tier("native", 1, {
        include: ["matrix", "secrets", "unknowns", "faults-create", "faults-update", "faults-delete"].map(
          (name) => `test/lifecycle/${name}.test.ts`,
        ),
        env: { HEAD: "native", ...(process.env.NIGHTLY ? {} : { MOST_CASES: "1" }) },
        testTimeout: 180_000,
      }),
      tier("cli", 2, { testTimeout: 300_000, maxWorkers: 3 }),
      tier("engine", 3, { testTimeout: 600_000, hookTimeout: 300_000, maxWorkers: 3 }),
    ],
    reporters: ["default", "./test/reporter.ts"],
  },
});
