import { mkdtempSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { cloudinfra } from "../../../cli/program";
import { type Emulator, startEmulator } from "../../../emulator";
import { connect } from "../../../provider/client";
import { newFolder } from "../../folder";
import { fakePulumi } from "./fake-pulumi";
import { terminal } from "./terminal";

const root = newFolder();
const at = (name: string): string => join(root, name);
const replaced = "the next update replaces the object because of tags: it creates another one and deletes this one";

let emulator: Emulator;
let client: ReturnType<typeof connect>;
let screen: ReturnType<typeof terminal>;
let volume: number;
let pool: string;

/** An account with a volume and a pool, and a stack whose configuration adds tags. */
beforeAll(async () => {
  emulator = await startEmulator({ pace: "instant" });
  client = connect(emulator);
  const { api } = client;
  ({ id: volume } = await api.volumes.create({ body: { region: "us-east", label: "data" } }));
  const { id: clusterId } = await api.lkeClusters.create({
    body: { label: "apps", region: "us-east", k8s_version: "1.21", node_pools: [{ type: "g6-standard-1", count: 1 }] },
  });
  const { data } = await api.lkePools.list({ path: { clusterId } });
  pool = `${clusterId}/${data[0]?.id}`;
  const config = JSON.stringify({ "cloudinfra:defaultTags": { value: '["team"]', secret: false } });
  writeFileSync(at("pulumi"), fakePulumi.replace('echo "{}"', `echo '${config}'`), { mode: 0o755 });
  writeFileSync(at("Pulumi.yaml"), "name: shop\nruntime: nodejs\n");
});

beforeEach(() => {
  vi.stubEnv("CLOUDINFRA_URL", emulator.url);
  vi.stubEnv("CLOUDINFRA_TOKEN", emulator.token);
  vi.stubEnv("PULUMI_CLI", at("pulumi"));
  vi.stubEnv("STACK", at("stack.json"));
  writeFileSync(at("stack.json"), JSON.stringify({ version: 3, deployment: {} }));
  screen = terminal();
});

afterEach(() => screen.restore());

afterAll(async () => {
  await client.close();
  await emulator.close();
});

const run = async (...words: string[]): Promise<unknown> =>
  (await cloudinfra()).parseAsync(["node", "cloudinfra", ...words]);

test("adopt says whether the next update changes an object or replaces it, and because of which inputs", async () => {
  await run("adopt", "LkeNodePool", "apps", pool, "--project", root, "--dry-run");
  await run("adopt", "Volume", "data", String(volume), "--project", root, "--dry-run");
  expect(screen.printed.all.match(/^warning: .*$/gm)).toEqual([
    `warning: LkeNodePool "apps" (${pool}): ${replaced}`,
    `warning: Volume "data" (${volume}): the next update changes tags`,
  ]);
});

test("import says whether the next update changes an object or replaces it, and because of which inputs", async () => {
  const out = mkdtempSync(at("imported-"));
  const { api } = client;
  await api.domains.create({ body: { domain: "example.org", type: "master", soa_email: "admin@example.org" } });
  await run("import", "--into", "prod", "--out", out, "--filter", "kind=Domain");
  const kinds = ["--filter", "kind=LkeNodePool", "--filter", "kind=Volume"];
  await run("import", "--into", "prod", "--out", out, "--dry-run", ...kinds);
  expect(screen.printed.all.match(/^warning: .*$/gm)?.sort()).toEqual([
    expect.stringMatching(new RegExp(`^warning: LkeNodePool "\\S+": ${replaced}$`)),
    'warning: Volume "data": the next update changes tags',
  ]);
});
