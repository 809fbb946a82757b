import type { Reporter, SerializedError, TestCase, TestModule } from "vitest/node" with { "resolution-mode": "import" };

/** Ends a run with `N passed, N failed, N skipped`, after a line for each skipped test that says why. */
export default class FinalLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const count = (state: string) => tests.filter((test) => test.result().state === state).length;
    // A file that does not load has no tests, and an error outside of a test belongs to none: each is a failure of its own.
    const elsewhere = unhandled.length + modules.reduce((sum, module) => sum + errorsOutsideTests(module), 0);
    const skipped = tests.filter((test) => ["skipped", "pending"].includes(test.result().state));
    for (const test of skipped)
      console.log(`skipped: ${test.module.relativeModuleId} > ${test.fullName}: ${reason(test)}`);
    console.log(`${count("passed")} passed, ${count("failed") + elsewhere} failed, ${skipped.length} skipped`);
  }
}

const errorsOutsideTests = (module: TestModule): number =>
  module.errors().length + [...module.children.allSuites()].reduce((sum, suite) => sum + suite.errors().length, 0);

function reason(test: TestCase): string {
  const result = test.result();
  if (result.state === "pending") return "the run ended before it";
  return (result.state === "skipped" && result.note) || (test.options.mode === "todo" ? "to do" : "no reason given");
}
