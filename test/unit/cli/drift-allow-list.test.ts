import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { cloudinfra } from "../../../cli/program";
import { type Emulator, startEmulator } from "../../../emulator";
import { connect } from "../../../provider/client";
import { newFolder } from "../../folder";
import { stateOfAll } from "../drift/large-state";
import { terminal } from "./terminal";

const root = newFolder();
const [shop, src] = [join(root, "shop"), join(root, "shop/src")];
const state = join(root, "state.json");

let emulator: Emulator;
let screen: ReturnType<typeof terminal>;

/** Starts with a project in `shop` and a volume that has drifted. */
beforeEach(async () => {
  emulator = await startEmulator({ pace: "instant" });
  const { api, close } = connect(emulator);
  const { id: volumeId } = await api.volumes.create({ body: { region: "us-east", label: "data", size: 20 } });
  writeFileSync(state, JSON.stringify((await stateOfAll(emulator)).state));
  await api.volumes.resize({ path: { volumeId }, body: { size: 40 } });
  await close();
  mkdirSync(src, { recursive: true });
  writeFileSync(join(shop, "Pulumi.yaml"), "name: shop\nruntime: nodejs\n");
  vi.stubEnv("CLOUDINFRA_URL", emulator.url);
  vi.stubEnv("CLOUDINFRA_TOKEN", emulator.token);
  screen = terminal();
});

afterEach(async () => {
  screen.restore();
  await emulator.close();
  rmSync(shop, { recursive: true });
});

/** Accepts all differences, or those of an object that does not exist. */
const writeList = (folder: string, address: string): void =>
  writeFileSync(join(folder, "cloudinfra.drift.yaml"), `accept:\n  - { address: "${address}", reason: planned }\n`);

const exitCodeIn = async (folder: string): Promise<unknown> => {
  await (await cloudinfra()).parseAsync(["drift", "--state", state, "--cwd", folder], { from: "user" });
  return process.exitCode;
};

test("the allow-list of the project also counts in a folder below it, unless that has its own", async () => {
  writeList(shop, "*");
  expect(await exitCodeIn(shop)).toBe(0);
  expect(await exitCodeIn(src)).toBe(0);
  writeList(src, "shop/prod/Volume/none");
  expect(await exitCodeIn(src)).toBe(2);
});

test("an allow-list above a folder without a project does not count", async () => {
  rmSync(join(shop, "Pulumi.yaml"));
  writeList(shop, "*");
  expect(await exitCodeIn(shop)).toBe(0);
  expect(await exitCodeIn(src)).toBe(2);
});
