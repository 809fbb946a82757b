/** A command that can fail because of a kind. */
export interface Step {
  name: string;
  command: readonly [program: string, ...args: string[]];
  env?: Readonly<Record<string, string>>;
  /** How to run it alone. */
  repeat: string;
  /** The export of the fixture that can be a reason why its tests are skipped. */
  needs?: string;
  /** Whether the other steps run only if it passes, because they would only repeat its errors. */
  isFirst?: true;
  /** Whether it runs at the same time as the other steps. Its output is then printed when it ends. */
  isBackground?: true;
}

/** The title of a test has the name of its kind, or these words if it checks all kinds at once. */
const EVERY_KIND = "every kind";

/** Unit tests that cannot fail because of one kind, or that another step repeats. */
const withoutKinds = [
  ...["bench", "cli", "client", "emulator", "engine"].map((folder) => `test/unit/${folder}/**`),
  ...["account/reading", "drift/large", "tools/generated-files", "tools/prose"].map(
    (name) => `test/unit/${name}.test.ts`,
  ),
];

const vitest = (name: string, ...options: string[]): Step => ({
  name,
  command: ["node_modules/.bin/vitest", "run", "--hideSkippedTests", ...options],
  repeat: `make test ARGS="${options.map((option) => (/[\s|*\\]/.test(option) ? `'${option}'` : option)).join(" ")}"`,
});

/** The checks that can fail because of a kind. */
export const stepsOf = (kind: string): Step[] => [
  { name: "types", command: ["npm", "run", "--silent", "check"], repeat: "make lint", isFirst: true },
  { name: "style", command: ["node_modules/.bin/biome", "check", "."], repeat: "make lint", isBackground: true },
  { name: "language", command: ["node", "dist/tools/prose/main.js"], repeat: "make prose", isBackground: true },
  { name: "imports", command: ["npm", "run", "--silent", "structure"], repeat: "make structure", isBackground: true },
  vitest("tests of the kind", "--project", "lifecycle", "-t", `\\b(${kind}|${EVERY_KIND})\\b`),
  vitest("tests of the kind with the native plugin", "--project", "native", "-t", `\\b${kind}\\b`),
  {
    ...vitest(
      "tests of definitions, generated files and docs",
      "--project",
      "unit",
      ...withoutKinds.flatMap((path) => ["--exclude", path]),
    ),
    // The conversion of the example needs Go, and builds Pulumi's converters the first time.
    env: { CONVERTED: "later" },
  },
  {
    ...vitest(
      "random programs with the kind and random faults",
      "--project",
      "chaos",
      "-t",
      "random programs with faults, of seed",
    ),
    env: { CHAOS_KIND: kind, SCHEDULES: "40" },
    needs: "templates",
    repeat: `CHAOS_KIND=${kind} make chaos SCHEDULES=40`,
  },
  vitest(
    "examples with the Pulumi engine",
    ...["test/engine/examples.test.ts", "test/engine/unknowns.test.ts", "-t", EVERY_KIND],
  ),
];

/** Checks that can fail because of a kind, but take minutes or need other tools. */
export const notRun: readonly { name: string; repeat: string }[] = [
  { name: "other tests with the Pulumi engine", repeat: 'make test ARGS="--project engine"' },
  { name: "the commands of the docs", repeat: 'make test ARGS="--project cli"' },
  { name: "random programs with all kinds", repeat: 'make test ARGS="--project chaos"' },
  { name: "the docs site", repeat: "make docs-check" },
  { name: "the conversion of the example to other languages, which a unit test requires", repeat: "make sdks" },
  { name: "the examples in other languages", repeat: "make languages" },
];
