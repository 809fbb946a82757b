import { describe, expect, test } from "vitest";
import type { Kind } from "../../../provider/engine/resource";
import { kinds } from "../../../provider/resources";
import { unexplained } from "../../../tools/generate/policy";

const all: [name: string, kind: Kind][] = Object.entries(kinds);

describe("what an update operation takes is changed in place and nothing else is, or the kind says why", () => {
  test.each(all)("%s", (name, kind) => expect(unexplained(name, kind)).toEqual([]));
});

describe("what an author is told", () => {
  const { exceptions: _, ...silent } = kinds.Volume as Kind;

  test("an input that changes in place by another operation than update", () => {
    expect(unexplained("Volume", { ...silent, exceptions: { compute_id: "`volumes.attach`" } })).toEqual([
      'Volume.size changes in place, but volumes.update does not take it: say in `exceptions` in provider/resources/volume.ts what does it, as in size: "`volumes.resize` grows it"',
    ]);
  });

  test("what comes of a local input may be said, and need not", () => {
    const { exceptions } = kinds.Instance as Kind;
    const told: Kind = { ...(kinds.Instance as Kind), exceptions: { ...exceptions, resize_disks: "the next resize" } };
    expect(unexplained("Instance", told)).toEqual([]);
  });

  test("an input that the update operation takes and that does not change in place", () => {
    const kind: Kind = { ...(kinds.Volume as Kind), changes: { ...kinds.Volume.changes, label: "replace" } };
    expect(unexplained("Volume", kind)).toEqual([
      "Volume.label is in the body of volumes.update: let a step change it, or say in `exceptions` in provider/resources/volume.ts why none does",
    ]);
    expect(unexplained("Volume", { ...kind, exceptions: { ...kind.exceptions, label: "for a test" } })).toEqual([]);
  });

  test("a reason where there is no exception", () => {
    const kind: Kind = { ...(kinds.DomainRecord as Kind), exceptions: { name: "`domainRecords.update` does it" } };
    expect(unexplained("DomainRecord", kind)).toEqual([
      "DomainRecord.name is no exception: take its line out of `exceptions` in provider/resources/domain-record.ts",
    ]);
  });
});
