import { expect, test } from "vitest";
import { z } from "zod";
import { domains, Id, volumes } from "../../../api";
import { secondKind } from "../../../provider/engine/second-kind";
import { domain } from "../../../provider/resources/domain";
import { instance } from "../../../provider/resources/instance";
import { instanceDisk } from "../../../provider/resources/instance-disk";
import { volume } from "../../../provider/resources/volume";

const domainClone = secondKind(domain, {
  name: "DomainClone",
  summary: "Manages a domain that is created as a clone of another one.",
  inputs: domains.update.body.required({ domain: true }).extend({ source_domain_id: Id }),
  fields: { source_domain_id: { change: "replace", replaceReason: "its records are cloned" } },
  refersTo: { source_domain_id: "domains" },
  delete: { replaceOrder: "deleteFirst" },
  create: async () => ({ domainId: 1 }),
});

test("a second kind manages the same objects in the same way", () => {
  expect(domainClone.identity).toBe(domain.identity);
  expect(domainClone.outputs).toBe(domain.outputs);
  expect(domainClone.readiness).toBe(domain.readiness);
  expect(domainClone.steps).toEqual(domain.steps);
  expect(domainClone.delete).toEqual({ replaceOrder: "deleteFirst" });
});

test("its objects are found as those of the first kind, and its inputs can refer to other objects", () => {
  expect(domainClone.inventory).toEqual({
    file: "dns",
    title: "domain",
    list: "byId",
    omissionReason: "the API does not return how an object was created, so an import declares it with the kind Domain",
    refersTo: { source_domain_id: "domains" },
  });
});

test("an input of both kinds has the same effect without a default, and one that it omits does not exist", () => {
  expect(domainClone.fields).toMatchObject({ description: { change: "edit" }, ttl_sec: { change: "edit" } });
  expect(domain.fields).toMatchObject({ ttl_sec: { default: expect.any(Function) } });
  expect(domainClone.fields.ttl_sec).not.toHaveProperty("default");
  expect(Object.keys(domainClone.fields).sort()).toEqual(Object.keys(domainClone.inputs.shape).sort());
});

test("it has the time limits and the defaults of local inputs, and can find a lost create in another way", () => {
  const lostCreate = { match: ["compute_id" as const], candidates: async () => [] };
  const diskClone = secondKind(instanceDisk, {
    name: "DiskClone",
    summary: "Manages a disk that is created as a clone of another one.",
    inputs: instanceDisk.inputs.pick({ compute_id: true, allow_reboot: true }).extend({ source_disk_id: Id }),
    fields: { source_disk_id: { change: "replace", replaceReason: "its data is cloned" } },
    refersTo: { source_disk_id: "instanceDisks" },
    timeouts: { create: 60 },
    lostCreate,
    create: async () => ({ computeId: 1, diskId: 2 }),
  });
  expect(diskClone.timeouts).toEqual({ create: 60, update: 3600 });
  expect(diskClone.fields).toMatchObject({ allow_reboot: { change: "local", default: expect.any(Function) } });
  expect(diskClone.identity).toEqual({ ...instanceDisk.identity, lostCreate });
  // The image, to which an `InstanceDisk` refers, is not an input of this kind.
  expect(diskClone.inventory).toMatchObject({ refersTo: { source_disk_id: "instanceDisks" } });
  expect(diskClone.inventory).not.toHaveProperty("refersTo.image");
});

test.each([
  [
    { compute_id: true } as const,
    undefined,
    "DiskClone: inputs must contain label, by which its objects are recognized; set lostCreate if they have other inputs for that",
  ],
  [
    { label: true } as const,
    ["label"],
    "DiskClone: inputs must contain compute_id, by which its objects are recognized",
  ],
  [
    { compute_id: true } as const,
    ["compute_id", "source_disk_id"],
    "DiskClone: lostCreate.match must contain an input that the API returns (given compute_id, source_disk_id), or set candidates",
  ],
])("a definition whose objects could not be recognized is an error: %j, %j", (picked, match, message) => {
  const define = () =>
    secondKind(instanceDisk, {
      name: "DiskClone",
      summary: "Manages a disk that is created as a clone of another one.",
      inputs: instanceDisk.inputs.pick(picked).extend({ source_disk_id: Id }),
      fields: { source_disk_id: { change: "replace", replaceReason: "its data is cloned" } },
      ...(match && { lostCreate: { match: match as "source_disk_id"[] } }),
      create: async () => ({ computeId: 1, diskId: 2 }),
    });
  expect(define).toThrow(message);
});

test("the state of an earlier version is converted as that of the first kind", () => {
  const migrate = (state: object) => ({ ...state, converted: true });
  const { migrate: own } = secondKind(
    { ...volume, migrate },
    {
      name: "VolumeOfLabel",
      summary: "A volume without a size.",
      inputs: z.strictObject({ label: volumes.update.body.shape.label }),
      fields: {},
      create: async () => ({ volumeId: 1 }),
    },
  );
  expect(own).toBe(migrate);
});

test("an input of both kinds has the same type", () => {
  const define = () =>
    secondKind(volume, {
      name: "VolumeOfText",
      summary: "A volume whose label is a number.",
      // @ts-expect-error The steps of the first kind expect a text.
      inputs: z.strictObject({ label: z.number() }),
      fields: {},
      create: async () => ({ volumeId: 1 }),
    });
  expect(define).not.toThrow();
});

test("a step of inputs that it omits is left out, and one that belongs to no input is not", () => {
  const renamed = secondKind(volume, {
    name: "VolumeOfLabel",
    summary: "A volume without a size.",
    inputs: z.strictObject({ label: volumes.update.body.shape.label }),
    fields: {},
    create: async () => ({ volumeId: 1 }),
  });
  expect(Object.keys(volume.steps ?? {})).toEqual(["edit", "grow", "move"]);
  expect(Object.keys(renamed.steps ?? {})).toEqual(["edit"]);
  const copied = secondKind(instance, {
    name: "InstanceOfLabel",
    summary: "An instance with only a label.",
    inputs: instance.inputs.pick({ label: true }),
    fields: {},
    lostCreate: { match: ["label"] },
    create: async () => ({ computeId: 1 }),
  });
  expect(Object.keys(copied.steps ?? {})).toContain("copy");
  expect(Object.keys(copied.steps ?? {})).not.toContain("resize");
});
