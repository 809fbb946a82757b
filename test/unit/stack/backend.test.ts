import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { gzipSync, zstdCompressSync } from "node:zlib";
import { afterEach, expect, test, vi } from "vitest";
import { realTime } from "../../../provider/client/time";
import { TimeLimit } from "../../../provider/pulumi/time-limit";
import { Backend } from "../../../stack/backend";
import { newFolder } from "../../folder";

afterEach(() => void vi.unstubAllEnvs());

/** A backend of a Pulumi CLI that stores states in files, which are given by their paths without `.json`. */
async function backendIn(folder: string, states: readonly string[], limit: TimeLimit): Promise<Backend> {
  for (const state of states) {
    const file = join(folder, ".pulumi/stacks", `${state}.json`);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, "{}");
  }
  const pulumi = join(folder, "pulumi");
  writeFileSync(pulumi, `#!/bin/sh\necho '{"user":"ada","url":"file://${folder}"}'\n`);
  chmodSync(pulumi, 0o755);
  vi.stubEnv("PULUMI_CLI", pulumi);
  return await Backend.at(folder, limit);
}

test("the token of a stack is found in a backend whose stacks have no projects", async () => {
  using limit = new TimeLimit("30s", () => {}, realTime);
  const backend = await backendIn(newFolder(), ["dev"], limit);
  expect(backend.stacks).toEqual([{ reference: "dev", name: "dev", project: "" }]);
  const url = "http://127.0.0.1:4108/v4";
  const provider = { urn: "urn", ref: "urn::id", isDefault: true, url, inputs: { token: "own-token" } };
  const found = { token: "own-token", source: "the token of its last update" };
  expect(await backend.token("shop/dev", provider, url)).toEqual(found);
  expect(await backend.token("shop/prod", provider, url)).toBeUndefined();
});

test("a state that cannot be read is reported with the name of its stack, and the others are read", async () => {
  const folder = newFolder();
  mkdirSync(join(folder, ".pulumi/stacks/shop/broken.json"), { recursive: true });
  writeFileSync(join(folder, ".pulumi/meta.yaml"), "version: 1\n");
  using limit = new TimeLimit("30s", () => {}, realTime);
  const backend = await backendIn(folder, ["shop/dev"], limit);
  const { states, unreadable } = await backend.states(backend.stacks);
  expect(states).toEqual([{ name: "shop/dev", state: "{}" }]);
  expect(unreadable).toEqual([{ name: "shop/broken", error: expect.any(Error) }]);
  expect(unreadable[0]?.error.message).toBe("the state of shop/broken cannot be read (EISDIR)");
});

test("a state that cannot be decompressed is reported in one sentence, with the file and the reason", async () => {
  const folder = newFolder();
  const stacks = join(folder, ".pulumi/stacks/shop");
  mkdirSync(stacks, { recursive: true });
  writeFileSync(join(folder, ".pulumi/meta.yaml"), "version: 1\n");
  const large = zstdCompressSync(Buffer.alloc(256 * 2 ** 20 + 1, " "));
  for (const [file, content] of Object.entries({
    "large.json.zst": large,
    "other.json.gz": "not gzip",
    "short.json.gz": gzipSync("{}").subarray(0, -4),
  }))
    writeFileSync(join(stacks, file), content);
  using limit = new TimeLimit("30s", () => {}, realTime);
  const backend = await backendIn(folder, [], limit);
  const { unreadable } = await backend.states(backend.stacks);
  expect(unreadable.map(({ error }) => error.message)).toEqual([
    `the state of shop/large must be at most 256 MiB, but ${stacks}/large.json.zst has more when it is decompressed`,
    `the state of shop/other cannot be decompressed, because ${stacks}/other.json.gz is damaged (incorrect header check). Restore the file from a backup`,
    `the state of shop/short cannot be decompressed, because ${stacks}/short.json.gz is damaged (unexpected end of file). Restore the file from a backup`,
  ]);
});

test("stacks of several organizations with one name have their organization in the name, and each is read", async () => {
  const folder = newFolder();
  const pulumi = join(folder, "pulumi");
  const references = ["acme/shop/dev", "acme/shop/prod", "ada/shop/dev"];
  const list = JSON.stringify(references.map((name) => ({ name })));
  writeFileSync(
    pulumi,
    `#!/bin/sh
case "$1 $2" in
  "whoami --json") echo '{"user":"ada","url":"https://app.pulumi.com"}' ;;
  "stack ls") echo '${list}' ;;
  "stack export") echo "{\\"of\\":\\"$*\\"}" ;;
  config*) echo '{"cloudinfra:token":{"value":"shared-token"}}' ;;
esac
`,
  );
  chmodSync(pulumi, 0o755);
  vi.stubEnv("PULUMI_CLI", pulumi);
  // The stacks have one file with their configuration, which does not show whose it is.
  writeFileSync(join(folder, "Pulumi.yaml"), "name: shop\nruntime: nodejs\n");
  for (const stack of ["dev", "prod"]) writeFileSync(join(folder, `Pulumi.${stack}.yaml`), "config: {}\n");
  using limit = new TimeLimit("30s", () => {}, realTime);
  const backend = await Backend.at(folder, limit);
  expect(backend.stacks).toEqual([
    { reference: "acme/shop/dev", name: "acme/shop/dev", project: "shop", organization: "acme" },
    { reference: "acme/shop/prod", name: "shop/prod", project: "shop" },
    { reference: "ada/shop/dev", name: "ada/shop/dev", project: "shop", organization: "ada" },
  ]);
  const { states } = await backend.states(backend.stacks);
  const of = (reference: string) => ({ of: expect.stringContaining(`--stack ${reference}`) });
  expect(states).toEqual([
    { name: "acme/shop/dev", organization: "acme", state: of("acme/shop/dev") },
    { name: "shop/prod", state: of("acme/shop/prod") },
    { name: "ada/shop/dev", organization: "ada", state: of("ada/shop/dev") },
  ]);
  const url = "http://127.0.0.1:4108/v4";
  const provider = { urn: "urn", ref: "urn::id", isDefault: true, url, inputs: { token: "own-token" } };
  expect(await backend.token("ada/shop/dev", provider, url)).toMatchObject({ token: "own-token" });
  expect(await backend.token("ada/shop/dev", { ...provider, inputs: {} }, url)).toMatchObject({
    token: "shared-token",
  });
  expect(await backend.token("shop/prod", provider, url)).toMatchObject({ token: "shared-token" });
  expect(await backend.token("shop/dev", provider, url)).toBeUndefined();
});
