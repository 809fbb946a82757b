import { describe, expect, test } from "vitest";
import { z } from "zod";
import { contentTypeOf, fieldsOf, layersOf } from "../../api";
import { cloud } from "./cloud";
import { machine } from "./compute/instance";
import { ABSENT, changed, type Path } from "./matrix/bad";
import { type Call, calls, outcome } from "./matrix/calls";

type Schema = z.core.$ZodType;

/** The paths of all fields in a request body that may be omitted and whose schema does not accept null. */
function* optional(schema: Schema, path: Path = []): Iterable<Path> {
  const { inner } = layersOf(schema);
  if (inner instanceof z.core.$ZodArray) yield* optional(inner._zod.def.element, [...path, 0]);
  if (!(inner instanceof z.core.$ZodObject)) return;
  for (const [name, field] of Object.entries(fieldsOf(inner))) {
    const takes = (value: unknown) => z.safeParse(field, value).success;
    if (takes(undefined) && !takes(null)) yield [...path, name];
    yield* optional(field, [...path, name]);
  }
}

/**
 * Fields that are optional in the schema but required in the tested request by another rule: for example, a record of
 * type A needs a `target`. The request fails if they are omitted or null.
 */
const needed = new Set([
  "domainRecords.create target",
  "domains.create soa_email",
  "firewalls.create rules.inbound.0.ports",
  "firewalls.create rules.outbound.0.ports",
  "firewalls.updateRules inbound.0.ports",
  "firewalls.updateRules outbound.0.ports",
  "instanceBackups.restore overwrite",
  "instanceDisks.create label",
  "instances.create root_pass",
  "instances.clone region",
  "instances.clone type",
  "lkeClusters.create node_pools.0.autoscaler.max",
  "lkeClusters.create node_pools.0.autoscaler.min",
  "lkePools.create autoscaler.max",
  "lkePools.create autoscaler.min",
  "nodeBalancerConfigs.create protocol",
  "nodeBalancerConfigs.create check_body",
  "nodeBalancerConfigs.rebuild nodes.0.label",
  "nodeBalancerConfigs.rebuild nodes.0.address",
  "nodeBalancers.create configs.0.check_body",
  "objectStorageObjects.createUrl content_type",
  "payments.make cvv",
  "volumes.create region",
]);

const called = calls.flatMap((call) => {
  const { body } = call.operation;
  const paths = body && !contentTypeOf(body) ? [...optional(body)] : [];
  const fields = paths.map((path) => ({ field: path.join("."), path }));
  return fields.length > 0 ? [{ ...call, fields }] : [];
});

/** The outcome of the operation's valid request with one field changed. */
const outcomeWith = (call: Call, path: Path, value: unknown) =>
  outcome(call, (input) => ({ ...input, body: changed(input.body ?? {}, path, value) }));

test("detects which fields are nullable", () => {
  const found = called.flatMap(({ name, fields }) => fields.map(({ field }) => `${name} ${field}`));
  expect(found).toEqual(
    expect.arrayContaining([
      "volumes.create compute_id",
      "volumes.create config_id",
      "volumes.create tags",
      "volumes.update tags",
      "volumes.attach config_id",
      "domains.create master_ips",
      "domains.update axfr_ips",
      "domains.create group",
      "instances.create interfaces",
      "instances.clone disks",
      "instances.boot config_id",
      "instances.rescue devices.sda",
      "instanceConfigs.create devices.sdb",
      "firewalls.create rules.outbound",
      "firewalls.create rules.inbound.0.description",
      "images.create description",
      "lkeClusters.create node_pools.0.disks",
      "objectStorageObjects.createUrl expires_in",
      ...needed,
    ]),
  );
});

describe.each(called)("$name", (one) => {
  test.each(one.fields)("null for $field means that it is omitted", async ({ field, path }) => {
    const absent = await outcomeWith(one, path, ABSENT);
    expect([absent.status, absent.body.errors]).toEqual(
      needed.has(`${one.name} ${field}`) ? [400, expect.anything()] : [200, undefined],
    );
    expect(await outcomeWith(one, path, null)).toEqual(absent);
  });
});

test("null for an unknown field means that it is omitted, at any depth", async () => {
  await using one = await cloud();
  const web = await machine(one);
  const [config] = await web.list("configs");
  expect(await web.request(`PUT /configs/${config.id}`, { comments: "why", init_rd: null })).toMatchObject({
    comments: "why",
  });
  expect(await web.request("PUT ", { alerts: { cpu: 50, memory: null } })).toMatchObject({ alerts: { cpu: 50 } });
  expect(await web.rejected(`PUT /configs/${config.id}`, { init_rd: 1 })).toEqual(["init_rd: Is not a known field"]);
});
