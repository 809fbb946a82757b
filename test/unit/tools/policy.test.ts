import { describe, expect, test } from "vitest";
import type { Kind } from "../../../provider/engine/definition";
import { kinds } from "../../../provider/resources";
import { unexplained } from "../../../tools/generate/policy";

const all: [name: string, kind: Kind][] = Object.entries(kinds);

describe("an input changes in place if the update operation takes it, or its field explains why not", () => {
  test.each(all)("%s", (name, kind) => expect(unexplained(name, kind)).toEqual([]));
});

describe("the policy reports", () => {
  const withFields = (kind: Kind, fields: Kind["fields"]): Kind => ({ ...kind, fields: { ...kind.fields, ...fields } });

  test("that an input changes in place by another operation than update", () => {
    expect(unexplained("Volume", withFields(kinds.Volume, { size: "grow" }))).toEqual([
      "Volume.size changes in place, but volumes.update does not take it by this name: name the operations that change it in `by` of its field in provider/resources/volume.ts",
    ]);
  });

  test("nothing about a local input, with or without a note", () => {
    expect(unexplained("Instance", withFields(kinds.Instance, { resize_disks: "local" }))).toEqual([]);
    const noted = { resize_disks: { change: "local", note: "the next resize" } };
    expect(unexplained("Instance", withFields(kinds.Instance, noted))).toEqual([]);
  });

  test("that the update operation takes an input that does not change in place", () => {
    expect(unexplained("Volume", withFields(kinds.Volume, { label: "replace" }))).toEqual([
      "Volume.label is in the body of volumes.update: change it in a step, or say in `note` of its field why none does in provider/resources/volume.ts",
    ]);
    expect(
      unexplained("Volume", withFields(kinds.Volume, { label: { change: "replace", note: "for a test" } })),
    ).toEqual([]);
  });

  test("nothing about an update operation that has the input under another name", () => {
    const fields = { size: { change: "grow", by: ["volumes.update"] } } as const;
    expect(unexplained("Volume", withFields(kinds.Volume, fields))).toEqual([]);
  });

  test("an unnecessary mention of the update operation", () => {
    const fields = { name: { change: "edit", by: ["domainRecords.update"] } } as const;
    expect(unexplained("DomainRecord", withFields(kinds.DomainRecord, fields))).toEqual([
      "DomainRecord.name is in the body of domainRecords.update, which is the default: remove `by` from its field in provider/resources/domain-record.ts",
    ]);
  });

  test("a replacement with operations", () => {
    expect(
      unexplained("Volume", withFields(kinds.Volume, { region: { change: "replace", by: ["volumes.clone"] } })),
    ).toEqual(["Volume.region does not change in place: remove `by` from its field in provider/resources/volume.ts"]);
  });

  test("a write-only input without a note", () => {
    expect(unexplained("Volume", withFields(kinds.Volume, { config_id: { change: "writeOnly" } }))).toEqual([
      "Volume.configId is write-only: its field needs a `note` for the preview in provider/resources/volume.ts",
    ]);
  });
});
