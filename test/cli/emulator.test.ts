import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, test } from "vitest";
import { run as command, main } from "./command";
import { runHere } from "./in-process";

async function started(...options: string[]) {
  const child = spawn(process.execPath, [main, "emulator", "--port", "0", ...options]);
  let [out, err] = ["", ""];
  child.stderr.on("data", (part) => (err += part));
  for await (const part of child.stdout) {
    out += part;
    if (out.includes("\n")) break;
  }
  const [, url = "", token] = /^ready (http:\S+\/v4) token (\S+) console \S+\n$/.exec(out) ?? [];
  return { child, url, token, out, err: () => err, [Symbol.asyncDispose]: () => stopped(child) };
}

async function stopped(child: ChildProcess, signal: NodeJS.Signals = "SIGTERM") {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, "exit");
  child.kill(signal);
  await exit;
}

const run = (...args: string[]) => command(args);

const headers = { authorization: "Bearer emulator", "content-type": "application/json" };

async function addVolume(url: string, label: string): Promise<void> {
  const body = JSON.stringify({ label, region: "us-east" });
  expect((await fetch(`${url}/volumes`, { method: "POST", headers, body })).status).toBe(200);
}

const volumesAt = async (url: string): Promise<unknown> =>
  ((await (await fetch(`${url}/volumes`, { headers })).json()) as { data: object[] }).data;

async function place() {
  const path = await mkdtemp(join(tmpdir(), "emulator-"));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true }) };
}

test("the package is built", () => expect(existsSync(main)).toBe(true));

test("prints one line when it is ready, and accepts requests", async () => {
  await using emulator = await started("--token", "mine", "--shuffle", "--pace", "instant", "--seed", "7");
  const page = emulator.url.replace(/v4$/, "_emulator/");
  expect(emulator.out).toBe(`ready ${emulator.url} token mine console ${page}\n`);
  expect((await fetch(page)).headers.get("content-type")).toContain("text/html");
  const response = await fetch(`${emulator.url}/volumes`, { headers: { authorization: "Bearer mine" } });
  expect(response.status).toBe(200);
  expect(response.headers.get("x-ratelimit-remaining")).toBe("1599");
});

test("--log prints a line for each request after the ready line, without the token", async () => {
  const child = spawn(process.execPath, [main, "emulator", "--port", "0", "--token", "mine", "--log"]);
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const next = async (): Promise<string> => (await lines.next()).value;
  const [, url] = /^ready (http:\S+\/v4) token mine console \S+$/.exec(await next()) ?? [];
  await fetch(`${url}/volumes?page=1`, { headers: { authorization: "Bearer mine" } });
  expect(await next()).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z GET \/v4\/volumes\?page=1 200 \d+ ms$/);
  await fetch(`${url}/volumes?token=mine`);
  expect(await next()).toMatch(/^\S+Z GET \/v4\/volumes\?token=\[secret\] 401 \d+ ms$/);
  await stopped(child);
  expect(child.exitCode).toBe(0);
});

test("--open opens the console in the browser, and says its address if there is none", async () => {
  await using folder = await place();
  const [opened, opener] = [join(folder.path, "opened"), join(folder.path, "xdg-open")];
  await writeFile(opener, `#!/bin/sh\nprintf %s "$1" >${opened}.part && mv ${opened}.part ${opened}\n`, {
    mode: 0o755,
  });
  const args = [main, "emulator", "--port", "0", "--open"];
  const start = async (path: string) => {
    const child = spawn(process.execPath, args, { env: { ...process.env, PATH: path } });
    const [line] = (await once(createInterface(child.stdout), "line")) as [string];
    return { child, address: line.split(" ").at(-1) ?? "" };
  };
  const one = await start(`${folder.path}:${process.env.PATH}`);
  await expect.poll(() => readFile(opened, "utf8").catch(() => "")).toBe(one.address);
  await stopped(one.child);
  // On a machine without a desktop, `xdg-open` may be installed, but finds no browser.
  await writeFile(opener, "#!/bin/sh\nexit 3\n", { mode: 0o755 });
  for (const [path, reason] of [
    ["/nowhere", /\(.*ENOENT\)/],
    [`${folder.path}:/bin`, /\(xdg-open exited with 3\)/],
  ] as const) {
    const other = await start(path);
    const [message] = (await once(other.child.stderr, "data")) as [Buffer];
    expect(String(message)).toMatch(/^cloudinfra emulator: --open could not start a browser \(.*\): open http:/);
    expect(String(message)).toMatch(reason);
    expect(String(message).trim().endsWith(`open ${other.address}`)).toBe(true);
    await stopped(other.child);
  }
});

