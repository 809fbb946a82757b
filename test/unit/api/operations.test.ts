import { describe, expect, test } from "vitest";
import { z } from "zod";
import * as api from "../../../api";

const all = Object.entries(api.operations as Record<string, api.Area>).flatMap(([area, operations]) =>
  Object.entries(operations).map(([name, operation]) => ({ name: `${area}.${name}`, operation })),
);

/** All fields of a schema, at any depth, with their paths. */
function fields(schema: z.core.$ZodType, path = ""): [path: string, field: z.core.$ZodType][] {
  const inner = api.unwrapped(schema);
  if (inner !== schema) return fields(inner, path);
  if (schema instanceof z.core.$ZodArray) return fields(schema._zod.def.element, `${path}[]`);
  return Object.entries(api.fieldsOf(schema)).flatMap(([name, field]) => {
    const at = path ? `${path}.${name}` : name;
    return [[at, field] as [string, z.core.$ZodType], ...fields(field, at)];
  });
}

describe("operations", () => {
  test("have a method and path of their own", () => {
    const places = all.map(({ operation: { method, path } }) => `${method} ${path}`);
    expect(places.filter((place, i) => places.indexOf(place) !== i)).toEqual([]);
  });

  test.each(all)("$name is well formed", ({ operation }) => {
    const { summary, method, path, params = {}, source } = operation;
    expect(summary).toMatch(/^[A-Z].*\.$/);
    expect(source).toMatch(/^part [123] · /);
    expect(Object.keys(params).filter((name) => !api.pathNames(path).includes(name))).toEqual([]);
    expect(method === "GET" && "body" in operation).toBe(false);
  });

  test("that list have paging parameters", () => {
    const lists = all.filter(({ operation }) => "results" in api.fieldsOf(operation.result));
    expect(lists.filter(({ operation }) => operation.query !== api.Paging).map(({ name }) => name)).toEqual([]);
  });

  test("that only read require read_only scopes, with the exceptions in the documents", () => {
    const eager = all.filter(
      ({ operation: { method, scopes } }) => method === "GET" && scopes.some((scope) => scope.endsWith(":read_write")),
    );
    expect(eager.map(({ name }) => name)).toEqual([
      "lkeClusters.viewKubeconfig",
      "lkeNodes.view",
      "managedContacts.view",
      "managedCredentials.view",
      "nodeBalancerNodes.view",
    ]);
  });

  test("that change something require read_write scopes, with the exceptions in the documents", () => {
    const lax = all.filter(
      ({ operation: { method, scopes } }) => method !== "GET" && !scopes.some((scope) => scope.endsWith(":read_write")),
    );
    expect(lax.map(({ name }) => name)).toEqual([
      "account.addPromoCredit",
      "events.markRead",
      "events.markSeen",
      "paymentMethods.delete",
    ]);
  });

  test("that update leave omitted fields unchanged", () => {
    const updates = all.filter(
      ({ operation: { method, body } }) => method === "PUT" && !(body && api.contentTypeOf(body)),
    );
    const parsed = updates.map(({ name, operation }) => ({ name, ...z.safeParse(operation.body ?? api.Empty, {}) }));
    for (const { name, success, data } of parsed) if (success) expect(data, name).toEqual({});
    // Of all update operations, only `objectStorageObjects.updateAcl` has required body fields, because the API
    // documentation says that each of its requests must contain all fields.
    const demanding = parsed.filter(({ success }) => !success).map(({ name }) => name);
    expect(demanding).toEqual(["objectStorageObjects.updateAcl"]);
  });

  test("reject unknown fields at every depth", () => {
    const loose = all
      .flatMap(({ name, operation: { body } }) => (body ? [[name, body] as const, ...fields(body)] : []))
      .filter(([, schema]) => {
        const inner = api.innerOf(schema);
        return inner instanceof z.core.$ZodObject && inner._zod.def.catchall?._zod.def.type !== "never";
      });
    expect(loose.map(([path]) => path)).toEqual([]);
  });

  test("describe every field that a caller can send", () => {
    const bodies = all.flatMap(({ name, operation: { body } }) =>
      body ? fields(body).map(([path, field]) => [`${name}: ${path}`, field] as const) : [],
    );
    const mute = bodies.filter(
      ([, field]) => !api.metaOf(field).description && !(api.innerOf(field) instanceof z.core.$ZodEnum),
    );
    expect(mute.map(([path]) => path)).toEqual([]);
  });

  test("have secret fields marked", () => {
    const secrets = all.flatMap(({ operation: { body, result } }) =>
      [body, result]
        .flatMap((schema) => (schema ? fields(schema) : []))
        .filter(([, field]) => api.metaOf(field).secret),
    );
    expect([...new Set(secrets.map(([path]) => path.replace(/^.*\./, "")))].sort()).toEqual([
      "card_number",
      "cvv",
      "kubeconfig",
      "password",
      "private_key",
      "root_pass",
      "secret",
      "secret_key",
      "ssl_cert",
      "ssl_key",
      "stackscript_data",
      "token",
      "upload_to",
      "url",
      "username",
    ]);
  });
});

