import { expect, test } from "vitest";
import { allKinds, allKindsConfig, edits } from "./all-kinds";
import { ownCard } from "./more-kinds";
import { idsOf, mutations, sandbox } from "./sandbox";

test("all kinds: up, no changes, edit in place, no changes, destroy", { timeout: 600_000 }, async () => {
  await using box = await sandbox(allKinds(), { config: await allKindsConfig() });
  const { stack, emulator } = box;
  await ownCard(emulator);
  const before = box.holds();

  const up = await stack.up();
  expect(Object.keys(up.ops)).toEqual(expect.arrayContaining(Object.keys(edits)));

  emulator.requests.clear();
  await stack.preview(["--expect-no-changes"]);
  // Instances change when their disks and configs are created later and when they boot. The refresh stores these
  // changes in state.
  await stack.refresh();
  for (let times = 0; times < 3; times++) await stack.refresh(["--preview-only", "--expect-no-changes"]);
  expect(mutations(emulator)).toEqual([]);

  await box.rewrite(allKinds({ edit: true }));
  const ids = idsOf(up);
  const told = await stack.preview();
  // In the preview, outputs of changed resources are unknown. Resources that depend on them may seem to be changed or
  // replaced too.
  expect(Object.keys(told.ops)).toEqual(expect.arrayContaining(Object.keys(edits)));
  const changed = await stack.up();
  expect(changed.ops).toEqual(Object.fromEntries(Object.keys(edits).map((resource) => [resource, "update"])));
  expect(idsOf(changed)).toMatchObject(ids);
  await stack.preview(["--expect-no-changes"]);
  await stack.refresh();
  await stack.refresh(["--preview-only", "--expect-no-changes"]);

  await stack.destroy();
  expect(box.holds()).toEqual(before);
});
