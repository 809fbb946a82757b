import { describe, expect, test } from "vitest";
import type { z } from "zod";
import { operations, translationOf } from "../../../../api";

/** The names of the public service, from its documentation and from recorded responses. */
const linode = translationOf("linode");

function expectNames(schema: z.core.$ZodType, own: unknown, theirs: unknown): void {
  expect(linode.of(schema, "to")?.(own)).toEqual(theirs);
  expect(linode.of(schema, "from")?.(theirs)).toEqual(own);
}

test.each([
  ["/compute/instances", "/linode/instances"],
  ["/v4/compute/instances/12/configs/3", "/v4/linode/instances/12/configs/3"],
  ["/v4beta/compute/types", "/v4beta/linode/types"],
  ["/v4/managed/compute-settings", "/v4/managed/linode-settings"],
  ["/v4/managed/compute-settings/12", "/v4/managed/linode-settings/12"],
])("the path %s is %s", (own, theirs) => {
  expect(linode.path(own)).toBe(theirs);
  expect(linode.path(theirs)).toBe(own);
});

test.each(["/v4/volumes", "/v4/tags/compute", "/v4/images/private%2F12", "/v4/object-storage/buckets/compute/linode"])(
  "the path %s has no other name",
  (path) => {
    expect(linode.path(path)).toBe(path);
  },
);

describe("fields", () => {
  test("of a volume", () => {
    const rest = { id: 1, label: "compute", tags: ["linode", "compute_id"] };
    expectNames(
      operations.volumes.view.result,
      {
        ...rest,
        compute_id: 12,
        compute_label: "compute",
        filesystem_path: "/dev/disk/by-id/scsi-0Compute_Volume_compute",
      },
      {
        ...rest,
        linode_id: 12,
        linode_label: "compute",
        filesystem_path: "/dev/disk/by-id/scsi-0Linode_Volume_compute",
      },
    );
  });

  test("of an address", () =>
    expectNames(
      operations.networkingIps.view.result,
      { address: "192.0.2.1", compute_id: 12 },
      { address: "192.0.2.1", linode_id: 12 },
    ));

  test("of requests to restore, clone, assign, share and attach", () => {
    expectNames(operations.instanceBackups.restore.body, { compute_id: 1 }, { linode_id: 1 });
    expectNames(operations.instances.clone.body, { compute_id: 1 }, { linode_id: 1 });
    expectNames(
      operations.networkingIps.assign.body,
      { region: "us-east", assignments: [{ address: "192.0.2.1", compute_id: 1 }] },
      { region: "us-east", assignments: [{ address: "192.0.2.1", linode_id: 1 }] },
    );
    expectNames(operations.networkingIps.share.body, { compute_id: 1, ips: [] }, { linode_id: 1, ips: [] });
    expectNames(operations.volumes.attach.body, { compute_id: 1 }, { linode_id: 1 });
  });

  test("of transfers, VLANs, firewalls and tags", () => {
    expectNames(
      operations.entityTransfers.create.body,
      { entities: { computes: [1] } },
      { entities: { linodes: [1] } },
    );
    expectNames(
      operations.vlans.list.result,
      { data: [{ label: "compute", computes: [1] }], page: 1 },
      { data: [{ label: "compute", linodes: [1] }], page: 1 },
    );
    expectNames(
      operations.firewalls.create.body,
      { label: "linode", devices: { computes: [1] } },
      { label: "linode", devices: { linodes: [1] } },
    );
    expectNames(operations.tags.create.body, { label: "compute", computes: [1] }, { label: "compute", linodes: [1] });
  });
});

describe("values", () => {
  test.each([
    ...["addip", "boot", "clone", "create", "delete", "update", "deleteip", "migrate", "migrate_datacenter"],
    ...["migrate_datacenter_create", "mutate", "mutate_create", "reboot", "rebuild", "resize", "resize_create"],
    ...["shutdown", "snapshot", "config_create", "config_delete", "config_update"],
  ])("of the event action %s of an instance", (action) =>
    expectNames(operations.events.view.result, { action: `compute_${action}` }, { action: `linode_${action}` }),
  );

  test("of the entities of events", () =>
    expectNames(
      operations.events.view.result,
      {
        entity: { id: 12, label: "compute", type: "compute", url: "/v4/compute/instances/12" },
        secondary_entity: {
          id: "compute/debian11",
          label: "compute",
          type: "image",
          url: "/v4/images/compute/debian11",
        },
      },
      {
        entity: { id: 12, label: "compute", type: "linode", url: "/v4/linode/instances/12" },
        secondary_entity: { id: "linode/debian11", label: "compute", type: "image", url: "/v4/images/linode/debian11" },
      },
    ));

  test("of firewall devices", () =>
    expectNames(operations.firewallDevices.create.body, { id: 12, type: "compute" }, { id: 12, type: "linode" }));

  test("of promotions", () =>
    expectNames(
      operations.account.view.result,
      {
        company: "compute",
        active_promotions: ["compute", "compute_disk", "compute_memory"].map((service_type) => ({ service_type })),
      },
      {
        company: "compute",
        active_promotions: ["linode", "linode_disk", "linode_memory"].map((service_type) => ({ service_type })),
      },
    ));

  test("of tagged objects, whose fields depend on the type", () =>
    expectNames(
      operations.tags.objects.result,
      {
        data: [
          { type: "compute", data: { image: "compute/arch" } },
          { type: "volume", data: { compute_id: 1 } },
          { type: "domain", data: { soa_email: "compute" } },
        ],
      },
      {
        data: [
          { type: "linode", data: { image: "linode/arch" } },
          { type: "volume", data: { linode_id: 1 } },
          { type: "domain", data: { soa_email: "compute" } },
        ],
      },
    ));

  test("of capabilities of regions", () =>
    expectNames(
      operations.regions.view.result,
      { id: "us-east", capabilities: ["Computes", "NodeBalancers"] },
      { id: "us-east", capabilities: ["Linodes", "NodeBalancers"] },
    ));
});