test("dates follow the machine's clock at --pace instant, and are fixed by --seed", async () => {
  const year = async (...options: string[]) => {
    await using emulator = await started("--pace", "instant", ...options);
    return new Date((await fetch(`${emulator.url}/regions`)).headers.get("date") ?? "").getUTCFullYear();
  };
  expect(await year()).toBe(new Date().getUTCFullYear());
  expect(await year("--seed", "1")).toBe(2022);
});

test.each(["SIGINT", "SIGTERM"] as const)("%s ends the command immediately with exit code 0", async (signal) => {
  const emulator = await started("--latency", "60000");
  const hanging = fetch(`${emulator.url}/regions`).catch(() => "cut");
  const before = performance.now();
  await stopped(emulator.child, signal);
  expect(emulator.child.exitCode).toBe(0);
  expect(performance.now() - before).toBeLessThan(1000);
  expect(await hanging).toBe("cut");
});

test.each([
  ["--port", "80000", "must be a whole number from 0 to 65535"],
  ["--port", "x", "must be a whole number from 0 to 65535"],
  ["--pace", "slow", "must be instant, fast or real"],
  ["--seed", "-1", "must be a whole number from 0 to 4294967295"],
  ["--latency", "1.5", "must be a whole number from 0 to 600000"],
  ["--token", "two words", "must not contain spaces"],
  ["--account", "huge", "must be empty, small or large"],
])("%s %s: exits with 2 and prints the allowed values", async (option, value, allowed) => {
  const { code, stdout, stderr } = await runHere(["emulator", option, value]);
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toBe(`cloudinfra: ${option} ${value}: ${allowed}\n`);
});

test.each(["--data", "--load", "--recover"])("%s without a value: exits with 2", async (option) => {
  const { code, stdout, stderr } = await runHere(["emulator", option, ""]);
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toBe(`error: option '${option} <file>': the value must not be empty\n(see --help)\n`);
});

test("exits with 2 for an unknown option and an unknown command", async () => {
  expect(await runHere(["emulator", "--foo"])).toMatchObject({ code: 2, stderr: expect.stringContaining("--foo") });
  expect(await runHere(["emulate"])).toMatchObject({ code: 2, stderr: expect.stringContaining("emulate") });
});

test("reports a port in use, with the option to change it", async () => {
  await using first = await started();
  const { port } = new URL(first.url);
  const { code, stderr } = await run("emulator", "--port", port);
  expect(code).toBe(1);
  expect(stderr).toBe(
    `cloudinfra: port ${port} is in use: stop the program that listens on it, or pick a free port with --port 0\n`,
  );
});

