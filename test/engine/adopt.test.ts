import { readdirSync, readFileSync } from "node:fs";
import { rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Operation, operations } from "../../api";
import { addRange } from "../../emulator/areas/networking/ipv6";
import { addToken } from "../../emulator/core/users";
import { isAction } from "../../provider/engine/identity";
import { type KindName, kinds } from "../../provider/resources";
import type { Deployment } from "../../testing/engine";
import { run } from "../cli/command";
import { allKinds, allKindsConfig, planted } from "./all-kinds";
import { ownCard } from "./more-kinds";
import { idsOf, mutations, sandbox } from "./sandbox";

/** Whether a line such as `InstanceAction rebuild 12` has a resource class that runs an action, such as a reboot. */
const isOfAction = (line: string): boolean => isAction(kinds[line.split(" ")[0] as KindName]);

/** The scopes that all GET operations require. For some of them, a `read_only` scope is not sufficient. */
const toRead = Object.values(operations)
  .flatMap((area) => Object.values(area) as Operation[])
  .flatMap(({ method, scopes }) => (method === "GET" ? scopes : []));

test("adopts all kinds from a file, and the printed program shows no change", { timeout: 900_000 }, async () => {
  await using box = await sandbox(allKinds(), { config: await allKindsConfig() });
  const { stack, emulator } = box;
  await ownCard(emulator);
  const ids = idsOf(await stack.up());
  ids["Ipv6Range range"] = rangeIn(box.emulator, ids["Instance web"] ?? "");
  const { kubeconfig } = await stack.outputs();
  await stack.refresh();
  const { deployment, ...rest } = await stack.export();
  await stack.import({ ...rest, deployment: { ...deployment, resources: [] } });

  addToken(emulator.world, "looks-only", { scopes: toRead });
  await stack.configure({ "cloudinfra:token": { secret: "looks-only" } });
  emulator.requests.clear();
  const listed = Object.entries(ids)
    .filter(([resource]) => Object.hasOwn(kinds, resource.split(" ")[0] ?? ""))
    .map(([resource, id]) => `${resource} ${id}`);
  const file = join(stack.home, "list.txt");
  const adopt = async (lines: readonly string[], ...more: string[]) => {
    await writeFile(file, lines.join("\n"));
    return run(["adopt", "--file", file, "--stack", "test", "--project", stack.dir, ...more], { env: stack.env });
  };

  const rejected = await adopt(listed);
  expect(rejected.code).toBe(2);
  const actions = listed.filter(isOfAction);
  for (const line of actions)
    expect(rejected.stderr).toContain(`${line.split(" ")[0]} is an action, which does not create an object to adopt`);
  expect(rejected.stderr).toContain(`nothing was adopted, because ${actions.length} lines`);

  const lines = listed.filter((line) => !isOfAction(line));
  const rehearsed = await adopt(lines, "--dry-run");
  expect(rehearsed, rehearsed.stderr).toMatchObject({ code: 0 });
  expect((await stack.export()).deployment.resources ?? []).toEqual([]);

  const adopted = await adopt(lines);
  expect(adopted, adopted.stderr).toMatchObject({ code: 0, stdout: rehearsed.stdout });
  expect(adopted.stderr).not.toContain("warning");
  expect(mutations(emulator)).toEqual([]);
  const [backup = ""] = /(?<=is saved in )\S+\.json/.exec(adopted.stderr) ?? [];
  expect((await stat(backup)).mode & 0o777).toBe(0o600);
  expect((JSON.parse(readFileSync(backup, "utf8")) as Deployment).deployment.resources ?? []).toEqual([]);
  const state = await stack.export();
  const cluster = state.deployment.resources?.find(({ urn }) => urn.endsWith("LkeCluster::apps"));
  expect(cluster).toMatchObject({ protect: true, outputs: { kubeconfig: { ciphertext: expect.any(String) } } });
  const token = /token: (\S+)/.exec(String(kubeconfig))?.[1] ?? "";
  expect(token.length).toBeGreaterThan(20);
  const stored = [...filesIn(join(stack.home, "state"), true), ...filesIn(stack.dir)];
  for (const secret of [...Object.values(planted), token, "looks-only"])
    for (const text of [adopted.stdout, adopted.stderr, ...stored]) expect(text.includes(secret)).toBe(false);

  // `cloudinfra adopt` sets `protect` in state, because an update deletes objects that the program does not declare.
  await box.rewrite("");
  const undeclared = await stack.up([], { mayFail: true });
  expect(undeclared).toMatchObject({ code: 1, stdout: expect.stringContaining("cannot be deleted") });
  expect(mutations(emulator)).toEqual([]);

  await rm(join(stack.dir, "index.js"));
  await stack.write("Pulumi.yaml", "name: test\nruntime: nodejs\n");
  await stack.write("index.ts", adopted.stdout);
  const keys = [...adopted.stderr.matchAll(/pulumi config set --secret (\S+)/g)].map(([, key = ""]) => key);
  expect(keys).toContain("webRootPass");
  await stack.configure(Object.fromEntries(keys.map((key) => [key, { secret: '{ "any": "thing" }' }])));
  await stack.preview(["--expect-no-changes"]);
  await stack.refresh(["--preview-only", "--expect-no-changes"]);
  expect(mutations(emulator)).toEqual([]);
});

const filesIn = (folder: string, recursive = false): string[] =>
  readdirSync(folder, { recursive, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/^index\./.test(entry.name))
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "utf8"));

function rangeIn(emulator: Parameters<typeof mutations>[0], id: string): string {
  const { world } = emulator as unknown as { world: Parameters<typeof addRange>[0] };
  return addRange(world, world.instances.get(Number(id))).range;
}
