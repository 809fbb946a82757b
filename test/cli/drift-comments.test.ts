import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { parse } from "yaml";
import { newFolder } from "../folder";
import { checked } from "./deployment";

const place = newFolder();
const bin = join(place, "bin");
/** A checkout with the report of a check. */
let folder = "";

interface Text {
  number: number;
  user: string;
  body: string;
}

/** The contents of the fake GitHub: comments on pull requests and issues, and open issues. */
interface GitHub {
  comments: (Text & { id: number })[];
  /** Whether requests for lists of comments fail. */
  fails?: boolean;
  issues: Text[];
}

/** A fake `gh` reads and changes a file, and applies filters with jq, as the real one does. */
const gh = `#!${process.execPath}
const { execFileSync } = require("node:child_process");
const { readFileSync, writeFileSync } = require("node:fs");
const words = process.argv.slice(2);
const option = (name) => words[words.indexOf(name) + 1];
const github = JSON.parse(readFileSync("github.json", "utf8"));
const print = (value) =>
  process.stdout.write(execFileSync("jq", ["-r", option("--jq")], { input: JSON.stringify(value), encoding: "utf8" }));
const user = "github-actions[bot]";
const body = () => readFileSync(option("--field").replace("body=@", ""), "utf8");
const path = words.find((word) => word.startsWith("repos/")) ?? "";
const [, number] = /issues\\/(\\d+)\\/comments$/.exec(path) ?? [];
const [, id] = /issues\\/comments\\/(\\d+)$/.exec(path) ?? [];
const command = words.slice(0, 2).join(" ");
if (command === "issue create")
  github.issues.push({ number: github.issues.length + 1, user, body: readFileSync(option("--body-file"), "utf8") });
else if (command === "issue list") print(github.issues.map(({ number, body }) => ({ number, body })));
else if (id) github.comments.find((comment) => String(comment.id) === id).body = body();
else if (number && option("--method") === "POST")
  github.comments.push({ id: github.comments.length + 1, number: Number(number), user, body: body() });
else if (number && github.fails) throw new Error("HTTP 502");
else if (number)
  print(
    github.comments
      .filter((comment) => String(comment.number) === number)
      .map(({ id, user, body }) => ({ id, user: { login: user }, body })),
  );
else if (command !== "label create") throw new Error(words.join(" "));
writeFileSync("github.json", JSON.stringify(github));
`;

interface Step {
  name?: string;
  run?: string;
  shell?: "bash";
}

let missing = "";
beforeAll(() => {
  mkdirSync(bin);
  writeFileSync(join(bin, "gh"), gh, { mode: 0o755 });
  try {
    execFileSync("jq", ["--version"]);
  } catch {
    missing = "jq is not installed";
  }
});

const bot = "github-actions[bot]";
const github = (): GitHub => JSON.parse(readFileSync(join(folder, "github.json"), "utf8"));
const starts = (state: Partial<GitHub>): void =>
  writeFileSync(join(folder, "github.json"), JSON.stringify({ comments: [], issues: [], ...state }));

beforeEach((context) => {
  if (missing) context.skip(missing);
  folder = mkdtempSync(join(place, "checkout-"));
  starts({});
});

/** The options with which a runner on Linux starts Bash: by default, and for steps with `shell: bash`. */
const shells = { undefined: ["-e"], bash: ["--noprofile", "--norc", "-e", "-o", "pipefail"] };

/** Runs the step that posts a report, as a runner does, for a pull request or without one. */
async function run(report: string, pullRequest: number | "" = "") {
  writeFileSync(join(folder, "drift.md"), report);
  const file = join(__dirname, "../../examples/ci/github-drift.yml");
  const { steps } = parse(readFileSync(file, "utf8")).jobs.drift as { steps: Step[] };
  const step = steps.find(({ name = "" }) => name.startsWith("Post the report"));
  const env = { PATH: `${bin}:${process.env.PATH}`, GH_REPO: "team/shop", PULL_REQUEST: `${pullRequest}` };
  const options = shells[step?.shell ?? "undefined"];
  return checked("bash", [...options, "-c", step?.run ?? "exit 9"], {}, { cwd: folder, env });
}

async function post(report: string, pullRequest: number | "" = ""): Promise<void> {
  const { code, output } = await run(report, pullRequest);
  expect(code, output).toBe(0);
}

const marked = (report: string): string => `<!-- cloudinfra drift prod -->\n${report}`;

test("the report on a pull request is one comment, which the next report replaces", async () => {
  await post("1 difference", 7);
  await post("2 differences", 7);
  expect(github().comments).toEqual([{ id: 1, number: 7, user: bot, body: marked("2 differences") }]);
});

test("if the comments cannot be read, the step fails instead of posting a second comment", async () => {
  const comments = [{ id: 1, number: 7, user: bot, body: marked("1 difference") }];
  starts({ comments, fails: true });
  expect(await run("2 differences", 7)).toMatchObject({ code: 1, output: expect.stringContaining("HTTP 502") });
  expect(github().comments).toEqual(comments);
});

test("the comments of other workflows, of other pull requests and of people stay the same", async () => {
  const others = [
    { id: 1, number: 8, user: bot, body: marked("of another pull request") },
    { id: 2, number: 7, user: "mallory", body: marked("a copied marker") },
    { id: 3, number: 7, user: bot, body: "coverage: 98 %" },
    { id: 4, number: 7, user: bot, body: "<!-- cloudinfra drift staging -->\nof another stack" },
  ];
  starts({ comments: others });
  await post("1 difference", 7);
  await post("2 differences", 7);
  expect(github().comments).toEqual([...others, { id: 5, number: 7, user: bot, body: marked("2 differences") }]);
});

test("a scheduled check opens an issue, and later reports are one comment on it", async () => {
  await post("1 difference");
  await post("2 differences");
  await post("3 differences");
  expect(github()).toEqual({
    issues: [{ number: 1, user: bot, body: marked("1 difference") }],
    comments: [{ id: 1, number: 1, user: bot, body: marked("3 differences") }],
  });
});

test("an issue that has the label but is not of this check gets no comments", async () => {
  const issue = { number: 1, user: "ada", body: "The docs do not explain drift." };
  starts({ issues: [issue] });
  await post("1 difference");
  expect(github()).toEqual({ issues: [issue, { number: 2, user: bot, body: marked("1 difference") }], comments: [] });
});
