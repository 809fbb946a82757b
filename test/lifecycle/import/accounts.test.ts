import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { detectDrift, exitCodeOf } from "../../../drift";
import { fill } from "../../../emulator/accounts";
import { snapshot } from "../../../emulator/core/snapshot";
import { type Cloud, cloud } from "../../../testing/cloud";
import { more, rowsOf } from "../../rows";
import { Project } from "./project";
import { accountOf, people } from "./random-account";

const root = join(__dirname, "../../..");

/** A folder for the programs that the tests import from accounts. They are compiled and linted together at the end. */
const folder = mkdtempSync(join(tmpdir(), "imported-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let programs = 0;
function keep(files: ReadonlyMap<string, string>): void {
  const own = join(folder, `program-${++programs}`);
  mkdirSync(own);
  for (const [name, text] of files) if (name.endsWith(".ts")) writeFileSync(join(own, name), text);
}

const providers = ["dynamic", "native"] as const;

test("the small account is imported without a change by both ways, with GET requests only", async () => {
  await using it = await cloud();
  await fill(it.world, "small");
  it.emulator.requests.clear();
  for (const provider of providers) {
    const project = new Project(it, provider);
    expect(await project.import()).toMatchObject({ unread: [], held: 0 });
    keep(project.files);
    expect(await project.changes()).toEqual([]);
  }
  expect(it.emulator.requests.list().filter(({ method }) => method !== "GET")).toEqual([]);
  expect(it.warnings).toEqual([]);
});

test("an imported account shows no drift in ten checks, for both providers", async () => {
  await using it = await cloud({ shuffle: true });
  await fill(it.world, "small");
  for (const provider of providers) {
    const project = new Project(it, provider);
    await project.import();
    for (let times = 0; times < 10; times++) {
      it.emulator.advance(3_600_000);
      const states = [{ name: "dev", state: project.state }];
      const report = await detectDrift({ states, account: { host: it.reconnect() } });
      expect(report).toMatchObject({ findings: [], unread: [] });
      expect(exitCodeOf(report)).toBe(0);
    }
  }
});

const RUNS = Number(process.env.ACCOUNTS ?? 3);
const SIZE = Number(process.env.ACCOUNT_SIZE ?? 20);

test(`${RUNS} random accounts are imported without a change, gain one object, and can be destroyed`, {
  timeout: 60_000 + RUNS * SIZE * 1000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(accountOf(SIZE), async (steps) => {
      await using origin = await cloud();
      const fresh = rowsOf(origin);
      await people(origin.world, steps);
      for (const provider of providers) {
        await using it = await cloud({ load: snapshot(origin.world), shuffle: true });
        const project = new Project(it, provider);
        const first = await project.import();
        expect(first.unread).toEqual([]);
        expect(first.resources.length).toBeGreaterThan(0);
        await expectOnlyNewOnesToBeAdded(it, project, first.resources.length);
        expect([...project.files.values()].join()).not.toContain("Planted-Secret-42");
        keep(project.files);
        expect(await project.changes()).toEqual([]);
        await project.destroy();
        it.emulator.settle();
        expect(more(rowsOf(it), fresh)).toEqual({});
      }
    }),
    { numRuns: RUNS, endOnFailure: true, ...(process.env.ACCOUNTS ? {} : { seed: 14 }) },
  );
});

/**
 * Expects that a repeated import writes nothing, and that an import after the creation of a volume adds only this
 * volume.
 */
async function expectOnlyNewOnesToBeAdded({ api }: Cloud, project: Project, held: number): Promise<void> {
  const before = new Map(project.files);
  const again = await project.import();
  expect(again).toMatchObject({ resources: [], secrets: [], unread: [], held });
  expect([...again.files]).toEqual([]);
  await api.volumes.create({ body: { label: "one-more", region: "us-east", size: 20 } });
  const { resources, files } = await project.import();
  expect(resources).toMatchObject([{ kind: "Volume", resource: { inputs: { label: "one-more" } } }]);
  expect([...files.keys()].filter((name) => name !== "index.ts")).toEqual(["compute.ts"]);
  const added = `${withoutImports(before.get("compute.ts") ?? "")}\nexport const oneMore = new Volume("one-more", {\n`;
  expect(withoutImports(files.get("compute.ts") ?? "").trimStart()).toContain(added.trimStart());
}

/** Removes the import statements, which a repeated import may extend by the classes of new resources. */
const withoutImports = (text: string): string => text.replaceAll(/^import [^;]*;\n/gm, "");

test("the programs of all these accounts compile with tsc --strict and are formatted as Biome does", () => {
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
