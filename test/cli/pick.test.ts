import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Emulator, startEmulator } from "../../emulator";
import { version } from "../../package.json";
import { newFolder } from "../folder";
import { runHere } from "./in-process";

let emulator: Emulator;
let env: Record<string, string>;

beforeAll(async () => {
  emulator = await startEmulator({ pace: "instant" });
  env = { CLOUDINFRA_URL: emulator.url, CLOUDINFRA_TOKEN: emulator.token };
  for (const [label, size, tags] of [
    ["data", 20, "prod"],
    ["logs", 40, "prod"],
    ["tmp", 10, "test"],
  ] as const)
    await runHere(
      ["api", "volumes", "create", "--label", label, "--size", String(size), "--tags", tags, "--region", "us-east"],
      { env },
    );
});
afterAll(() => emulator.close());

const api = (words: string, ...more: string[]) => runHere(["api", ...words.split(" "), ...more], { env });

describe("--jq", () => {
  test.each([
    [".data[].label", "data\nlogs\ntmp\n"],
    ['.data[] | select(.size > 15 and .label != "logs") | .label, .size', "data\n20\n"],
    ["[.data[] | {label, gb: .size}]", '[{"label":"data","gb":20},{"label":"logs","gb":40},{"label":"tmp","gb":10}]\n'],
    ["{label: .data[].label}", '{"label":"data"}\n{"label":"logs"}\n{"label":"tmp"}\n'],
    // The order is that of jq 1.6.
    ["{a: (1, 2), b: (3, 4)}", '{"a":1,"b":3}\n{"a":1,"b":4}\n{"a":2,"b":3}\n{"a":2,"b":4}\n'],
    ["{page, big: (.data[] | select(.size > 90))}", ""],
    [".data[0] | {label, tag: .tags[]}", '{"label":"data","tag":"prod"}\n'],
    [".data | map(.size) | length", "3\n"],
    [".data[0].tags[0], .data[-1].label, .data[7]", "prod\ntmp\nnull\n"],
    ['.data | map(.label) | join(", ")', "data, logs, tmp\n"],
    [".data[] | select(.compute_id == null | not) | .label", ""],
    [".results, (.data[0] | .compute_id), .data[0].label.x?", "3\nnull\n"],
    ['.["page"]', "1\n"],
    [".data[0] | keys | .[0:1]", undefined],
    ["keys", '["data","page","pages","results"]\n'],
    [".data | keys", "[0,1,2]\n"],
    [".constructor", "null\n"],
  ])("%s", async (filter, stdout) => {
    const ran = await api("volumes list", "--jq", filter);
    if (stdout === undefined) expect(ran).toMatchObject({ code: 2, stdout: "" });
    else expect(ran).toEqual({ code: 0, stdout, stderr: "" });
  });

  test.each([
    [".data[", "is incomplete"],
    ["data", '"data" is not supported'],
    [".data | sort_by(.size)", '"sort_by" is not supported'],
    [".data ]", 'unexpected "]" after the end of the filter'],
    [".data @", 'syntax error at "@"'],
    ["constructor", '"constructor" is not supported'],
  ])("rejects %s before sending anything", async (filter, why) => {
    const before = emulator.requests.list().length;
    expect(await api("volumes list", "--jq", filter)).toEqual({
      code: 2,
      stdout: "",
      stderr: `cloudinfra: --jq ${filter}: ${why}\n`,
    });
    expect(emulator.requests.list()).toHaveLength(before);
  });

  test("a filter that does not match the response of a create prints all of it, because its secret is returned only once", async () => {
    const ran = await api("object-storage-keys create --label mine", "--jq", ".label.x");
    expect(ran).toMatchObject({ code: 2, stderr: expect.stringContaining("The call itself succeeded") });
    expect(JSON.parse(ran.stdout)).toMatchObject({ label: "mine", secret_key: expect.stringMatching(/^\w{20,}$/) });
    const file = join(newFolder(), "key.json");
    const saved = await api("object-storage-keys create --label mine", "--jq", ".label.x", "--output", file);
    expect(saved).toMatchObject({ code: 2, stdout: "" });
    expect(JSON.parse(readFileSync(file, "utf8"))).toMatchObject({ secret_key: expect.stringMatching(/^\w{20,}$/) });
  });

  test.each([
    [".data.label", 'cannot read field "label" of a list'],
    [".data[0].label | keys", "a string does not have keys"],
    [".page | keys", "a number does not have keys"],
    [".data[7] | keys", "null does not have keys"],
  ])("reports a filter that does not match the response: %s", async (filter, why) => {
    expect(await api("volumes list", "--jq", filter)).toEqual({
      code: 2,
      stdout: "",
      stderr: `cloudinfra: --jq ${filter}: ${why}. The call itself succeeded\n`,
    });
  });
});

describe("--columns", () => {
  test("selects fields of a list, in pipes too", async () => {
    const { code, stdout } = await api("volumes list", "--columns", "label,size,tags");
    expect(code).toBe(0);
    expect(stdout).toBe("label  size  tags\ndata   20    prod\nlogs   40    prod\ntmp    10    test\n");
  });

  test("selects fields of a record, at any depth", async () => {
    const words = "instances create --label web --region us-east --type g6-nanode-1";
    expect((await api(words, "--columns", "label,specs.memory")).stdout).toBe("label  specs.memory\nweb    1024\n");
  });

  test.each([
    [["--columns", "labl"], '--columns labl: there is no field "labl"; did you mean "label"?'],
    [["--columns", "label", "--jq", "."], "--jq and --columns cannot be combined; use one of them"],
    [["--json", "--jq", "."], "--json and --jq cannot be combined; use one of them"],
  ])("rejects %j", async (more, messages) => {
    expect(await api("volumes list", ...more)).toEqual({ code: 2, stdout: "", stderr: `cloudinfra: ${messages}\n` });
  });
});

test.each([["nodebalancers list"], ["nodeBalancers list"], ["node-balancers list"], ["objectstorage-keys list"]])(
  "accepts the area name %s",
  async (words) => {
    expect(await api(words)).toMatchObject({ code: 0, stderr: "" });
  },
);

test("completes arguments after such an area name, and the fields of --columns", async () => {
  const offered = async (...words: string[]) => (await runHere(["__complete", "--", "api", ...words], { env })).stdout;
  expect(await offered("nodebalancers", "cre")).toMatch(/^create\t/);
  expect(await offered("volumes", "list", "--columns", "lab")).toBe("label\t\n");
});

test.each([
  ["volumes view 4711", "volumes.view: 404 Not found (volume 4711)"],
  ["domain-records view 12 34", "domainRecords.view: 404 Not found (domain 12, record 34)"],
  ["instances boot 99", "instances.boot: 404 Not found (instance 99)"],
])("%s names the part that does not exist", async (words, messages) => {
  expect(await api(words)).toEqual({ code: 1, stdout: "", stderr: `cloudinfra: ${messages}\n` });
});

test("--version prints the version", async () => {
  expect(await runHere(["--version"])).toEqual({ code: 0, stdout: `${version}\n`, stderr: "" });
});
