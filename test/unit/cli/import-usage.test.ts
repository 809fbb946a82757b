import { mkdtempSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { type ImportCommand, importInto } from "../../../cli/import";
import { UsageError } from "../../../stack/errors";
import { newFolder } from "../../folder";

const root = newFolder();

const attempt = (objects: readonly string[], options: Partial<ImportCommand> = {}): Promise<void> =>
  importInto(objects, {
    filter: [],
    state: [],
    out: "/does/not/exist",
    protect: false,
    dryRun: true,
    into: "new",
    timeout: "10m",
    ...options,
  });

test.each<[string, readonly string[], Partial<ImportCommand>, string]>([
  ["an unknown filter", [], { filter: ["colour=red"] }, '"colour" is not a field; use kind=Volume'],
  ["a filter of another form", [], { filter: ["Volume"] }, 'filter "Volume": must look like kind=Volume'],
  ["an unknown kind in a filter", [], { filter: ["kind=Volum"] }, 'there is no kind "Volum"; did you mean'],
  ["an id of the wrong form", ["domain/5/seven/8"], {}, "must look like domain/{domainId} or domain-record/{domainId}"],
  ["a kind without an id", ["volume"], {}, '"volume": must look like volume/{volumeId}'],
  ["an unknown kind", ["volum/7"], {}, 'there is no kind "volum"; did you mean Volume?'],
  ["parts of several kinds", ["instance/5/7"], {}, "or instance-disk/{computeId}/{diskId} or"],
  [
    "an unknown provider",
    [],
    { provider: "yaml" },
    "--provider yaml: must be dynamic (Pulumi dynamic resources) or native",
  ],
  [
    "a folder of another project",
    [],
    { out: __dirname },
    "the folder must be empty, created by this command, or have no",
  ],
  [
    "a missing source of the package",
    [],
    { package: "./missing.tgz" },
    "--package ./missing.tgz: the file or folder does",
  ],
  ["a new project without a stack", [], { into: undefined as never }, "--into is required for a new project"],
])("%s is a usage error", async (_, objects, options, message) => {
  const error: unknown = await attempt(objects, options).catch((error) => error);
  expect(error).toBeInstanceOf(UsageError);
  expect((error as Error).message).toContain(message);
});

test.each(["new", "acme/shop/new"])(
  "settings of the new stack in the folder are a usage error: --into %s",
  async (into) => {
    const out = mkdtempSync(join(root, "shop-"));
    const file = join(out, "Pulumi.new.yaml");
    writeFileSync(
      file,
      "config:\n  cloudinfra:url: https://other.example.com/v4\n  aws:region: x\n  cloudinfra:defaultTags: [a]\n",
    );
    const error: unknown = await attempt([], { out, into, dryRun: false }).catch((error) => error);
    expect(error).toBeInstanceOf(UsageError);
    expect((error as Error).message).toBe(
      `--into ${into}: ${file} sets cloudinfra:url, cloudinfra:defaultTags, but a new project is imported with the address and the token of the environment: ` +
        "set those, remove these keys from the file, and add the ones that you need after the import; or name another stack",
    );
    expect(readdirSync(out)).toEqual(["Pulumi.new.yaml"]);
  },
);

test.each(["notes.txt", "notes.txt/shop"])("a file is not a folder for the project: --out %s", async (name) => {
  const folder = mkdtempSync(join(root, "notes-"));
  writeFileSync(join(folder, "notes.txt"), "");
  const error: unknown = await attempt([], { out: join(folder, name) }).catch((error) => error);
  expect(error).toBeInstanceOf(UsageError);
  expect((error as Error).message).toBe(`--out ${join(folder, "notes.txt")}: is not a folder`);
});

test.each([
  ["of other packages", "Pulumi.new.yaml", "config:\n  aws:region: x\n"],
  ["of a key service only", "Pulumi.new.yaml", "secretsprovider: awskms://alias/team\n"],
  ["of another stack", "Pulumi.old.yaml", "config:\n  cloudinfra:url: https://other.example.com/v4\n"],
])("settings %s can be in the folder of a new project", async (_, name, text) => {
  vi.stubEnv("PULUMI_CLI", "/nowhere/pulumi");
  const out = mkdtempSync(join(root, "shop-"));
  writeFileSync(join(out, name), text);
  await expect(attempt([], { out })).rejects.toThrow('"/nowhere/pulumi" could not be started');
});

test("--head, the earlier name of --provider, is accepted with a hint", async () => {
  const written = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  const error: unknown = await attempt([], { head: "yaml" }).catch((error) => error);
  expect(written.mock.calls).toEqual([["--head is now --provider; version 0.2 will no longer accept --head\n"]]);
  expect((error as Error).message).toContain("--provider yaml: must be dynamic");
  written.mockRestore();
});
