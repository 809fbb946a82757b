import { describe, expect } from "vitest";
import type { Catalogue } from "../../api";
import { Managed } from "../../testing/provider";
import type { account } from "./behaviour/accounts";
import { test } from "./behaviour/tests";

const catalogues: readonly Catalogue[] = [
  "regions",
  "types",
  "images",
  "kernels",
  "lkeVersions",
  "objectStorageClusters",
];

describe.each(catalogues)("%s", (catalogue) => {
  test("ids that appear later are found by one more read, however many resources use them", async ({ world }) => {
    const { problem } = bound(world.host.catalogues);
    const [known] = await Array.fromAsync(world.api[catalogue].list.all());
    expect(await problem(catalogue, String(known?.id))).toBeUndefined();
    const ids = catalogue === "lkeVersions" ? ["1.90", "1.91", "1.92"] : ["new-1", "new-2", "new-3"];
    for (const id of ids) add(world, catalogue, id);
    world.emulator.requests.clear();
    expect(await Promise.all(ids.map((id) => problem(catalogue, id)))).toEqual([undefined, undefined, undefined]);
    expect(reads(world, catalogue)).toBe(1);
    expect(await problem(catalogue, String(ids[1]))).toBeUndefined();
    expect(reads(world, catalogue)).toBe(1);
  });

  test("an id that does not exist causes at most one more read, however many resources use it", async ({ world }) => {
    const { problem } = bound(world.host.catalogues);
    const wrong = () => problem(catalogue, "no-such-id");
    world.emulator.requests.clear();
    const reason = await wrong();
    expect(reason).toMatch(/^must be /);
    expect(reads(world, catalogue)).toBe(1);
    expect(await Promise.all([wrong(), wrong(), wrong()])).toEqual([reason, reason, reason]);
    expect(reads(world, catalogue)).toBe(2);
  });

  test("an empty list is named as the reason, instead of a choice of no ids", async ({ world }) => {
    const rows = world.emulator.world.tables.get(catalogue);
    for (const { id } of rows?.all() ?? []) rows?.remove(id);
    expect(await world.host.catalogues.problem(catalogue, "any")).toBe(
      `is not available: the service's list of ${catalogue} is empty`,
    );
  });
});

test("a preview fails with the given region if the list of regions is empty", async ({ world }) => {
  const { regions } = world.emulator.world;
  for (const { id } of regions.all()) regions.remove(id);
  const volume = new Managed("Volume", world.host, "data");
  await expect(volume.preview({ region: "us-east" })).rejects.toThrow(
    `is not available: the service's list of regions is empty (given "us-east")`,
  );
});

test("two resources in one update can use an image that the same update has created", async ({ world }) => {
  const [web, db] = [new Managed("Instance", world.host, "web"), new Managed("Instance", world.host, "db")];
  const inputs = { region: "us-east", type: "g6-nanode-1", rootPass: "correct horse 1" };
  await web.preview({ ...inputs, image: "compute/debian11" });
  const { id: computeId } = await world.api.instances.create({
    body: { ...bodyOf(inputs), image: "compute/debian11" },
  });
  world.emulator.settle();
  const [disk] = await Array.fromAsync(world.api.instanceDisks.list.all({ path: { computeId } }));
  const image = new Managed("Image", world.host, "golden");
  await image.up({ diskId: Number(disk?.id) });
  await Promise.all([web.up({ ...inputs, image: image.id }), db.up({ ...inputs, image: image.id })]);
  expect([web.outs.image, db.outs.image]).toEqual([image.id, image.id]);
});

const bodyOf = ({ rootPass, ...inputs }: { region: string; type: string; rootPass: string }) => ({
  ...inputs,
  root_pass: rootPass,
});

type World = Awaited<ReturnType<typeof account>>;

const bound = (of: World["host"]["catalogues"]) => ({ problem: of.problem.bind(of) });

/** Adds an id to the service's catalogue, as the service or another client does. */
function add({ world }: World, catalogue: Catalogue, id: string): void {
  const rows = world.tables.get(catalogue);
  const [row] = rows?.all() ?? [];
  rows?.insert({ ...row, id });
}

const reads = ({ emulator }: World, catalogue: Catalogue): number =>
  emulator.requests.list().filter(({ operation }) => operation === `${catalogue}.list`).length;
