import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { readdir, symlink } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startEmulator } from "../../emulator";
import { newFolder } from "../folder";
import { finished, inherited, main } from "./command";

const folder = newFolder();

/**
 * Starts an emulator whose process cannot write files that are larger than the given number of 512-byte blocks. SQLite
 * reports this as a full disk.
 */
async function limited(data: string, blocks: number) {
  const command = `ulimit -f ${blocks}; exec "$0" "$@"`;
  const args = ["-c", command, process.execPath, main, "emulator", "--port", "0", "--data", data, "--pace", "instant"];
  const child = spawn("sh", args);
  let [out, err] = ["", ""];
  child.stderr.on("data", (part) => (err += part));
  for await (const part of child.stdout) {
    out += part;
    if (out.includes("\n")) break;
  }
  const [, url = ""] = /^ready (http:\S+\/v4) /.exec(out) ?? [];
  const send = async (method: string, path: string, body?: object) => {
    const headers = { authorization: "Bearer emulator", "content-type": "application/json" };
    const response = await fetch(`${url}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    return { status: response.status, text: await response.text() };
  };
  return { child, send, err: () => err };
}

async function ended(child: ChildProcess): Promise<number | null> {
  const exit = once(child, "exit");
  child.kill("SIGTERM");
  return (await exit)[0];
}

test.each(["api regions list", "api --help", "--help", "completion bash", "doctor", "emulator --port 0"])(
  "%s ends with one sentence if the disk is full to which its output is redirected",
  async (words) => {
    await using emulator = await startEmulator({ pace: "instant" });
    const child = spawn("sh", ["-c", '"$0" "$@" > /dev/full', process.execPath, main, ...words.split(" ")], {
      env: { ...inherited(), CLOUDINFRA_URL: emulator.url, CLOUDINFRA_TOKEN: emulator.token },
      cwd: folder,
    });
    expect(await finished(child)).toEqual({
      code: 1,
      stdout: "",
      stderr: "cloudinfra: the standard output cannot be written (ENOSPC); what the command did before is not undone\n",
    });
  },
);

test("undoes a write for which the disk has no space, and still responds to reads", async () => {
  const data = join(folder, "full.db");
  const { child, send } = await limited(data, 800);
  const stored: string[] = [];
  let rejected: string | undefined;
  for (let at = 0; at < 3000 && !rejected; at++) {
    const label = `volume-${at}`;
    const { status, text } = await send("POST", "/volumes", { label, region: "us-east" });
    if (status === 200) stored.push(label);
    else rejected = text;
  }
  expect(rejected).toContain("The change was undone: it could not be written to");
  const listed = await send("GET", "/volumes?page_size=100");
  expect([listed.status, JSON.parse(listed.text).results]).toEqual([200, stored.length]);
  expect((await send("GET", "/regions")).status).toBe(200);
  child.kill("SIGKILL");
  await once(child, "exit");
  await using again = await startEmulator({ data });
  expect(again.world.volumes.all().map(({ label }) => label)).toEqual(stored);
});

test("creates no data file if the port is in use", async () => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  const data = join(folder, "unborn.db");
  const child = spawn(process.execPath, [main, "emulator", "--port", String(port), "--data", data]);
  const [code] = await once(child, "exit");
  server.close();
  expect(code).toBe(1);
  expect((await readdir(folder)).filter((name) => name.startsWith("unborn"))).toEqual([]);
});

test("rejects a dangling symbolic link at --data and leaves it unchanged", async () => {
  const data = join(folder, "link.db");
  await symlink(join(folder, "nowhere.db"), data);
  const child = spawn(process.execPath, [main, "emulator", "--port", "0", "--data", data]);
  let err = "";
  child.stderr.on("data", (part) => (err += part));
  const [code] = await once(child, "exit");
  expect(code).toBe(1);
  expect(err).toContain("it is a symbolic link to a file that does not exist");
  expect(existsSync(join(folder, "nowhere.db"))).toBe(false);
});

test("an emulator that cannot write its last change does not exit with 0", async () => {
  const data = join(folder, "close.db");
  const { child, send, err } = await limited(data, 800);
  for (let at = 0, status = 200; at < 3000 && status === 200; at++)
    status = (await send("POST", "/volumes", { label: `volume-${at}`, region: "us-east" })).status;
  // Reads still succeed. Each read advances the emulator's clock by a second, and the emulator exits when it cannot
  // save the clock to the full disk.
  for (let at = 0; at < 200; at++) expect((await send("GET", "/regions/us-east")).status).toBe(200);
  expect(await ended(child)).toBe(1);
  expect(err()).toContain("could not be written to");
});
