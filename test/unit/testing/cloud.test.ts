import { expect, test, vi } from "vitest";
import { cloud } from "../../../testing/cloud";

/** Whether the emulator has the paths of the public service. */
async function speaksLinode(): Promise<boolean> {
  await using it = await cloud();
  return (await fetch(`${it.emulator.url}/linode/types`)).ok;
}

test("the variable CLOUDINFRA_TEST_DIALECT sets the dialect", async () => {
  vi.stubEnv("CLOUDINFRA_TEST_DIALECT", undefined);
  expect(await speaksLinode()).toBe(false);
  vi.stubEnv("CLOUDINFRA_TEST_DIALECT", "linode");
  expect(await speaksLinode()).toBe(true);
});

test("a wrong dialect is an error that names the variable", async () => {
  vi.stubEnv("CLOUDINFRA_TEST_DIALECT", "postgres");
  await expect(cloud()).rejects.toThrow('cloudinfra:dialect must be "linode"; CLOUDINFRA_TEST_DIALECT is "postgres"');
});

test("a variable DIALECT, which other tools use, has no effect", async () => {
  vi.stubEnv("CLOUDINFRA_TEST_DIALECT", undefined);
  vi.stubEnv("DIALECT", "postgres");
  expect(await speaksLinode()).toBe(false);
});
