import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect } from "vitest";
import { type Emulator, startEmulator } from "../../emulator";
import { newFolder } from "../folder";
import { type Ran, run } from "./command";
import { runHere } from "./in-process";

/**
 * An emulator for a test file, which is reset before each test, with a folder for files and a function that runs
 * `cloudinfra api`.
 */
export function apiCommands() {
  let emulator: Emulator;
  const folder = newFolder();
  beforeAll(async () => {
    emulator = await startEmulator({ pace: "instant" });
  });
  beforeEach(() => emulator.reset());
  afterAll(async () => {
    await emulator.close();
  });

  const env = () => ({ CLOUDINFRA_URL: emulator.url, CLOUDINFRA_TOKEN: emulator.token });
  const call = (words: string, more: string[] = [], input = "", runner = run): Promise<Ran> =>
    runner(["api", ...words.split(" ").filter(Boolean), ...more], { env: env(), input });
  const response = async (words: string, more?: string[], input?: string) => {
    const { code, stdout, stderr } = await call(words, more, input);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    return JSON.parse(stdout);
  };
  const rejected = async (words: string, more?: string[], input?: string) => {
    const { code, stdout, stderr } = await call(words, more, input, runHere);
    expect(stdout).toBe("");
    return { code, stderr };
  };
  return {
    emulator: () => emulator,
    env,
    file: (name: string) => join(folder, name),
    requests: () => Object.values(emulator.requests.counts()).reduce((sum, count) => sum + count, 0),
    call,
    response,
    rejected,
  };
}
