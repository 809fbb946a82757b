import { afterEach, expect, test, vi } from "vitest";
import { stackOption } from "../../../stack/address";
import { Pulumi, withoutPasswords } from "../../../stack/pulumi";

afterEach(() => void vi.unstubAllEnvs());

test.each([
  ["postgres://team:hunter2@db/pulumi", "postgres://team:…@db/pulumi"],
  ["postgres://db/pulumi?user=team&password=hunter2", "postgres://db/pulumi?…"],
  ["error: open 'postgres://db/p?password=hunter2': no route", "error: open 'postgres://db/p?…': no route"],
  ["file:///home/me/states", "file:///home/me/states"],
  ["is this right?", "is this right?"],
])("the address of a backend is shown without passwords: %s", (text, shown) => {
  expect(withoutPasswords(text)).toBe(shown);
});

test("commands that are printed name the stack if the user has named one", () => {
  expect(stackOption({ stack: undefined })).toBe("");
  expect(stackOption({ stack: "acme/prod" })).toBe(" --stack acme/prod");
});

test("the error about a missing Pulumi CLI explains how to install or name it", async () => {
  vi.stubEnv("PULUMI_CLI", "/nowhere/pulumi");
  await expect(new Pulumi(".", "dev").export()).rejects.toThrow(
    '"/nowhere/pulumi" could not be started: install the Pulumi CLI (https://www.pulumi.com/docs/install/), or name it in PULUMI_CLI',
  );
});
