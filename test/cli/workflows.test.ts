import { execFile, execFileSync } from "node:child_process";
import { globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join, matchesGlob } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { newFolder } from "../folder";
import { blocksOf } from "./markdown";

const root = join(__dirname, "../..");
const place = newFolder();
const read = (file: string): string => readFileSync(join(root, file), "utf8");

/** All workflows for GitHub in this repository by name: its own, those of templates and examples, and those in pages. */
function workflows(): Map<string, string> {
  const files = globSync(["{.,templates/*,examples/*}/.github/workflows/*.yml", "examples/ci/github-*.yml"], {
    cwd: root,
  });
  const blocks = globSync("docs/{*,guides/*,registry/**/*}.md", { cwd: root }).flatMap((page) =>
    blocksOf(read(page))
      .filter(({ language, text }) => language === "yaml" && text.includes("runs-on:"))
      .map(({ line, text }) => [`${basename(page, ".md")}-line-${line}.yml`, text] as const),
  );
  return new Map([...files.map((file) => [file, read(file)] as const), ...blocks]);
}

test("there are workflows for changes, nights and releases, in each template, in an example, and on the page about drift", () => {
  const names = [...workflows().keys()];
  expect(names).toEqual(
    expect.arrayContaining(["ci", "nightly", "release"].map((name) => `.github/workflows/${name}.yml`)),
  );
  expect(names.filter((name) => name.startsWith("templates/"))).toHaveLength(5);
  expect(names.filter((name) => name.startsWith("examples/"))).toContain(
    "examples/adopted-account/.github/workflows/drift.yml",
  );
  // The page is also a guide for the Pulumi Registry.
  expect(names.filter((name) => name.startsWith("drift-line-"))).toHaveLength(2);
});

