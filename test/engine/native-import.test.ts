import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { detectDrift } from "../../drift";
import type { Emulator } from "../../emulator";
import { pathOf } from "../../provider/engine/identity";
import { objectsOf } from "../../provider/plugin/import";
import { connectionFor } from "../../provider/pulumi/connection";
import { type KindName, kinds } from "../../provider/resources";
import { kindTests } from "../lifecycle/kinds";
import { mutations, sandbox } from "./sandbox";

/** Listed kinds whose objects are contained in others, with the kind of these. Containing objects are imported first. */
const parents: Partial<Record<KindName, KindName>> = Object.fromEntries(
  (Object.keys(kinds) as KindName[]).flatMap((name) => {
    const { by, within } = kindTests[name].found;
    return by === "operation" && within ? [[name, within]] : [];
  }),
);

/** The kinds and ids of all objects in an account. */
async function objectsIn({ url, token }: Emulator): Promise<{ kind: KindName; id: string }[]> {
  const empty = { name: "empty.json", state: { version: 3, deployment: {} } };
  const { unmanaged } = await detectDrift({ states: [empty], url, token, unmanaged: true });
  const objects = (unmanaged?.objects ?? []).map(({ kind, id }) => ({ kind: kind as KindName, id }));
  const messages = { warn: () => {}, progress: () => {} };
  const { host, close } = connectionFor({ "cloudinfra:url": url, "cloudinfra:token": token }, messages);
  for (const [kind, parent] of Object.entries(parents) as [KindName, KindName][])
    for (const { id: above } of objects.filter((object) => object.kind === parent))
      for await (const { id } of objectsOf(kinds[kind], host, pathOf(kinds[parent], above))) objects.push({ kind, id });
  await close();
  return objects;
}

test("one pulumi import adds every object of an account, and a program with the imported inputs shows no change", async () => {
  await using box = await sandbox("", { native: true, emulator: { account: "small" } });
  const { stack, emulator } = box;
  const objects = await objectsIn(emulator);
  expect([...new Set(objects.map(({ kind }) => kind))]).toEqual(expect.arrayContaining(Object.keys(parents)));
  const resources = objects.map(({ kind, id }, i) => ({ type: `cloudinfra:index:${kind}`, name: `${kind}-${i}`, id }));
  const file = join(stack.home, "resources.json");
  await writeFile(file, JSON.stringify({ resources }));
  emulator.requests.clear();
  await stack.run(["import", "--file", file, "--yes", "--generate-code=false", "--protect=false"]);
  const rows = (await stack.export()).deployment.resources ?? [];
  const imported = rows.filter(({ type }) => type.startsWith("cloudinfra:index:"));
  expect(imported).toHaveLength(resources.length);
  const declared = imported.map(({ type, urn, inputs }) => [type.split(":").at(-1), urn.split("::").at(-1), inputs]);
  // State contains no encrypted values, because the API does not return secret inputs. So the program can declare all
  // imported inputs unchanged.
  expect(JSON.stringify(declared)).not.toContain("ciphertext");
  await box.rewrite(`
    for (const [kind, name, { __autonamed, ...inputs }] of ${JSON.stringify(declared)}) new cloudinfra[kind](name, inputs);`);
  await stack.preview(["--expect-no-changes"]);
  await stack.refresh(["--preview-only", "--expect-no-changes"]);
  expect(mutations(emulator)).toEqual([]);
});
