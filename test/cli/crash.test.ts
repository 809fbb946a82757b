import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { main } from "./command";

const plugin = join(__dirname, "../../pulumi-resource-cloudinfra");

/** Code that throws an uncaught error whose additional properties contain a token. */
const broken = `setTimeout(() => {
  const cause = Object.assign(new Error("the cause"), { headers: { authorization: "Bearer planted-token" } });
  throw Object.assign(new Error("unexpected", { cause }), { request: { token: "planted-token" } });
}, 50);`;

/**
 * Starts a program with a token in its environment. On SIGUSR2, Node.js writes a diagnostic report, which contains the
 * same data as the report after a crash.
 */
async function started(file: string, args: readonly string[], preload = "") {
  const folder = await mkdtemp(join(tmpdir(), "crash-"));
  await writeFile(join(folder, "preload.cjs"), preload);
  const options = ["--report-on-signal", `--report-directory=${folder}`, `--require=${join(folder, "preload.cjs")}`];
  const env = { ...process.env, CLOUDINFRA_TOKEN: "planted-token", NODE_OPTIONS: options.join(" ") };
  const child: ChildProcess = spawn(process.execPath, [file, ...args], { env });
  let [out, err] = ["", ""];
  child.stdout?.on("data", (part) => (out += part));
  child.stderr?.on("data", (part) => (err += part));
  await vi.waitUntil(() => out.includes("\n") || child.exitCode !== null, { timeout: 60_000 });
  return {
    output: () => out + err,
    async report(): Promise<string> {
      child.kill("SIGUSR2");
      const read = async () => {
        if (child.exitCode !== null) throw new Error(`the process has ended: ${out}${err}`);
        const file = (await readdir(folder)).find((name) => name.startsWith("report."));
        const text = file ? await readFile(join(folder, file), "utf8") : "";
        return text.trimEnd().endsWith("\n}") && text;
      };
      return (await vi.waitUntil(read, { timeout: 60_000 })) as string;
    },
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await rm(folder, { recursive: true });
    },
  };
}

test("neither the output of the plugin after an uncaught error nor a report of Node has the token", async () => {
  await using it = await started(plugin, [], broken);
  await new Promise((resolve) => setTimeout(resolve, 200));
  const report = await it.report();
  expect(report).toContain('"javascriptStack"');
  expect(report).not.toContain("planted");
  expect(it.output()).toMatch(/^\d+\n/);
  expect(it.output()).not.toContain("planted");
});

test("neither the output of the emulator nor a report of Node has the token or a password of a request", async () => {
  await using it = await started(main, ["emulator", "--port", "0"]);
  const [, url = ""] = /^ready (\S+)/.exec(it.output()) ?? [];
  const headers = { authorization: "Bearer emulator", "content-type": "application/json" };
  const instance = {
    region: "us-east",
    type: "g6-nanode-1",
    image: "compute/debian11",
    root_pass: "Planted-Horse-42!",
  };
  for (const body of [JSON.stringify(instance), JSON.stringify({ ...instance, region: 1 }), '{"root_pass": "Planted'])
    await fetch(`${url}/compute/instances`, { method: "POST", headers, body });
  expect(it.output()).toBe(`ready ${url} token emulator console ${url.replace(/v4$/, "_emulator/")}\n`);
  expect(await it.report()).not.toMatch(/planted/i);
});
