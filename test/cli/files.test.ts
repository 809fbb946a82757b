import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { chmod, readFile, readlink, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Emulator, startEmulator } from "../../emulator";
import { png } from "../contract/png";
import { newFolder } from "../folder";
import { main, run, start } from "./command";
import { runHere } from "./in-process";

let emulator: Emulator;
const place = newFolder();
let env: Record<string, string>;

beforeAll(async () => {
  emulator = await startEmulator({ pace: "instant" });
  env = { CLOUDINFRA_URL: emulator.url, CLOUDINFRA_TOKEN: emulator.token };
});
afterAll(async () => {
  await emulator.close();
});

const api = (words: string, ...more: string[]) => runHere(["api", ...words.split(" "), ...more], { env });
const at = (name: string) => join(place, name);

describe("--file", () => {
  const bomb = Array.from({ length: 9 }, (_, i) => `k${i}: &k${i} [${`*k${i - 1},`.repeat(i ? 9 : 0)}x]`).join("\n");

  test.each([
    ["bomb.yaml", `${bomb}\nlabel: *k8\n`, "its aliases expand to too many values"],
    ["alias.yaml", "label: *nowhere\n", "has an alias without an anchor"],
    ["deep.json", `{"label": ${"[".repeat(200_000)}${"]".repeat(200_000)}}`, "is nested too deeply"],
    ["deep.yaml", `label:\n  ${"- ".repeat(200_000)}x\n`, "is nested too deeply"],
    ["large.json", `{"label": "${"x".repeat(5_000_000)}"}`, "must be at most 4194304 bytes long"],
  ])("rejects %s with a message that names it", async (name, text, why) => {
    await writeFile(at(name), text);
    expect(await api("volumes create --file", at(name))).toEqual({
      code: 2,
      stdout: "",
      stderr: `cloudinfra: --file ${at(name)}: ${why}\n`,
    });
  });

  test.each(["volumes create", "oauth-clients update-thumbnail x"])(
    "%s stops reading an endless file",
    async (words) => {
      expect(await api(`${words} --file /dev/zero`)).toEqual({
        code: 2,
        stdout: "",
        stderr: "cloudinfra: --file /dev/zero: must be at most 4194304 bytes long\n",
      });
    },
  );
});

describe("--output", () => {
  const modeOf = async (name: string) => ((await stat(at(name))).mode & 0o777).toString(8);

  test("only the owner can read a file with secrets, even if the file existed before", async () => {
    const words = "oauth-clients create --label mine --redirect-uri https://example.org/back --output";
    await api(words, at("new.json"));
    expect(JSON.parse(await readFile(at("new.json"), "utf8"))).toHaveProperty("secret");
    expect(await modeOf("new.json")).toBe("600");
    await writeFile(at("old.json"), "x".repeat(5000));
    await chmod(at("old.json"), 0o644);
    await api(words, at("old.json"));
    expect(await modeOf("old.json")).toBe("600");
    expect(JSON.parse(await readFile(at("old.json"), "utf8"))).toHaveProperty("secret");
  });

  test("other files have default permissions, and permissions of devices do not change", async () => {
    await api("regions list --output", at("regions.json"));
    expect(await modeOf("regions.json")).toBe("644");
    const before = (await stat("/dev/null")).mode;
    await api("oauth-clients list --output /dev/null");
    expect((await stat("/dev/null")).mode).toBe(before);
  });
});

describe("--output that cannot be written", () => {
  const create = "object-storage-keys create --label mine --output";
  const keys = () => emulator.world.objectStorageKeys.all().length;

  test.each([
    ["a folder that does not exist", () => at("none/key.json"), "ENOENT"],
    ["a folder", () => place, "EISDIR"],
    ["a file as a folder", () => at("file/key.json"), "ENOTDIR"],
  ])("%s is a usage error, and nothing is created", async (_, path, code) => {
    await writeFile(at("file"), "");
    const before = keys();
    expect(await api(create, path())).toEqual({
      code: 2,
      stdout: "",
      stderr: `cloudinfra: --output ${path()}: cannot be written (${code})\n`,
    });
    expect(keys()).toBe(before);
  });

  test("the response with the secret is printed if the disk is full, or the part that --jq selects", async () => {
    const stderr =
      "cloudinfra: --output /dev/full: cannot be written (ENOSPC). The call itself succeeded; its response is printed instead\n";
    const { stdout, ...rest } = await api(create, "/dev/full");
    expect(rest).toEqual({ code: 2, stderr });
    expect(JSON.parse(stdout)).toMatchObject({ label: "mine", secret_key: expect.stringMatching(/^\w{20,}$/) });
    const picked = await api(create, "/dev/full", "--jq", ".secret_key");
    expect(picked).toEqual({ code: 2, stdout: expect.stringMatching(/^\w{20,}\n$/), stderr });
  });

  test("binary data is not printed", async () => {
    const { stdout } = await api("oauth-clients create --label x --redirect-uri https://example.org/back --jq .id");
    await writeFile(at("in.png"), png(64, 48));
    await api(`oauth-clients update-thumbnail ${stdout.trim()} --file`, at("in.png"));
    expect(await api(`oauth-clients view-thumbnail ${stdout.trim()} --output /dev/full`)).toEqual({
      code: 2,
      stdout: "",
      stderr: "cloudinfra: --output /dev/full: cannot be written (ENOSPC). The call itself succeeded\n",
    });
  });
});

