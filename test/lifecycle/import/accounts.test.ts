import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { fill } from "../../../emulator/accounts";
import { type ImportResult, importAccount } from "../../../import";
import type { Host } from "../../../provider/engine/host";
import { withAdopted } from "../../../provider/heads/adoption";
import { type Head, migrated } from "../../../provider/heads/migration";
import { cloud } from "../../../testing/cloud";
import { dynamicHead } from "../../../testing/head";
import { nativeHead } from "../../../testing/native-head";
import { Managed } from "../../../testing/provider";
import { declaredBy } from "./program";
import { accountOf, people } from "./random-account";

const root = join(__dirname, "../../..");

/** A folder with the programs of all accounts, which are compiled and linted together at the end. */
const folder = mkdtempSync(join(tmpdir(), "imported-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let programs = 0;
function keep(files: ReadonlyMap<string, string>): void {
  const own = join(folder, `program-${++programs}`);
  mkdirSync(own);
  for (const [name, text] of files) if (name.endsWith(".ts")) writeFileSync(join(own, name), text);
}

/**
 * The changes in a preview of each resource, with the inputs in the written program and the state that the import has
 * written.
 */
async function changes(result: ImportResult, host: Host, head: Head): Promise<string[]> {
  const adopted = withAdopted({ version: 3, deployment: {} }, { stack: "dev", project: "shop" }, {}, result.resources);
  const { deployment } = head === "native" ? migrated(adopted, "native") : adopted;
  const rows = deployment.resources ?? [];
  const heads = { dynamic: dynamicHead, native: nativeHead };
  const found: string[] = [];
  for (const { kind, name, inputs } of declaredBy(result.files, result)) {
    const row = rows.find(({ urn }) => urn.endsWith(`:${kind}::${name}`));
    if (!row) throw new Error(`${kind} ${name} is not in the state`);
    const managed = new Managed(kind, host, name, heads[head]);
    managed.state = { id: String(row.id), inputs: plain(row.inputs), outs: plain(row.outputs), initErrors: [] };
    const { op, diffs } = await managed.preview(inputs as never);
    if (op !== "same") found.push(`${kind} ${name}: ${op} ${diffs}`);
  }
  return found;
}

/** Removes Pulumi's marks of secrets, as its engine does. */
const plain = (bag: unknown): Record<string, unknown> =>
  JSON.parse(JSON.stringify(bag), (_, value) => ("plaintext" in Object(value) ? JSON.parse(value.plaintext) : value));

test("P4: the small account is imported without a change for both heads, with GET requests only", async () => {
  await using it = await cloud();
  await fill(it.world, "small");
  it.emulator.requests.clear();
  for (const head of ["dynamic", "native"] as const) {
    const result = await importAccount({ project: "shop", head, account: { host: it.reconnect() } });
    expect(result).toMatchObject({ unread: [], held: 0 });
    keep(result.files);
    expect(await changes(result, it.reconnect(), head)).toEqual([]);
  }
  expect(it.emulator.requests.list().filter(({ method }) => method !== "GET")).toEqual([]);
  expect(it.said).toEqual([]);
});

const RUNS = Number(process.env.ACCOUNTS ?? 4);
const SIZE = Number(process.env.ACCOUNT_SIZE ?? 20);

test(`P4: ${RUNS} random accounts are imported without a change`, {
  timeout: 60_000 + RUNS * SIZE * 1000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(accountOf(SIZE), async (steps) => {
      await using it = await cloud();
      await people(it.world, steps);
      const head = programs % 2 ? "native" : "dynamic";
      const result = await importAccount({ project: "shop", head, account: { host: it.reconnect() } });
      expect(result.unread).toEqual([]);
      expect(result.resources.length).toBeGreaterThan(0);
      expect([...result.files.values()].join()).not.toContain("Planted-Secret-42");
      keep(result.files);
      expect(await changes(result, it.reconnect(), head)).toEqual([]);
    }),
    { numRuns: RUNS, endOnFailure: true, ...(process.env.ACCOUNTS ? {} : { seed: 14 }) },
  );
});

test("P4: the programs of all these accounts compile with tsc --strict and are formatted as Biome does", () => {
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  const library = { "pulumi-cloudinfra": "sdk/index.ts", "pulumi-cloudinfra/native": "sdk/native.ts" };
  const paths = Object.fromEntries(Object.entries(library).map(([name, file]) => [name, [join(root, file)]]));
  const config = {
    extends: join(root, "tsconfig.json"),
    compilerOptions: { rootDir: "/", noUnusedLocals: true, paths },
    include: ["program-*/*.ts", join(root, "provider/client/undici-parts.d.ts")],
    exclude: [],
  };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
  const style = '{\n  "files": { "includes": ["**/*.ts"] },\n  "formatter": { "indentStyle": "space" }\n}\n';
  writeFileSync(join(folder, "biome.json"), style);
  const run = (...args: string[]) => spawnSync(process.execPath, args, { cwd: folder, encoding: "utf8" });
  const tsc = run(join(root, "node_modules/typescript-7/bin/tsc"), "-p", ".");
  expect(tsc.status, tsc.stdout).toBe(0);
  const biome = run(join(root, "node_modules/@biomejs/biome/bin/biome"), "check", "--max-diagnostics=20", ".");
  expect(biome.status, biome.stdout + biome.stderr).toBe(0);
});
