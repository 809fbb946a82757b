import { expect, test } from "vitest";
import { z } from "zod";
import { domains, Id, volumes } from "../../../api";
import { secondKind } from "../../../provider/engine/second-kind";
import { domain } from "../../../provider/resources/domain";
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
    omissionReason: "the API does not return how an object was created; it is imported as a Domain",
    refersTo: { source_domain_id: "domains" },
  });
});

test("an input of both kinds has the same effect without a default, and one that it omits does not exist", () => {
  expect(domainClone.fields).toMatchObject({ description: { change: "edit" }, ttl_sec: { change: "edit" } });
  expect(domain.fields).toMatchObject({ ttl_sec: { default: expect.any(Function) } });
  expect(domainClone.fields.ttl_sec).not.toHaveProperty("default");
  expect(Object.keys(domainClone.fields).sort()).toEqual(Object.keys(domainClone.inputs.shape).sort());
});

test("a step of inputs that it omits is left out", () => {
  const renamed = secondKind(volume, {
    name: "VolumeOfLabel",
    summary: "A volume without a size.",
    inputs: z.strictObject({ label: volumes.update.body.shape.label }),
    fields: {},
    create: async () => ({ volumeId: 1 }),
  });
  expect(Object.keys(volume.steps ?? {})).toEqual(["edit", "grow", "move"]);
  expect(Object.keys(renamed.steps ?? {})).toEqual(["edit"]);
});
