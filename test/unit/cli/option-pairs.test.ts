import {
  closeSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import timers from "node:timers/promises";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { cloudinfra } from "../../../cli/program";
import { type Emulator, startEmulator } from "../../../emulator";
import { connect } from "../../../provider/client";
import { runHere } from "../../cli/in-process";
import { newFolder } from "../../folder";
import { stateOfAll } from "../drift/large-state";
import { fakePulumi } from "./fake-pulumi";
import { terminal } from "./terminal";

const root = newFolder();
const at = (name: string): string => join(root, name);
const empty = { version: 3, deployment: {} };

let emulator: Emulator;
let client: ReturnType<typeof connect>;
let screen: ReturnType<typeof terminal>;

beforeAll(async () => {
  emulator = await startEmulator({ pace: "instant" });
  client = connect(emulator);
  writeFileSync(at("pulumi"), fakePulumi, { mode: 0o755 });
  await client.api.volumes.create({ body: { region: "us-east", label: "data", size: 20 } });
  writeFileSync(at("volume.json"), JSON.stringify((await stateOfAll(emulator)).state));
});

/** Sets the environment so that commands use the emulator, and the fake Pulumi CLI with the given state file. */
function stubbed(stack = "stack.json"): void {
  vi.stubEnv("CLOUDINFRA_URL", emulator.url);
  vi.stubEnv("CLOUDINFRA_TOKEN", emulator.token);
  vi.stubEnv("PULUMI_CLI", at("pulumi"));
  vi.stubEnv("STACK", at(stack));
}

beforeEach(() => {
  stubbed();
  screen = terminal();
});

afterEach(() => screen.restore());

afterAll(async () => {
  await client.close();
  await emulator.close();
});

/**
 * For each option, the alternative arguments to test, for example `[[], ["--unmanaged"]]`. Command lines that test two
 * other options contain the first alternative.
 */
type Uses = Readonly<Record<string, readonly (readonly string[])[]>>;

const flag = (name: string): string[][] => [[], [name]];
const option = (name: string, ...values: readonly string[]): string[][] => [[], ...values.map((one) => [name, one])];

/** The command lines that combine every two options in all their alternatives, without duplicates. */
function pairsOf(uses: Uses): { line: string; args: string[] }[] {
  const names = Object.keys(uses);
  const each = names.flatMap((name) => (uses[name] ?? []).map((use) => ({ [name]: use })));
  const lines = each.flatMap((one, i) =>
    each.slice(i + 1).map((other) => {
      const chosen: Readonly<Record<string, readonly string[]>> = { ...one, ...other };
      return names.flatMap((name) => chosen[name] ?? uses[name]?.[0] ?? []);
    }),
  );
  const named = lines.map((args) => ({ line: args.join(" ").replaceAll(`${root}/`, ""), args }));
  return [...new Map(named.map((one) => [one.line, one])).values()];
}

/** The options that the help lists, that is, without earlier names of options. */
const optionsOf = async (command: string): Promise<string[]> =>
  (await cloudinfra()).commands
    .find((one) => one.name() === command)
    ?.options.filter(({ hidden }) => !hidden)
    .map(({ long }) => String(long)) as string[];

async function run(command: string, args: readonly string[]): Promise<string> {
  return (await cloudinfra()).parseAsync(["node", "cloudinfra", command, ...args]).then(
    () => "",
    (error: Error) => error.message,
  );
}

describe("drift", () => {
  // The changed object, the unmanaged one (`loose`) and the one that the program creates are volumes.
  const uses: Uses = {
    "--state": [["--state", at("volume.json")], []],
    "--cwd": option("--cwd", root),
    "--project": option("--project", root),
    "--all-stacks": flag("--all-stacks"),
    "--stack": option("--stack", "prod"),
    "--unmanaged": flag("--unmanaged"),
    "--ignore-kind": option("--ignore-kind", "Domain"),
    "--format": option("--format", "json", "html", "markdown"),
    "--out": option("--out", at("report")),
    "--program": flag("--program"),
    "--watch": [...flag("--watch"), ["--watch", "5"]],
    // Too short, because the service would not end.
    "--every": option("--every", "5s"),
    "--listen": option("--listen", "127.0.0.1:0"),
    "--baseline": option("--baseline", at("baseline.json")),
    "--timeout": option("--timeout", "5m"),
    "--accept-all-deleted": flag("--accept-all-deleted"),
  };

  beforeAll(async () => {
    const [volume] = (await client.api.volumes.list()).data;
    await client.api.volumes.resize({ path: { volumeId: volume?.id ?? 0 }, body: { size: 40 } });
    await client.api.volumes.create({ body: { region: "us-east", label: "loose" } });
    cpSync(at("volume.json"), at("stack.json"));
    stubbed();
    await run("drift", ["--state", at("volume.json"), "--format", "json", "--out", at("baseline.json")]);
  });

  test.each([
    ["drift", "--cwd", "--cwd"],
    ["drift", "--project", "--project"],
    ["doctor", "--cwd", "--project"],
  ])("%s %s rejects a file and a folder that does not exist", async (command, option, named) => {
    expect(await run(command, [option, at("stack.json")])).toBe(`${named} ${at("stack.json")}: is not a folder`);
    expect(await run(command, [option, at("none")])).toBe(`${named} ${at("none")}: the folder does not exist`);
  });

  test("all options are tried", async () => {
    expect(Object.keys(uses).sort()).toEqual((await optionsOf("drift")).sort());
  });

  test.each(pairsOf(uses))("$line", async ({ args }) => {
    const has = (name: string): boolean => args.includes(name);
    vi.spyOn(timers, "setTimeout").mockRejectedValueOnce(new Error("Ctrl-C"));
    rmSync(at("report"), { force: true });
    const error = await run("drift", args);
    if (has("--every")) return expect(error).toContain(has("--watch") ? "--every 5s" : "--every requires --watch");
    if (has("--listen")) return expect(error).toContain("--listen requires --watch and --every");
    const other = ["--stack", "--state", "--program"].find(has);
    if (has("--all-stacks") && other) return expect(error).toContain(`${other} cannot be combined with --all-stacks`);
    if (has("--all-stacks") && has("--project")) return expect(error).toContain("name the folder with --cwd");
    if (has("--cwd") && has("--project")) return expect(error).toContain("--cwd names the folder already");
    if (has("--program") && has("--state")) return expect(error).toContain("--program requires a stack");
    expect(error).toBe(has("--watch") ? "Ctrl-C" : "");
    expect(process.exitCode).toBe(has("--baseline") ? 0 : 2);
    const report = has("--out") ? readFileSync(at("report"), "utf8") : screen.printed.out;
    if (has("--out") && !has("--watch")) expect(screen.printed.out).toBe("");
    expect(report).toContain("Volume/640144");
    expect(report.includes("loose")).toBe(has("--unmanaged"));
    expect(/ignored kinds: Domain|"ignoredKinds"/.test(report)).toBe(has("--ignore-kind"));
    expect(report.includes("planned")).toBe(has("--program"));
    expect(report.includes("schemaVersion")).toBe(has("json"));
    expect(report.includes("<html")).toBe(has("html"));
  });

  test("a report replaces the former one as a whole, which can be the baseline", async () => {
    writeFileSync(at("former"), "a former report");
    const former = openSync(at("former"), "r");
    expect(await run("drift", ["--state", at("volume.json"), "--out", at("former")])).toBe("");
    expect(readFileSync(former, "utf8")).toBe("a former report");
    closeSync(former);
    expect(readFileSync(at("former"), "utf8")).toContain("Volume/640144");
  });
});

test.each([
  ["--ignore-kind Volum", '--ignore-kind: there is no kind "Volum"; did you mean "Volume"?'],
  [
    "--ignore-kind Volume --ignore-kind x",
    '--ignore-kind: there is no kind "x"; expected one of AccountContact, Domain, ',
  ],
  [
    "--ignore-kind x --ignore-kind Volume",
    '--ignore-kind: there is no kind "x"; expected one of AccountContact, Domain, ',
  ],
])("drift rejects a wrong value before it reads anything: %s", async (words, message) => {
  emulator.requests.clear();
  const args = ["drift", "--cwd", root, "--state", at("volume.json"), ...words.split(" ")];
  const ran = await runHere(args, { env: { CLOUDINFRA_URL: emulator.url, CLOUDINFRA_TOKEN: emulator.token } });
  expect(ran).toMatchObject({ code: 1, stdout: "" });
  expect(ran.stderr).toContain(message);
  expect(emulator.requests.list()).toEqual([]);
});

describe("import", () => {
  const uses: Uses = {
    "--into": [["--into", "prod"], []],
    "--out": [[], ["--out", "new"], ["--out", "earlier"]],
    "--provider": option("--provider", "dynamic", "native"),
    "--filter": option("--filter", "kind=Volume"),
    "--state": option("--state", at("volume.json")),
    "--protect": flag("--protect"),
    "--dry-run": flag("--dry-run"),
    "--backup": option("--backup", "backup.json"),
    "--timeout": option("--timeout", "5m"),
    "--package": option("--package", "0.1.0"),
    "--secrets-provider": option("--secrets-provider", "passphrase"),
    "": [[], ["volume/data"]],
  };
  const cwd = process.cwd();

  /** Imports the account into a project, because options such as `--into` require an existing project. */
  beforeAll(async () => {
    const body = { domain: "example.org", type: "master" as const, soa_email: "a@example.org" };
    await client.api.domains.create({ body });
    stubbed("earlier.json");
    screen = terminal();
    writeFileSync(at("earlier.json"), JSON.stringify(empty));
    const args = ["--out", at("earlier"), "--into", "prod", "--filter", "area=dns", "--backup", at("first.json")];
    expect(await run("import", args)).toBe("");
    screen.restore();
  });

  afterEach(() => process.chdir(cwd));

  test("all options are tried", async () => {
    expect(Object.keys(uses).filter(Boolean).sort()).toEqual((await optionsOf("import")).sort());
  });

  test.each(pairsOf(uses))("$line", async ({ args }) => {
    const has = (name: string): boolean => args.includes(name);
    const folder = mkdtempSync(at("case-"));
    mkdirSync(join(folder, "here"));
    process.chdir(join(folder, "here"));
    const isNew = !has("earlier");
    if (!isNew) cpSync(at("earlier"), "earlier", { recursive: true });
    const before = isNew ? JSON.stringify(empty) : readFileSync(at("earlier.json"), "utf8");
    writeFileSync(at("stack.json"), before);
    const error = await run("import", args);
    if (isNew && !has("--into")) return expect(error).toContain("--into is required for a new project");
    if (!isNew && has("native")) return expect(error).toContain("--provider native: the project in --out uses dynamic");
    if (!isNew && has("--package")) return expect(error).toContain("--package applies only to a new project");
    if (!isNew && has("--secrets-provider"))
      return expect(error).toContain("--secrets-provider applies only to a new stack");
    expect(error).toBe("");
    const isOne = has("volume/data") || has("kind=Volume");
    const expected = [
      ...(has("--state") ? [] : ["Volume data"]),
      ...(has("volume/data") ? [] : ["Volume loose"]),
      ...(isNew && !isOne ? ["Domain example.org"] : []),
    ];
    expect(process.exitCode).toBeUndefined();
    expect(screen.printed.out).toContain(
      expected.length
        ? `${has("--dry-run") ? "would import" : "imported"} ${expected.length} object`
        : "nothing new to import\n",
    );
    const writes = expected.length > 0 && !has("--dry-run");
    const own = has("new") ? "new" : isNew ? "." : "earlier";
    const written = existsSync(own) ? readdirSync(own) : [];
    expect(written.includes("compute.ts")).toBe(writes && expected.some((name) => name.startsWith("Volume")));
    const isProtected = (file: string) => readFileSync(join(own, file), "utf8").includes("protect: true");
    expect(written.filter((file) => file.endsWith(".ts")).some(isProtected)).toBe(writes && has("--protect"));
    expect(existsSync("backup.json")).toBe(writes && has("--backup"));
    const after = readFileSync(at("stack.json"), "utf8");
    if (!writes) return expect(after).toBe(before);
    const type = has("native") ? "cloudinfra:index:" : "pulumi-nodejs:dynamic/cloudinfra:";
    for (const name of expected) expect(after).toContain(`${type}${name.replace(" ", "::")}`);
  });
});

test.each([
  ["drift", "--stack", ""],
  ["drift", "--stack", "prod", "--stack", ""],
  ["adopt", "Volume", "data", "1", "--stack", ""],
  ["import", "--into", ""],
  ["migrate", "--account", "--backup", ""],
  ["doctor", "--url", ""],
  ["emulator", "--data", ""],
])("an empty value is rejected: %s %s", async (...words) => {
  const program = await cloudinfra();
  const printed = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  await expect(program.parseAsync(["node", "cloudinfra", ...words])).rejects.toThrow(
    /^error: option '(--[a-z]+ <\w+>)': the value must not be empty$/,
  );
  printed.mockRestore();
});
