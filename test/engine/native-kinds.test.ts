import { expect, test } from "vitest";
import { filesIn } from "../../testing/engine-project";
import { allKinds, allKindsConfig, edits, planted } from "./all-kinds";
import { ownCard } from "./more-kinds";
import { idsOf, mutations, sandbox, withoutPulumisOwn } from "./sandbox";

test("all kinds with the native plugin: up, no changes, edits with exact previews, destroy", async () => {
  await using box = await sandbox(allKinds(), { native: true, config: await allKindsConfig() });
  const { stack, emulator } = box;
  await ownCard(emulator);
  const before = box.holds();
  const up = await stack.up();
  const created = new Set(Object.keys(up.ops).map((resource) => resource.split(" ")[0]));
  const declared = new Set([...allKinds().matchAll(/new cloudinfra\.(\w+)\(/g)].map(([, kind]) => kind));
  expect([...created].sort()).toEqual([...declared].sort());
  const outputs = await stack.outputs();

  emulator.requests.clear();
  await stack.preview(["--expect-no-changes"]);
  await stack.refresh();
  await stack.refresh(["--preview-only", "--expect-no-changes"]);
  expect(mutations(emulator)).toEqual([]);

  await box.rewrite(allKinds({ edit: true }));
  const edited = Object.fromEntries(Object.keys(edits).map((resource) => [resource, "update"]));
  const preview = await stack.preview(["--diff"]);
  expect(preview.ops).toEqual(edited);
  // The API does not return the content of an object, so its hash is compared.
  const changes: Record<string, string> = { ...edits, "ObjectStorageObject hello": "contentHash" };
  for (const { type, name, paths } of preview.steps.filter(({ op }) => op === "update")) {
    const resource = `${type.split(":").at(-1)} ${name}`;
    expect(paths.length, resource).toBeGreaterThan(0);
    for (const path of paths) expect(path, resource).toMatch(new RegExp(`^${changes[resource]}(?!\\w)`));
  }
  const changed = await stack.up();
  expect(changed.ops).toEqual(edited);
  expect(idsOf(changed)).toMatchObject(idsOf(up));
  await stack.preview(["--expect-no-changes"]);

  const written = {
    export: JSON.stringify(await stack.export()),
    ...(await filesIn(stack.home)),
    up: up.stdout + up.stderr,
  };
  expect(Object.keys(written)).toContainEqual(expect.stringMatching(/^events-\d+\.json$/));
  const returned = [outputs.objectSecret, outputs.oauthSecret, /token: (\S+)/.exec(String(outputs.kubeconfig))?.[1]];
  for (const secret of [...Object.values(planted), ...returned].map(String)) {
    expect(secret.length).toBeGreaterThan(10);
    const leaks = Object.entries(written).filter(([, text]) => withoutPulumisOwn(text).includes(secret));
    expect(
      leaks.map(([place]) => place),
      `${secret} is in plain`,
    ).toEqual([]);
  }

  await stack.destroy();
  expect(box.holds()).toEqual(before);
});
