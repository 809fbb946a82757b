import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import timers from "node:timers/promises";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { cloudinfra } from "../../../cli/program";
import { type Emulator, startEmulator } from "../../../emulator";
import { connect } from "../../../provider/client";
import { stateOfAll } from "../drift/large-state";
import { terminal } from "./terminal";

let emulator: Emulator;
let client: ReturnType<typeof connect>;
let folder: string;
let volumeId: number;
let screen: ReturnType<typeof terminal>;

beforeEach(async () => {
  emulator = await startEmulator({ pace: "instant" });
  client = connect(emulator);
  folder = mkdtempSync(join(tmpdir(), "drift-watch-"));
  volumeId = (await client.api.volumes.create({ body: { region: "us-east", label: "data", size: 20 } })).id;
  writeFileSync(join(folder, "state.json"), JSON.stringify((await stateOfAll(emulator)).state));
  vi.stubEnv("CLOUDINFRA_URL", emulator.url);
  vi.stubEnv("CLOUDINFRA_TOKEN", emulator.token);
  screen = terminal();
});

afterEach(async () => {
  screen.restore();
  await client.close();
  await emulator.close();
  rmSync(folder, { recursive: true, force: true });
});

/**
 * Runs `drift --watch` without real pauses. Each pause calls the next function of `pauses`; the pause after the last
 * one ends as if the user had pressed Ctrl-C.
 */
const watched = async (...pauses: (() => unknown)[]) => {
  const sleep = vi.spyOn(timers, "setTimeout");
  for (const pause of pauses) sleep.mockImplementationOnce(async () => pause());
  sleep.mockRejectedValueOnce(new Error("Ctrl-C"));
  const args = ["drift", "--watch", "5", "--state", join(folder, "state.json"), "--cwd", folder];
  return (await cloudinfra()).parseAsync(args, { from: "user" });
};

/** The contents of the terminal after each check. */
const screens = (): string[] => screen.printed.all.split("\u001b[2J\u001b[H").slice(1);

const next = "\nNext check in 5 s; Ctrl-C ends the command.\n";

test("--watch clears the terminal, checks again after the given time, and shows drift once it is there", async () => {
  const resize = () => client.api.volumes.resize({ path: { volumeId }, body: { size: 40 } });
  await expect(watched(resize)).rejects.toThrow("Ctrl-C");
  expect(timers.setTimeout).toHaveBeenLastCalledWith(5_000);
  const [first, second, ...more] = screens();
  expect(first).toMatch(/^no drift \(.*\)\n\nNext check in 5 s; Ctrl-C ends the command\.\n$/);
  expect(second).toContain("/size: 20 → 40 (the service cannot undo this: ");
  expect(more).toEqual([]);
  expect(process.exitCode).toBe(2);
});

test("--watch prints the error of a failed check, and goes on", async () => {
  const file = join(folder, "state.json");
  const state = (await stateOfAll(emulator)).state;
  const truncate = () => writeFileSync(file, JSON.stringify(state).slice(0, 100));
  const write = () => writeFileSync(file, JSON.stringify(state));
  await expect(watched(truncate, write)).rejects.toThrow("Ctrl-C");
  const [first, second, third] = screens();
  expect(second).toBe(
    `cloudinfra: ${file} is not complete JSON: it is truncated. Export it with "pulumi stack export --file FILE".\n${next}`,
  );
  expect(third).toBe(first);
  expect(process.exitCode).toBe(0);
});

test("--watch ends when the token is rejected", async () => {
  const revoke = () => emulator.faults.add({ kind: "status", status: 401, times: 1000 });
  await expect(watched(revoke)).rejects.toThrow("the API rejected the token (401 in ");
  expect(screens()).toHaveLength(2);
});
