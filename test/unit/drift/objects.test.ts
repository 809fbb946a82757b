import { expect, test } from "vitest";
import { objectsOf } from "../../../drift/objects";
import { kinds } from "../../../provider/resources";

test("an object that belongs to the clone of a volume refers to the clone's resource", () => {
  const at = (kind: keyof typeof kinds, id: string, observed: object) => ({
    address: `shop/prod/${kind}/${id}`,
    kind: kinds[kind],
    id,
    title: id,
    observed: { ...observed },
  });
  const observed = [
    at("VolumeClone", "640144", { id: 640144, compute_id: 12 }),
    at("VolumeAttachment", "640144", { id: 640144, compute_id: 12 }),
  ];
  const report = { findings: [], unread: [], coverage: { notCompared: [] } };
  expect(objectsOf(observed, report as never).map(({ kind, on }) => ({ kind, on }))).toEqual([
    { kind: "VolumeClone", on: ["Instance/12"] },
    { kind: "VolumeAttachment", on: ["VolumeClone/640144", "Instance/12"] },
  ]);
});
