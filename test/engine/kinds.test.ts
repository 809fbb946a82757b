import { expect, test } from "vitest";
import { kinds } from "../../provider/kinds";
import { allKinds, allKindsConfig, edits, holdings } from "./all-kinds";
import { idsOf, mutations, sandbox } from "./sandbox";

test("all kinds: up, nothing to do, edited in place, nothing to do, gone", async () => {
  await using box = await sandbox(allKinds(), { config: allKindsConfig });
  const { stack, emulator } = box;

  const up = await stack.up();
  expect(up.changes).toEqual({ create: 9 });
  const made = new Set(Object.keys(up.ops).map((resource) => resource.split(" ")[0]));
  expect([...made].sort()).toEqual(Object.keys(kinds).sort());
  expect(box.holds()).toMatchObject(holdings);

  emulator.requests.clear();
  await stack.preview(["--expect-no-changes"]);
  for (let times = 0; times < 3; times++) await stack.refresh(["--preview-only", "--expect-no-changes"]);
  expect(mutations(emulator)).toEqual([]);

  await box.rewrite(allKinds({ edit: true }));
  const before = idsOf(up);
  const told = await stack.preview();
  // Outputs of what changes are unknown in the preview, so what depends on them may seem to change as well, but in place.
  expect(new Set(Object.values(told.ops))).toEqual(new Set(["update"]));
  const edited = await stack.up();
  expect(edited.ops).toEqual(Object.fromEntries(Object.keys(edits).map((resource) => [resource, "update"])));
  expect(idsOf(edited)).toMatchObject(before);
  expect(box.holds()).toMatchObject({ ...holdings, instances: 6 });
  await stack.preview(["--expect-no-changes"]);
  await stack.refresh(["--preview-only", "--expect-no-changes"]);

  const destroyed = await stack.destroy();
  expect(destroyed.changes).toEqual({ delete: 9 });
  expect(box.holds()).toEqual({});
});
