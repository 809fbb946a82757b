import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import fc from "fast-check";
import type { Cloud } from "../../../testing/cloud";
import type { CreateFixture, Effects, EquivalentValues, ExampleEdit, Found } from "../fixture";
import type { Templates } from "../template";
import { disk } from "./files";

const hashOf = (path: string): string => createHash("sha256").update(readFileSync(path)).digest("hex");

/** Creates a disk from which an image can be created. */
async function deployed({ api, emulator }: Cloud, label: string): Promise<number> {
  const image = "compute/debian11";
  const body = { label, region: "us-east", type: "g6-nanode-1", image, root_pass: "correct horse 1" };
  const { id } = await api.instances.create({ body });
  emulator.settle();
  const { data } = await api.instanceDisks.list({ path: { computeId: id } });
  return data.find(({ filesystem }) => filesystem !== "swap")?.id as number;
}

export const effects: Effects<"Image"> = {
  diskId: "replace",
  region: "replace",
  contentHash: "replace",
  file: "local",
  source: "local",
  label: ["images.update"],
  description: ["images.update"],
};

export const found: Found = { by: "operation" };

export const fixture: CreateFixture<"Image"> = async (cloud) => {
  const [first, second] = [await deployed(cloud, "first"), await deployed(cloud, "second")];
  const captured = { file: undefined, region: undefined, diskId: first };
  const asset = { file: undefined, source: { path: disk.raw } };
  return {
    base: { label: "golden", region: "us-east", file: disk.raw },
    changes: {
      label: { to: "silver" },
      description: [
        { to: "The golden image" },
        {
          before: { description: "The golden image" },
          to: null,
          read: (id) => cloud.world.images.get(`private/${id}`).description || null,
        },
      ],
      diskId: { before: captured, to: second, read: () => second },
      region: { to: "eu-west", read: () => "eu-west" },
      file: [{ to: disk.copy }, { before: { file: disk.packed }, to: disk.packed }],
      source: [
        { before: asset, to: { path: disk.copy } },
        { before: asset, to: { text: disk.text } },
      ],
      contentHash: { to: hashOf(disk.other), along: { file: disk.other }, read: () => hashOf(disk.other) },
    },
    table: "imageOrigins",
    creation: "images.upload",
    changeUnmanaged: (id) => cloud.world.images.patch(`private/${id}`, {}),
  };
};

export const equivalentValues: EquivalentValues = () => [
  {
    inputs: { file: disk.raw, description: "golden" },
    equivalent: {
      // The provider compares files by content, so a file with another path but the same content is not a difference.
      file: fc.constantFrom(disk.raw, disk.copy),
      region: fc.constant("us-east"),
    },
  },
  {
    inputs: { file: undefined, source: { path: disk.raw } },
    equivalent: { source: fc.constantFrom({ path: disk.raw }, { path: disk.copy }, { text: disk.text }) },
  },
];

export const exampleEdit: ExampleEdit<"Image"> = { description: "edited" };

export const templates: Templates = { Image: { skip: ["diskId"] } };
