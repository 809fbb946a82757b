import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, expect, test, vi } from "vitest";
import { startEmulator } from "../../../emulator";
import { connect } from "../../../provider/client";
import { stateOfAll } from "../drift/large-state";

vi.mock("node:timers/promises", { spy: true });

afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

test("--watch clears the terminal, checks again after the given time, and shows drift once it is there", async () => {
  // Tests of this tier share loaded modules, so another test may have loaded the command without the mock.
  vi.resetModules();
  const { drift } = await import("../../../cli/drift.js");
  const emulator = await startEmulator({ pace: "instant" });
  const { api, close } = connect(emulator);
  const folder = mkdtempSync(join(tmpdir(), "drift-watch-"));
  const terminal = Object.getOwnPropertyDescriptor(process.stdout, "isTTY");
  try {
    const { id: volumeId } = await api.volumes.create({ body: { region: "us-east", label: "data", size: 20 } });
    const file = join(folder, "state.json");
    writeFileSync(file, JSON.stringify((await stateOfAll(emulator)).state));
    vi.stubEnv("CLOUDINFRA_URL", emulator.url);
    vi.stubEnv("CLOUDINFRA_TOKEN", emulator.token);
    Object.defineProperty(process.stdout, "isTTY", { value: true, configurable: true });
    let printed = "";
    vi.spyOn(process.stdout, "write").mockImplementation((text) => {
      printed += text;
      return true;
    });
    vi.mocked(sleep)
      .mockImplementationOnce(async (ms) => {
        expect(ms).toBe(5_000);
        await api.volumes.resize({ path: { volumeId }, body: { size: 40 } });
      })
      .mockRejectedValueOnce(new Error("Ctrl-C"));
    const options = {
      stack: [],
      state: [file],
      project: folder,
      format: [],
      out: [],
      unmanaged: false,
      program: false,
    };
    await expect(drift({ ...options, watch: "5" })).rejects.toThrow("Ctrl-C");
    const [start, first, second, ...more] = printed.split("\u001b[2J\u001b[H");
    expect([start, ...more]).toEqual([""]);
    expect(first).toMatch(/^no drift \(.*\)\n\nNext check in 5 s; Ctrl-C ends the command\.\n$/);
    expect(second).toContain("/size: 20 → 40\n");
    expect(process.exitCode).toBe(2);
  } finally {
    process.exitCode = undefined;
    if (terminal) Object.defineProperty(process.stdout, "isTTY", terminal);
    else Reflect.deleteProperty(process.stdout, "isTTY");
    await close();
    await emulator.close();
    rmSync(folder, { recursive: true, force: true });
  }
});
