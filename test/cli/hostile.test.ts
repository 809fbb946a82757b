import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, describe, expect, test } from "vitest";
import { newFolder } from "../folder";
import { EVIL, endless, hostile, refusals, reply, type Scenario, steering, unusable } from "../hostile";
import { forEveryChange } from "../nightly";
import { onTerminal, run } from "./command";
import { runHere } from "./in-process";

const TOKEN = "plainly-a-token-4711";

/** Scenarios for every change. `test/unit/client/hostile.test.ts` tests the client with most of the others. */
const names: readonly string[] = [
  "a body without an end",
  "a million values",
  "200,000 levels of nesting",
  "pages of large entries without an end",
  "pages of small values without an end",
  "a web page that steers the terminal",
  "a refusal that steers the terminal",
  "a redirect",
  "a redirect after a change",
];

const cases = (scenarios: Record<string, Scenario>) =>
  forEveryChange(Object.entries(scenarios), ([name]) => names.includes(name));

const place = newFolder();

const settings = ({ url }: { url: string }) => ({ CLOUDINFRA_URL: url, CLOUDINFRA_TOKEN: TOKEN });

describe("no failure controls the terminal or sends the token to another server", () => {
  test.each(cases({ ...unusable, ...refusals }))("%s", async (name, scenario) => {
    await using service = await hostile(scenario);
    const codes = name in unusable || name.startsWith("a redirect") || name.includes("content type") ? [3] : [1, 3];
    for (const words of ["volumes list --all", "volumes create --label data --region us-east"]) {
      const { code, stdout, stderr } = await runHere(["api", ...words.split(" "), "--verbose"], {
        env: settings(service),
      });
      expect(codes).toContain(code);
      expect(stdout).toBe("");
      expect(steering(stderr)).toEqual([]);
      expect(stderr).toContain(`cloudinfra: ${words.split(" ").slice(0, 2).join(".")}: `);
      if (words.includes("create") && code === 3 && !/: the response \(4/.test(stderr))
        expect(stderr).toContain("the request may have been carried out");
    }
    expect(service.followed).toEqual([]);
  });
});

const record = {
  id: 1,
  label: EVIL,
  [EVIL]: [EVIL, { [EVIL]: EVIL }],
  status: EVIL,
  tags: [EVIL],
  region: { a: EVIL },
};
const rows = { data: [record, record], page: 1, pages: 1, results: 2 };

describe("no response controls the terminal", () => {
  test.each([
    ["volumes view 1", record],
    ["volumes list", rows],
  ])("%s as a table", async (words, body) => {
    await using service = await hostile(reply(200, body));
    const { code, stdout } = await onTerminal(
      ["api", ...words.split(" ")],
      { ...settings(service), NO_COLOR: "1" },
      120,
    );
    expect(code).toBe(0);
    expect(stdout).toContain("line over");
    expect(steering(stdout)).toEqual([]);
  });

  test("JSON has the same meaning in a pipe and on a terminal", async () => {
    await using service = await hostile(reply(200, record));
    const { stdout } = await run(["api", "volumes", "view", "1"], { env: settings(service) });
    const shown = await onTerminal(["api", "volumes", "view", "1", "--json"], settings(service), 80);
    for (const text of [stdout, shown.stdout]) {
      expect(steering(text)).toEqual([]);
      expect(JSON.parse(text)).toEqual(record);
    }
  });

  test("not even in values selected by --jq and --columns", async () => {
    await using service = await hostile(reply(200, record));
    for (const picked of [
      ["--jq", ".label, .tags"],
      ["--columns", "id,label,region.a"],
    ]) {
      const { stdout } = await runHere(["api", "volumes", "view", "1", ...picked], { env: settings(service) });
      expect(stdout).toContain("line over");
      expect(steering(stdout)).toEqual([]);
    }
  });
});

const page = (entry: object, pages: number): Scenario => {
  const data = Array.from({ length: 100 }, (_, i) => ({ id: i + 1, ...entry }));
  return reply(200, { data, page: 1, pages, results: data.length * pages });
};

/** Responses that are valid but so large that a client could run out of memory. */
const costly: Record<string, Scenario> = {
  "a body without an end": unusable["a body without an end"],
  "a list without an end": unusable["a list without an end"],
  "a body of 8 GB by its length": unusable["a body of 8 GB by its length"],
  "a million values": unusable["a million values"],
  "200,000 levels of nesting": unusable["200,000 levels of nesting"],
  "bytes without an end": endless("image/png", "", "a"),
  "a refusal of three megabytes": refusals["a refusal of three megabytes"],
  "three megabytes of text": page({ label: "x".repeat(30_000) }, 1),
  "pages of large entries without an end": page({ label: "x".repeat(20_000) }, 100_000),
  "pages of small values without an end": page({ tags: Array.from({ length: 1_500 }, () => []) }, 100_000),
  "as many pages as are read": page({ label: "x".repeat(20_000) }, 15),
};

describe("memory", () => {
  const script = join(__dirname, "hostile-provider.cjs");
  const measured = () => ({ NODE_OPTIONS: `--require ${join(__dirname, "peak.cjs")}`, PEAK_FILE: join(place, "peak") });
  const megabytes = async () => Number(await readFile(join(place, "peak"), "utf8"));

  /**
   * Peak memory in MB of the `cloudinfra api` command and of a provider process when they receive the scenario's
   * responses.
   */
  async function peaks(scenario: Scenario): Promise<{ command: number; provider: number }> {
    await using service = await hostile(scenario);
    const env = { ...settings(service), ...measured() };
    let command = 0;
    for (const words of ["volumes view 1 --verbose", "volumes list --all", "oauth-clients view-thumbnail x"]) {
      await run(["api", ...words.split(" ")], { env });
      command = Math.max(command, await megabytes());
    }
    await promisify(execFile)(process.execPath, [script, service.url, TOKEN], { env: { ...process.env, ...env } });
    return { command, provider: await megabytes() };
  }

  let usual: Awaited<ReturnType<typeof peaks>>;
  beforeAll(async () => {
    usual = await peaks(reply(200, { id: 1, label: "data" }));
  });

  test.each(cases(costly))(
    "%s uses less than 200 MB of memory in the command and in the provider",
    async (_, scenario) => {
      const { command, provider } = await peaks(scenario);
      expect(command - usual.command).toBeLessThan(200);
      expect(provider - usual.provider).toBeLessThan(200);
    },
  );
});

test("--all fails with an error if a list has no end", async () => {
  await using service = await hostile(page({ label: "x".repeat(20_000) }, 100_000));
  const { code, stdout, stderr } = await run(["api", "volumes", "list", "--all"], { env: settings(service) });
  expect({ code, stdout }).toEqual({ code: 3, stdout: "" });
  expect(stderr).toContain("volumes.list: the entries of all pages exceed 32 MB; narrow the list with --filter");
});
