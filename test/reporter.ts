import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Reporter, SerializedError, TestCase, TestModule, Vitest } from "vitest/node" with {
  "resolution-mode": "import",
};
import { rulesPage, unproved } from "./rules";

/**
 * A Vitest reporter that also fails a complete run of the contract tests that does not cover every rule of the API
 * documentation. Prints the reason of each skipped test, and
 * finally `N passed, N failed, N skipped`.
 */
export default class ProofsAndFinalLine implements Reporter {
  private vitest!: Vitest;

  onInit(vitest: Vitest): void {
    this.vitest = vitest;
  }

  async onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): Promise<void> {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const count = (state: string) => tests.filter((test) => test.result().state === state).length;
    // With Vitest's option `-t`, only some tests of a file run, so missing tests are not an error.
    const chosen = this.vitest.getGlobalTestNamePattern() !== undefined;
    const problems = chosen ? [] : await this.rules(modules);
    for (const problem of problems) console.error(problem);
    if (problems.length) process.exitCode = 1;
    // A file that cannot be loaded has no tests, and an error outside of a test belongs to none. Each such error is a
    // failure.
    const errors = unhandled.length + modules.reduce((sum, module) => sum + errorsOutsideTests(module), 0);
    const failed = count("failed") + errors + problems.length;
    const skipped = tests.filter((test) => ["skipped", "pending"].includes(test.result().state));
    for (const test of chosen ? [] : skipped)
      console.log(`skipped: ${test.module.relativeModuleId} > ${test.fullName}: ${reason(test)}`);
    console.log(`${count("passed")} passed, ${failed} failed, ${skipped.length} skipped`);
  }

  /**
   * The rules of the API documentation that no passed test covers, after a complete run of the contract tests. Also
   * writes docs/rules.md if Vitest updates snapshots (`-u`), and otherwise reports whether it is out of date.
   */
  private async rules(modules: readonly TestModule[]): Promise<string[]> {
    const project = this.vitest.projects.find(({ name }) => name === "contract");
    const ran = new Set(modules.filter((module) => module.project === project).map(({ moduleId }) => moduleId));
    const { testFiles = [] } = (await project?.globTestFiles()) ?? {};
    if (!ran.size || testFiles.some((file) => !ran.has(file))) return [];
    const proofs = new Map<string, Set<string>>();
    for (const test of modules.flatMap((module) => [...module.children.allTests("passed")]))
      for (const name of test.meta().proves ?? [])
        proofs.set(name, (proofs.get(name) ?? new Set()).add(test.module.relativeModuleId));
    const missing = unproved(proofs).map((name) => `${name} is not proved by any test that passed`);
    return [...missing, ...this.page(rulesPage(proofs))];
  }

  private page(text: string): string[] {
    const file = join(this.vitest.config.root, "docs/rules.md");
    if (existsSync(file) && readFileSync(file, "utf8") === text) return [];
    if (this.vitest.config.snapshotOptions.updateSnapshot !== "all")
      return ['docs/rules.md is out of date: run `make test ARGS="--project contract -u"`'];
    writeFileSync(file, text);
    return [];
  }
}

const errorsOutsideTests = (module: TestModule): number =>
  module.errors().length + [...module.children.allSuites()].reduce((sum, suite) => sum + suite.errors().length, 0);

function reason(test: TestCase): string {
  const result = test.result();
  if (result.state === "pending") return "the run ended before it";
  return (result.state === "skipped" && result.note) || (test.options.mode === "todo" ? "to do" : "no reason given");
}
