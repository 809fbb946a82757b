import { existsSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { defineConfig, mergeConfig, type ViteUserConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

class Unsorted extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return files;
  }
}

const root = join(import.meta.dirname, "../..");
const tests: { default: ViteUserConfig } = await import(join(root, "vitest.config.mts"));

/** Runs the tests with the sources that `writeMutants` wrote. */
export default mergeConfig(
  tests.default,
  defineConfig({
    root,
    plugins: [
      {
        name: "mutants",
        enforce: "pre",
        load(id) {
          const copy = join(root, "dist/mutants/sources", relative(root, id.split("?")[0] ?? id));
          return id.startsWith(root) && existsSync(copy) ? readFileSync(copy, "utf8") : null;
        },
      },
    ],
    test: {
      // Its key is the original source, so it has mutated copies of earlier runs, in which mutants have other numbers.
      fsModuleCache: false,
      setupFiles: [join(import.meta.dirname, "setup.ts")],
      // The tests that most likely fail are first.
      ...(process.env.RECORD_REACH ? {} : { sequence: { sequencer: Unsorted } }),
    },
  }),
);
