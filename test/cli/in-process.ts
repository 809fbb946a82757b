import { PassThrough, Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { execute } from "../../cli/execute";
import { inherited, type Ran, type Running } from "./command";

/**
 * Runs the command in the test's process, where its code is loaded only once. Each command also runs in a process of its
 * own in other tests, so that rows that only differ in their words need none. Not for commands that wait for signals,
 * end the process or warn only once per process.
 */
export async function runHere(args: readonly string[], { env = {}, cwd, input = "" }: Running = {}): Promise<Ran> {
  const before = { env: process.env, cwd: process.cwd(), exitCode: process.exitCode };
  const streams = { stdin: Readable.from([Buffer.from(input)]), stdout: new PassThrough(), stderr: new PassThrough() };
  const descriptors = Object.keys(streams).map(
    (name) => [name, Object.getOwnPropertyDescriptor(process, name) as PropertyDescriptor] as const,
  );
  const [stdout, stderr] = [buffer(streams.stdout), buffer(streams.stderr)];
  try {
    for (const [name, value] of Object.entries(streams))
      Object.defineProperty(process, name, { value, configurable: true });
    process.env = { ...inherited(), ...env };
    process.exitCode = undefined;
    if (cwd) process.chdir(cwd);
    await execute([process.execPath, "cloudinfra", ...args]);
    const code = Number(process.exitCode ?? 0);
    streams.stdout.end();
    streams.stderr.end();
    return { code, stdout: String(await stdout), stderr: String(await stderr) };
  } finally {
    for (const [name, descriptor] of descriptors) Object.defineProperty(process, name, descriptor);
    process.chdir(before.cwd);
    process.env = before.env;
    process.exitCode = before.exitCode;
  }
}
