import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, vi } from "vitest";
import { shared } from "./shared";

/**
 * The numbers of the mutants whose code a test ran. Tests that share the objects of a `beforeAll` are one
 * entry, because a later one may need the earlier ones.
 */
export interface Reach {
  names: string[];
  milliseconds: number;
  mutants: string[];
}

/** The mutants that the tests of a file reach. */
export interface FileReach {
  project: string;
  file: string;
  /** The mutants in code that runs when modules are loaded, by this file or by an earlier one in the same worker. */
  loading: string[];
  tests: Reach[];
}

const HOOKS = "hooks";
const folder = process.env.RECORD_REACH;
if (folder) record(folder);
else limit();

/** A mutant that makes a loop endless, or a wait, fails soon. */
function limit(): void {
  shared.hitCount = 0;
  shared.hitLimit = 1_000_000;
  vi.setConfig({ testTimeout: 30_000, hookTimeout: 30_000 });
}

function record(folder: string): void {
  const tests: Reach[] = [];
  const groups = new Map<string, Reach>();
  const children = join(folder, "children", String(process.pid));
  const loading = new Set<string>();
  process.env.REACHED_IN = children;
  const reached = (id: string): string[] => {
    const ids = new Set(Object.keys(shared.mutantCoverage?.perTest[id] ?? {}));
    for (const name of globSync("*.json", { cwd: children })) {
      const [ran, loaded]: [string[], string[]] = JSON.parse(readFileSync(join(children, name), "utf8"));
      for (const mutant of ran) ids.add(mutant);
      for (const mutant of loaded) loading.add(mutant);
      rmSync(join(children, name));
    }
    return [...ids];
  };
  let [project, file] = ["", ""];
  let start = 0;
  beforeAll(() => {
    if (shared.mutantCoverage) shared.mutantCoverage.perTest = {};
    shared.currentTestId = HOOKS;
  });
  beforeEach(({ task }) => {
    project = task.file.projectName ?? "";
    file = task.file.name;
    const hooks = reached(HOOKS);
    if (task.suite && hooks.length && !groups.has(task.suite.id)) {
      const group: Reach = { names: [], milliseconds: 0, mutants: hooks };
      groups.set(task.suite.id, group);
      tests.push(group);
    }
    if (shared.mutantCoverage) shared.mutantCoverage.perTest = {};
    shared.currentTestId = task.id;
    start = performance.now();
  });
  afterEach(({ task }) => {
    const own: Reach = {
      names: [task.fullTestName],
      milliseconds: Math.round(performance.now() - start),
      mutants: reached(task.id),
    };
    const group = groups.get(task.suite?.id ?? "");
    if (group) {
      group.names.push(...own.names);
      group.milliseconds += own.milliseconds;
      group.mutants = [...new Set([...group.mutants, ...own.mutants])];
    } else if (!task.result?.errors?.length) tests.push(own);
    shared.currentTestId = HOOKS;
  });
  afterAll(() => {
    for (const mutant of Object.keys(shared.mutantCoverage?.static ?? {})) loading.add(mutant);
    const reach: FileReach = { project, file, loading: [...loading], tests };
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `${project}-${file.replaceAll("/", "_")}.json`), JSON.stringify(reach));
    shared.currentTestId = undefined;
  });
}