describe("ids", () => {
  test("of images", () => {
    expectNames(
      operations.images.view.result,
      { id: "compute/debian11", label: "compute/debian11", created_by: "compute" },
      { id: "linode/debian11", label: "compute/debian11", created_by: "linode" },
    );
    expectNames(
      operations.instances.create.body,
      {
        image: "compute/debian11",
        label: "linode/debian11",
        stackscript_data: { image: "compute/debian11", compute_id: 1 },
      },
      {
        image: "linode/debian11",
        label: "linode/debian11",
        stackscript_data: { image: "compute/debian11", compute_id: 1 },
      },
    );
    expectNames(operations.instances.rebuild.body, { image: "private/12" }, { image: "private/12" });
  });

  test("of kernels", () =>
    expectNames(
      operations.instanceConfigs.create.body,
      { kernel: "compute/latest-64bit" },
      { kernel: "linode/latest-64bit" },
    ));
});

describe("filters", () => {
  test("have the names of fields, and values of enumerations and ids", () => {
    const entry = operations.events.list.result.shape.data.element;
    const own = {
      "+and": [{ action: "compute_boot" }, { "entity.type": { "+neq": "compute" } }],
      "+order_by": "entity.id",
    };
    const theirs = {
      "+and": [{ action: "linode_boot" }, { "entity.type": { "+neq": "linode" } }],
      "+order_by": "entity.id",
    };
    expect(linode.filter(entry, "to")(own)).toEqual(theirs);
    expect(linode.filter(entry, "from")(theirs)).toEqual(own);
  });

  test("have the names of fields in every place, and other values unchanged", () => {
    const entry = operations.networkingIps.list.result.shape.data.element;
    const own = { "+or": [{ compute_id: 12 }, { region: "compute" }], "+order_by": "compute_id", "+order": "desc" };
    const theirs = { "+or": [{ linode_id: 12 }, { region: "compute" }], "+order_by": "linode_id", "+order": "desc" };
    expect(linode.filter(entry, "to")(own)).toEqual(theirs);
    expect(linode.filter(entry, "from")(theirs)).toEqual(own);
  });
});

test.each([
  ["Compute busy.", "Linode busy."],
  ["Compute is not active", "Linode is not active"],
  ["it needs computes:read_write, ips:read_only", "it needs linodes:read_write, ips:read_only"],
  ["your user needs the grant add_computes", "your user needs the grant add_linodes"],
  ["Cannot filter on compute_id", "Cannot filter on linode_id"],
  [
    'There is no image "compute/x"; GET /v4/images lists them',
    'There is no image "linode/x"; GET /v4/images lists them',
  ],
  ["GET /v4/compute/types lists them", "GET /v4/linode/types lists them"],
  ["computes:read_only", "linodes:read_only"],
])("the message %s is %s", (own, theirs) => {
  expect(linode.text(own)).toBe(theirs);
  expect(linode.text(theirs)).toBe(own);
});

test.each(['"my-compute" is in use', "compute.example.com is unknown", "mail to admin@compute", "computer", "*"])(
  "the message %s has no names of the service",
  (text) => expect(linode.text(text)).toBe(text),
);

test("the fields of errors have the names of the request", () => {
  const { assign } = operations.networkingIps;
  expect(linode.field(assign.body, "assignments.0.compute_id")).toBe("assignments.0.linode_id");
  expect(linode.field(assign.body, "assignments.0.linode_id")).toBe("assignments.0.compute_id");
  expect(linode.field(operations.domains.create.body, "compute_id")).toBe("compute_id");
  expect(linode.field(undefined, "X-Filter")).toBe("X-Filter");
});

test("fields that the contract does not have are unchanged", () => {
  const { body } = operations.volumes.create;
  expect(linode.of(body, "to")?.({ compute_id: 1, linode_labels: { compute_id: "compute" } })).toEqual({
    linode_id: 1,
    linode_labels: { compute_id: "compute" },
  });
  expect(linode.of(operations.events.view.result, "from")?.({ action: "linode_poweroff" })).toEqual({
    action: "linode_poweroff",
  });
});
