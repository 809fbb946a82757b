import { expect, test, vi } from "vitest";
import { type ImportCommand, importInto } from "../../../cli/import";
import { UsageError } from "../../../stack/errors";

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

test("--head, the earlier name of --provider, is accepted with a hint", async () => {
  const written = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  const error: unknown = await attempt([], { head: "yaml" }).catch((error) => error);
  expect(written.mock.calls).toEqual([["--head is now --provider; version 0.2 will no longer accept --head\n"]]);
  expect((error as Error).message).toContain("--provider yaml: must be dynamic");
  written.mockRestore();
});