describe("--output of a call that fails", () => {
  test.each([
    ["an error of the API", ["domains", "view", "4711"]],
    ["no connection", ["regions", "list", "--url", "http://127.0.0.1:1/v4"]],
    ["a filter that does not match the response", ["regions", "list", "--jq", ".data.x"]],
  ])("%s leaves an existing file unchanged, and no new one", async (_, words) => {
    await writeFile(at("kept.json"), "kept");
    await chmod(at("kept.json"), 0o644);
    for (const name of ["kept.json", "unborn.json"])
      expect((await runHere(["api", ...words, "--output", at(name)], { env })).code).toBeGreaterThan(0);
    expect(await readFile(at("kept.json"), "utf8")).toBe("kept");
    expect(((await stat(at("kept.json"))).mode & 0o777).toString(8)).toBe("644");
    expect(existsSync(at("unborn.json"))).toBe(false);
  });

  test("a link to a file that does not exist stays, and the next call writes its file", async () => {
    await symlink(at("target.json"), at("link.json"));
    await api("domains view 4711 --output", at("link.json"));
    expect([existsSync(at("target.json")), await readlink(at("link.json"))]).toEqual([false, at("target.json")]);
    await api("regions list --output", at("link.json"));
    expect(JSON.parse(await readFile(at("target.json"), "utf8"))).toHaveProperty("results");
  });

  test("Ctrl-C leaves no new file", async () => {
    emulator.faults.add({ path: "regions.list", kind: "delay", delay: 60_000 });
    const requests = () => Object.values(emulator.requests.counts()).reduce((sum, count) => sum + count, 0);
    const before = requests();
    const child = start(["api", "regions", "list", "--output", at("interrupted.json")], { env });
    await expect.poll(requests, { timeout: 30_000 }).toBeGreaterThan(before);
    expect(existsSync(at("interrupted.json"))).toBe(true);
    child.kill("SIGINT");
    expect((await once(child, "close"))[0]).toBe(130);
    emulator.faults.clear();
    expect(existsSync(at("interrupted.json"))).toBe(false);
  });
});

test("--output writes to a pipe and to the standard output, and replaces all contents of a longer file", async () => {
  const pipe = at("pipe");
  await promisify(execFile)("mkfifo", [pipe]);
  const [read] = await Promise.all([readFile(pipe, "utf8"), api("regions list --output", pipe)]);
  expect(JSON.parse(read)).toHaveProperty("results");
  // The standard output of a child process is a socket here, which /dev/stdout cannot open.
  const script = '"$0" "$@" --output /dev/stdout | cat';
  const child = spawn("sh", ["-c", script, process.execPath, main, "api", "regions", "list"], {
    env: { ...process.env, ...env },
  });
  expect(JSON.parse(await text(child.stdout))).toHaveProperty("results");
  await writeFile(at("long.json"), "x".repeat(100_000));
  await api("regions list --output", at("long.json"));
  expect(JSON.parse(await readFile(at("long.json"), "utf8"))).toHaveProperty("results");
});

describe("the address", () => {
  test.each([
    "admin:geheim@host/v4",
    "https://admin:ge/heim@host/v4",
    "https://admin:geheim@host/v4",
    "https://admin:geheim%40host/v4",
    "//admin:geheim@host",
    "https://host/v4?token=geheim",
    "https://host/v4#geheim",
  ])("rejects %s without showing its secret", async (url) => {
    const { code, stderr } = await api("regions list --url", url);
    expect(code).toBe(2);
    expect(stderr).toContain("--url or CLOUDINFRA_URL must");
    expect(stderr).not.toMatch(/heim/);
  });

  test("warns once about plain http to another machine", async () => {
    const api = (words: string) => run(["api", ...words.split(" ")], { env });
    const warning =
      "http://no-such-host.invalid is not encrypted: the token and all data can be intercepted. Use https.\n";
    const { code, stderr } = await api("volumes list --all --url http://no-such-host.invalid/v4");
    expect(code).toBe(3);
    expect(stderr.split(warning)).toHaveLength(2);
    expect((await api("regions list")).stderr).toBe("");
    expect((await api("regions list --url https://no-such-host.invalid/v4")).stderr).not.toContain("encrypted");
  });
});
