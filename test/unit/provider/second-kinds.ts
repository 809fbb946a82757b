import { z } from "zod";
import { resource } from "../../../provider/engine/definition";
import { volume } from "../../../provider/resources/volume";

/**
 * Kinds whose objects are also the objects of `Volume`: one with the same ids, and one with other ids. No real kind has
 * these names.
 */
export const secondKinds = {
  TestEncryptedVolume: { ...volume, name: "TestEncryptedVolume" },
  TestVolumeClone: resource({
    name: "TestVolumeClone",
    summary: "Creates a volume by cloning another one.",
    inputs: z.object({ source_id: z.int() }),
    outputs: volume.outputs,
    identity: {
      area: "volumes",
      lookup: { path: z.strictObject({ sourceId: z.int(), cloneId: z.int() }), get: async () => undefined },
      manages: ({ cloneId }) => [{ area: "volumes", path: { volumeId: cloneId } }],
      lostCreate: "repeat",
    },
    inventory: { file: "compute", list: "operation", title: "label" },
    fields: { source_id: { change: "writeOnly", note: "the data is copied at creation" } },
    create: async () => ({ sourceId: 1, cloneId: 2 }),
  }),
};