test("--data keeps the account when the command ends or is killed", async () => {
  await using folder = await place();
  const data = join(folder.path, "account.db");
  for (const [label, signal] of [
    ["first", "SIGKILL"],
    ["second", "SIGTERM"],
    ["third", "SIGINT"],
  ] as const) {
    const one = await started("--data", data);
    await addVolume(one.url, label);
    if (signal === "SIGTERM") {
      const { code, stderr } = await run("emulator", "--port", "0", "--data", data);
      expect({ code, stderr }).toEqual({
        code: 1,
        stderr: `cloudinfra: the data file ${data} cannot be used: another emulator has it open; stop that emulator, or use another file\n`,
      });
    }
    await stopped(one.child, signal);
    expect(one.err()).toBe("");
    // After SIGKILL, SQLite's write-ahead log also remains next to the data file.
    if (signal !== "SIGKILL") expect(await readdir(folder.path)).toEqual(["account.db", "account.db-commits"]);
  }
  await using last = await started("--data", data);
  expect(await volumesAt(last.url)).toMatchObject([{ label: "first" }, { label: "second" }, { label: "third" }]);
});

test("--recover saves the intact part of a damaged data file, and lists what is lost", async () => {
  await using folder = await place();
  const [data, to] = [join(folder.path, "account.db"), join(folder.path, "recovered.db")];
  const one = await started("--data", data);
  for (const label of ["first", "second"]) {
    await addVolume(one.url, label);
  }
  await stopped(one.child, "SIGKILL");
  const log = `${data}-wal`;
  await truncate(log, (await stat(log)).size - 1);
  expect(await run("emulator", "--port", "0", "--data", data)).toEqual({
    code: 1,
    stdout: "",
    stderr: expect.stringContaining(
      `restore a copy of it, or save what is intact with: npx cloudinfra emulator --data ${data} --recover NEWFILE\n`,
    ),
  });
  const { code, stdout, stderr } = await run("emulator", "--data", data, "--recover", to);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout.split("\n").slice(1)).toEqual(["lost: the last commit", ""]);
  await using again = await started("--data", to);
  expect(await volumesAt(again.url)).toMatchObject([{ label: "first" }]);
});

test.each([
  [["--recover", "new.db"], "--recover requires --data, the file to recover"],
  [["--strict"], "--strict requires --dialect: without one, newer fields are always rejected"],
  [
    ["--recover", "new.db", "--data", "old.db", "--load", "snapshot.json"],
    "--recover cannot be combined with --load and --account: it starts no emulator",
  ],
])("%j: exits with 2 and says which options belong together", async (options, why) => {
  expect(await runHere(["emulator", ...options])).toEqual({ code: 2, stdout: "", stderr: `cloudinfra: ${why}\n` });
});

test("--load starts with a snapshot, and reports what is wrong with an invalid one", async () => {
  await using folder = await place();
  const file = join(folder.path, "snapshot.json");
  await using one = await started();
  await addVolume(one.url, "data");
  const text = await (await fetch(one.url.replace("/v4", "/_emulator/state"))).text();
  await writeFile(file, text);
  await using two = await started("--load", file, "--data", join(folder.path, "account.db"));
  expect(await volumesAt(two.url)).toMatchObject([{ label: "data" }]);

  const rejected = async (content: string | undefined, why: string) => {
    if (content === undefined) await rm(file);
    else await writeFile(file, content);
    const { code, stdout, stderr } = await run("emulator", "--port", "0", "--load", file);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toContain(`cloudinfra: --load ${file}: ${why}`);
  };
  await rejected("{", "it is not valid JSON. Save a snapshot with GET /_emulator/state\n");
  await rejected("[]", "The snapshot must be a JSON object as GET /_emulator/state returns it\n");
  await rejected(
    text.replace('"version":1', '"version":2'),
    "version: Must be 1: version 2 was written by a newer emulator\n",
  );
  await rejected(
    text.replaceAll('"region":"us-east"', '"region":"atlantis"'),
    "tables.volumes.rows.0.region: There is no row",
  );
  await rejected(undefined, "cannot be read (ENOENT)");
});

test("--help shows the options, and is fast", async () => {
  const { code, stdout } = await run("emulator", "--help");
  expect(code).toBe(0);
  const options =
    "--port --pace --seed --latency --shuffle --token --open --log --data --recover --load --account --dialect --strict";
  for (const option of options.split(" ")) expect(stdout).toContain(option);
});