test("every action is pinned to a commit, with its version in a comment, and to the same one everywhere", () => {
  const uses = [...workflows()].flatMap(([name, text]) =>
    [...text.matchAll(/uses: (.*)/g)].map(([, action = ""]) => ({ name, action })),
  );
  expect(uses.length).toBeGreaterThan(30);
  const loose = uses.filter(({ action }) => !/^[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(action));
  expect(loose).toEqual([]);
  const versions = Map.groupBy(uses, ({ action }) => action.split("@")[0]);
  for (const [name, used] of versions) expect([...new Set(used.map(({ action }) => action))], name).toHaveLength(1);
});

test("every workflow starts with read access, and only the release asks for more rights to this repository", () => {
  const own = [...workflows()].filter(([name]) => name.startsWith(".github/"));
  for (const [name, text] of own) expect(parse(text).permissions, name).toEqual({ contents: "read" });
  const writing = own.filter(([, text]) => /: write$/m.test(text)).map(([name]) => name);
  expect(writing).toEqual([".github/workflows/release.yml"]);
});

test("no run step contains an expression that a contributor can choose", () => {
  const steps = [...workflows()].flatMap(([name, text]) =>
    [...text.matchAll(/run: (?:[|>]\n(?: {8,}.*\n)+|.*)/g)].map(([step]) => ({ name, step })),
  );
  expect(steps.length).toBeGreaterThan(20);
  // Text of events, such as titles and names of branches, would become part of the command.
  const injected = steps.filter(({ step }) => /\$\{\{ *(github\.(event\.(?!number)|head_ref)|inputs)/.test(step));
  expect(injected).toEqual([]);
});

interface Step {
  id?: string;
  name?: string;
  uses?: string;
  run?: string;
  shell?: string;
  if?: string;
  env?: Record<string, string>;
  with?: Record<string, unknown>;
}

interface Job {
  permissions?: Record<string, string>;
  environment?: string;
  env?: Record<string, string>;
  steps: Step[];
}

interface Workflow {
  env?: Record<string, string>;
  jobs: Record<string, Job>;
}

/** The jobs of all workflows, by the names of workflow and job. */
const jobs: [name: string, job: Job][] = [...workflows()].flatMap(([file, text]) =>
  Object.entries((parse(text) as Workflow).jobs).map(([name, job]): [string, Job] => [`${file}: ${name}`, job]),
);

/** The names of the jobs with a step for which a condition holds. */
const withStep = (condition: (step: Step, job: Job) => unknown): string[] =>
  jobs.flatMap(([name, job]) => (job.steps.some((step) => condition(step, job)) ? [name] : []));

/** Commands that run the code of packages: in their installation, in their build or in tests. */
const INSTALLS =
  /\b(npm (ci|install|run|test)|pip install|pipx (install|run)|cargo install|make|go (test|run|build))\b|\.ci\/run/;

test("steps with a pipe of the shell run in Bash with pipefail, so that a failed command is not hidden", () => {
  // Pipes in quotes are those of jq.
  const isPiped = (run: string): boolean => /[^|]\|(?!\|)/.test(run.replace(/"(?:[^"\\]|\\.)*"|'[^']*'/g, ""));
  expect(withStep(({ run = "" }) => isPiped(run))).toEqual(["examples/ci/github-drift.yml: drift"]);
  expect(withStep(({ run = "", shell }) => isPiped(run) && shell !== "bash")).toEqual([]);
});

test("secrets are in the environment of the steps that use them, never in that of a workflow, a job, or a step that installs or builds", () => {
  const isSecret = (env: object | undefined): boolean => /secrets\.|github\.token/.test(JSON.stringify(env ?? {}));
  const files = [...workflows()].filter(([, text]) => isSecret((parse(text) as Workflow).env)).map(([file]) => file);
  expect(files).toEqual([]);
  expect(jobs.filter(([, { env }]) => isSecret(env)).map(([name]) => name)).toEqual([]);
  const using = withStep(({ env }) => isSecret(env));
  expect(using.length).toBeGreaterThan(8);
  expect(withStep(({ env, run = "" }) => isSecret(env) && INSTALLS.test(run))).toEqual([]);
});

test("the keys and tokens of a release are used only in the environment `release`, in a job that builds nothing", () => {
  const own = jobs.filter(([name]) => name.startsWith(".github/"));
  const using = own.filter(([, { steps }]) => /secrets\.\w+/.test(JSON.stringify(steps)));
  expect(using.map(([name, { environment }]) => ({ name, environment }))).toEqual([
    { name: ".github/workflows/release.yml: publish", environment: "release" },
  ]);
  const steps = using[0]?.[1].steps ?? [];
  const signs = steps.findIndex(({ env }) => JSON.stringify(env ?? {}).includes("secrets.RELEASE_KEY"));
  expect(steps[signs]?.run).toBe("node tools/release/sign.mts release");
  expect(steps.slice(0, signs).filter(({ run = "" }) => INSTALLS.test(run))).toEqual([]);
});

test("the token of a checkout stays on disk only in a job that pushes", () => {
  const persisted = withStep(
    ({ uses = "", with: inputs }) => uses.startsWith("actions/checkout@") && inputs?.["persist-credentials"] !== false,
  );
  expect(persisted).toEqual([".github/workflows/release.yml: publish"]);
});

test("npx in CI never installs a package of that name from the public registry", () => {
  const others = ["examples/ci/gitlab-drift.yml", "examples/adopted-account/drift-report.sh", "docs/linode.md"];
  const scripts = new Map([...workflows(), ...others.map((file) => [file, blocksIn(file)] as const)]);
  const commands = [...scripts].flatMap(([name, text]) =>
    [...text.matchAll(/^[^#\n]*\bnpx (.*)$/gm)].map(([, rest = ""]) => ({ name, rest })),
  );
  expect(commands.length).toBeGreaterThan(10);
  expect(commands.filter(({ rest }) => !rest.startsWith("--no "))).toEqual([]);
});

/** The text of a file, or the YAML blocks of a page, which show steps in CI. */
function blocksIn(file: string): string {
  if (!file.endsWith(".md")) return read(file);
  const blocks = blocksOf(read(file)).filter(({ language }) => language === "yaml");
  return blocks.map(({ text }) => text).join("\n");
}

test("a check that also runs after a failed test requires that the package was installed", () => {
  const late = jobs.flatMap(([name, { steps }]) =>
    steps
      .filter(({ run = "", if: condition = "" }) => run.includes("npx") && /cancelled|always|failure/.test(condition))
      .map(({ if: condition = "" }) => {
        const [, id] = /steps\.([\w-]+)\.outcome == 'success' &&/.exec(condition) ?? [];
        return { name, install: steps.find((step) => id && step.id === id)?.run };
      }),
  );
  expect(late).toHaveLength(5);
  for (const { name, install } of late) expect(install, name).toBe("npm ci");
});

test("a drift check copies the packages that are not in a registry before it installs them", () => {
  const scripts = jobs
    .filter(([name]) => /drift/.test(name))
    .map(([name, { steps }]): [string, string[]] => [name, steps.map(({ run = "" }) => run)]);
  const gitlab = parse(read("examples/ci/gitlab-drift.yml")) as { drift: { script: string[] } };
  const all = [...scripts, ["examples/ci/gitlab-drift.yml", gitlab.drift.script] as const];
  expect(all.length).toBeGreaterThan(8);
  for (const [name, commands] of all) {
    const copies = commands.findIndex((command) => /^cp (-R )?packages\/\* \.\.$/.test(command));
    expect(copies, name).toBeGreaterThanOrEqual(0);
    expect(commands.indexOf("npm ci"), name).toBe(copies + 1);
  }
});

test("a job for pull requests that needs secrets skips those that get none", () => {
  const found = [...workflows()].flatMap(([file, text]) => {
    const { on, jobs: all } = parse(text) as { on: object; jobs: Record<string, Job & { if?: string }> };
    const names = JSON.stringify(on);
    if (!names.includes("pull_request")) return [];
    return Object.values(all)
      .filter(({ steps }) => JSON.stringify(steps).includes("secrets."))
      .map(({ if: condition = "" }) => ({ file, condition }));
  });
  expect(found.map(({ file }) => file)).toEqual(["examples/ci/github-drift.yml"]);
  for (const { condition } of found) {
    expect(condition).toContain("github.event.pull_request.head.repo.full_name == github.repository");
    expect(condition).toContain("github.actor != 'dependabot[bot]'");
  }
});

test("a job that uploads SARIF reports may read the workflow run, which private repositories require", () => {
  const uploads = jobs.filter(([, { steps }]) => steps.some(({ uses = "" }) => uses.includes("upload-sarif@")));
  expect(uploads).toHaveLength(1);
  for (const [name, { permissions }] of uploads)
    expect(permissions, name).toMatchObject({ contents: "read", actions: "read", "security-events": "write" });
});

test("the step that uploads SARIF reports and the page about drift name what private repositories need", () => {
  expect(read("examples/ci/github-drift.yml")).toMatch(
    /# Without GitHub Code Security, GitHub rejects the report of a private repository, and the job fails: then delete this step\.\n *- uses: \S+upload-sarif@/,
  );
  expect(read("docs/drift.md").replace(/\s+/g, " ")).toContain(
    "to code scanning (private repositories need GitHub Code Security)",
  );
});

test("Dependabot updates the actions of every workflow, except those in pages", () => {
  const { updates } = parse(read(".github/dependabot.yml")) as {
    updates: { "package-ecosystem": string; directories: string[] }[];
  };
  const { directories = [] } = updates.find((one) => one["package-ecosystem"] === "github-actions") ?? {};
  // Only for "/", Dependabot looks in .github/workflows; elsewhere, it reads the files of the folder itself.
  const folders = directories.map((one) => (one === "/" ? ".github/workflows" : one.slice(1)));
  const files = [...workflows().keys()].filter((name) => name.includes("/"));
  expect(files.length).toBeGreaterThan(9);
  expect(files.filter((file) => !folders.some((folder) => matchesGlob(dirname(file), folder)))).toEqual([]);
});

test("actionlint accepts every workflow", async ({ skip }) => {
  const modules = join(root, "tools/workflows");
  const env = { ...process.env, GOWORK: "off" };
  try {
    execFileSync("go", ["-C", modules, "mod", "download"], { env, stdio: "pipe" });
  } catch (error) {
    skip(`actionlint needs go and its modules: ${(error as Error).message.split("\n")[0]}`);
  }
  const folder = join(place, ".github/workflows");
  mkdirSync(folder, { recursive: true });
  const files = [...workflows()].map(([name, text]) => {
    const file = join(folder, name.replaceAll("/", "-"));
    writeFileSync(file, text);
    return file;
  });
  const args = ["-C", modules, "tool", "actionlint", "-no-color", "-shellcheck=", "-pyflakes=", ...files];
  const { stdout } = await promisify(execFile)("go", args, { env }).catch((error) => error);
  expect(stdout).toBe("");
});