/** Fields by which the real API can filter lists, to compare them with the schemas in `api/`. */
const filterable: [name: string, record: z.core.$ZodType, fields: string][] = [
  ["Account", api.Account, ""],
  ["DomainRecord", api.DomainRecord, "tag"],
  ["Domain", api.Domain, "domain group tags"],
  ["Event", api.Event, "id action created entity.id entity.type"],
  ["FirewallDevice", api.FirewallDevice, "id created updated"],
  ["Firewall", api.Firewall, "id label tags created updated"],
  ["Image", api.Image, "label type is_public deprecated vendor size"],
  ["Backup", api.Backup, ""],
  ["InstanceConfig", api.InstanceConfig, "label interfaces[].label"],
  ["Disk", api.Disk, "label size"],
  ["Instance", api.Instance, "id label group region image ipv4 tags"],
  ["Invoice", api.Invoice, ""],
  ["InvoiceItem", api.InvoiceItem, ""],
  ["IPAddress", api.IPAddress, "region"],
  ["IPv6Pool", api.IPv6Pool, "region"],
  ["IPv6Range", api.IPv6Range, ""],
  ["Kernel", api.Kernel, "label version architecture kvm xen pvops deprecated"],
  ["LkeCluster", api.LkeCluster, "tags"],
  ["LkePool", api.LkePool, "id tags"],
  ["LkeVersion", api.LkeVersion, ""],
  ["Login", api.Login, ""],
  ["Maintenance", api.Maintenance, "type status when"],
  ["Notification", api.Notification, ""],
  ["ManagedComputeSettings", api.ManagedComputeSettings, ""],
  ["ManagedContact", api.ManagedContact, "group"],
  ["ManagedCredential", api.ManagedCredential, ""],
  ["ManagedIssue", api.ManagedIssue, ""],
  ["ManagedService", api.ManagedService, ""],
  ["OAuthClient", api.OAuthClient, "label public"],
  ["EntityTransfer", api.EntityTransfer, "status is_sender"],
  ["NodeBalancerConfig", api.NodeBalancerConfig, ""],
  ["NodeBalancerNode", api.NodeBalancerNode, ""],
  ["NodeBalancer", api.NodeBalancer, "label region ipv4 tags"],
  ["ObjectStorageBucket", api.ObjectStorageBucket, ""],
  ["ObjectStorageCluster", api.ObjectStorageCluster, ""],
  ["ObjectStorageKey", api.ObjectStorageKey, ""],
  ["ObjectStorageObject", api.ObjectStorageObject, ""],
  ["Payment", api.Payment, ""],
  ["PaymentMethod", api.PaymentMethod, ""],
  ["Region", api.Region, ""],
  ["InstanceType", api.InstanceType, "label class disk memory vcpus gpus network_out transfer"],
  ["Vlan", api.Vlan, "label region"],
  ["Volume", api.Volume, "label tags"],
];

/**
 * Fields by which recorded requests to the service filter, although the published contract does not mark them. The
 * service takes these filters, so clients that send them must not fail.
 */
const recorded: Record<string, readonly string[]> = {
  DomainRecord: ["name"],
  IPAddress: ["compute_id"],
  IPv6Range: ["region"],
  InstanceConfig: ["interfaces"],
};

test.each(filterable)("%s can be filtered by the published and the recorded fields", (name, record, names) => {
  const found = fields(record).filter(
    ([path, field]) => api.metaOf(field).filterable && !path.startsWith("secondary_entity"),
  );
  const published = names.split(" ").filter(Boolean);
  expect(found.map(([path]) => path).sort()).toEqual([...published, ...(recorded[name] ?? [])].sort());
});

test("metadata is found through all wrappers of a field", () => {
  expect(api.metaOf(api.InstanceRebuild.shape.root_pass).secret).toBe(true);
  expect(api.metaOf(api.InstanceConfigCreate.shape.kernel).catalogue).toBe("kernels");
  expect(api.metaOf(api.operations.images.view.params.imageId)).toMatchObject({ catalogue: "images", slashes: true });
});
