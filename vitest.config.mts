import { defineConfig } from "vitest/config";

/** A tier is a folder under test/; `vitest run --project unit` runs one of them. */
const tier = (name: string, order: number, options: object = {}) => ({
  extends: true as const,
  test: { name, include: [`test/${name}/**/*.test.ts`], sequence: { groupOrder: order }, ...options },
});

export default defineConfig({
  test: {
    environment: "node",
    // Two workers fit two cores, and the engine tier's children (about 0.5 GB a run) are what fills them.
    maxWorkers: 2,
    // The limits only end what hangs: a machine that others use as well can be many times slower than usual.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // Quick tiers end before slow ones begin: what they find is seen first, and no CLI run competes with them.
    projects: [
      tier("unit", 0),
      tier("contract", 0),
      tier("lifecycle", 1, { testTimeout: 180_000 }),
      tier("cli", 2, { testTimeout: 300_000 }),
      tier("engine", 3, { testTimeout: 600_000, hookTimeout: 300_000 }),
    ],
    reporters: ["default", "./test/reporter.ts"],
  },
});
