import { expect, test as vitest } from "vitest";
import { table } from "../../../emulator/core/store";
import { type Cloud, cloud } from "../../contract/cloud";
import { fresh } from "../../fresh";

const test = vitest.extend("one", fresh(cloud));

/** An account with an instance, a volume, a domain with a record and a firewall, while their jobs are running. */
async function peopled(one: Cloud) {
  const { send } = one;
  const instance = { region: "us-east", type: "g6-nanode-1", image: "compute/debian11", root_pass: "Correct-Horse-42" };
  const { id } = (await send("POST /compute/instances", { body: instance })).body;
  one.settle();
  await send("POST /volumes", { body: { label: "data", compute_id: id } });
  const domain = (
    await send("POST /domains", { body: { domain: "example.org", type: "master", soa_email: "a@example.org" } })
  ).body;
  await send(`POST /domains/${domain.id}/records`, { body: { type: "A", name: "www", target: "192.0.2.1" } });
  const rules = { inbound_policy: "DROP", outbound_policy: "DROP" };
  await send("POST /networking/firewalls", { body: { label: "wall", rules, devices: { computes: [id] } } });
  return (await send("GET /_emulator/state")).body;
}

// biome-ignore lint/suspicious/noExplicitAny: tests make the state invalid in many ways
type State = any;

test.for<[string, (state: State) => void, string, string]>([
  ["of a newer version", (s) => (s.version = 2), "version", "Must be 1: version 2 was written by a newer emulator"],
  ["of version 0", (s) => (s.version = 0), "version", "Must be 1, the only version that this emulator supports"],
  ["without a version", (s) => delete s.version, "version", "Must be 1, the only version that this emulator supports"],
  ["with a field too many", (s) => (s.extra = 1), "extra", "Is not a known field"],
  ["without tables", (s) => delete s.tables, "tables", "Is required"],
  ["with a table that is a list", (s) => (s.tables.volumes = []), "tables.volumes", "Must be an object"],
  [
    "with an unknown table",
    (s) => (s.tables.foo = { next: 1, rows: [] }),
    "tables.foo",
    "There is no such table; expected",
  ],
  [
    "with a row that is not an object",
    (s) => (s.tables.volumes.rows = [1]),
    "tables.volumes.rows.0",
    "Must be an object",
  ],
  ["with a row without an id", (s) => delete s.tables.volumes.rows[0].id, "tables.volumes.rows.0.id", "Is required"],
  [
    "with an id twice",
    (s) => s.tables.volumes.rows.push(s.tables.volumes.rows[0]),
    "tables.volumes.rows.1.id",
    "Row 0 has the same id",
  ],
  [
    "with ids of two kinds",
    (s) => s.tables.domains.rows.push({ ...s.tables.domains.rows[0], id: "seven" }),
    "tables.domains.rows.1.id",
    "Must be a number, like the other ids of the table",
  ],
  [
    "with a time of another form",
    (s) => (s.tables.volumes.rows[0].created = "yesterday"),
    "tables.volumes.rows.0.created",
    "Must be a time like 2022-01-31T12:00:00",
  ],
  [
    "with a volume of an instance that is not there",
    (s) => (s.tables.volumes.rows[0].compute_id = 7),
    "tables.volumes.rows.0.compute_id",
    "There is no row 7 in the table instances",
  ],
  [
    "without a table that others refer to",
    (s) => delete s.tables.firewalls,
    "tables.firewallDevices.rows.0.firewall_id",
    "There is no row",
  ],
  [
    "with a region that is none",
    (s) => (s.tables.instances.rows[0].region = "atlantis"),
    "tables.instances.rows.0.region",
    'There is no row "atlantis" in the table regions',
  ],
  [
    "with a value outside the contract",
    (s) => (s.tables.volumes.rows[0].status = "lost"),
    "tables.volumes.rows.0.status",
    'Must be "creating"',
  ],
  ["with a field missing", (s) => delete s.tables.domains.rows[0].type, "tables.domains.rows.0.type", "Is required"],
  [
    "with an unknown task",
    (s) => (s.tables.timers.rows[0].task = "volumes.paint"),
    "tables.timers.rows.0.task",
    'There is no task "volumes.paint"',
  ],
  [
    "with a due time that is none",
    (s) => (s.tables.timers.rows[0].due = "soon"),
    "tables.timers.rows.0.due",
    "Must be a number",
  ],
])("rejects a snapshot %s completely", async ([_, spoil, field, reason], { one }) => {
  const state: State = await peopled(one);
  await one.send("DELETE /_emulator/requests");
  const before = (await one.send("GET /_emulator/state")).body;
  spoil(state);
  const { status, body } = await one.send("PUT /_emulator/state", { body: state });
  expect(status).toBe(400);
  const named = body.errors.find((error: { field: string }) => error.field === field);
  expect(named?.reason ?? body.errors).toContain(reason);
  expect((await one.send("GET /_emulator/state")).body).toEqual(before);
});

test("rejects a snapshot with __proto__ keys", async ({ one }) => {
  const text = JSON.stringify(await peopled(one)).replace('"label":"data"', '"label":"data","__proto__":{"a":1}');
  const { status, body } = await one.send("PUT /_emulator/state", { body: text });
  expect({ status, errors: body.errors }).toEqual({
    status: 400,
    errors: [{ field: "__proto__", reason: "Is not a known field" }],
  });
});

test("a valid snapshot is loaded and saved unchanged, and its jobs continue", async ({ one }) => {
  const state = await peopled(one);
  await using two = await cloud({ load: state });
  expect((await two.send("GET /_emulator/state")).body).toEqual(state);
  for (const account of [one, two]) account.settle();
  expect((await two.send("GET /_emulator/state")).body).toEqual((await one.send("GET /_emulator/state")).body);
});

test.each([1, 2, 3, 4])("loads an account whose ids were generated by other tables (seed %i)", async (seed) => {
  await using one = await cloud({ seed });
  await one.send("POST /account/settings/managed-enable");
  const instance = { region: "us-east", type: "g6-nanode-1" };
  const { id } = (await one.send("POST /compute/instances", { body: instance })).body;
  await one.send(`PUT /managed/compute-settings/${id}`, { body: { ssh: { access: false } } });
  const state = (await one.send("GET /_emulator/state")).body;
  expect(state.tables.managedComputeSettings.rows).toHaveLength(1);
  expect((await one.send("PUT /_emulator/state", { body: state })).status).toBe(200);
});

test("increases a next id that is already used in the snapshot", async ({ one }) => {
  const state = await peopled(one);
  const taken = state.tables.volumes.rows[0].id;
  state.tables.volumes.next = 7;
  expect((await one.send("PUT /_emulator/state", { body: state })).status).toBe(200);
  expect(one.world.volumes.next).toBe(taken + 1);
});

vitest("an earlier snapshot can be loaded again and again without exceeding a rate limit", async () => {
  await using one = await cloud({ rateLimits: true });
  const state = (await one.send("GET /_emulator/state")).body;
  one.advance(3_600_000);
  const accept = async () => (await one.send("POST /account/entity-transfers/none/accept")).status;
  expect([await accept(), await accept(), await accept()]).toEqual([404, 404, 429]);
  for (let at = 0; at < 3; at++) {
    expect((await one.send("PUT /_emulator/state", { body: state })).status).toBe(200);
    expect(await accept()).toBe(404);
  }
});

test("converts the euuid of an older snapshot to the current format", async ({ one }) => {
  const state = await peopled(one);
  state.tables.account.rows[0].euuid = "63b09d26-1efb-4a98-81f9-5c5d96cca763";
  expect((await one.send("PUT /_emulator/state", { body: state })).status).toBe(200);
  expect((await one.send("GET /account")).body.euuid).toBe("63b09d26-1efb-4a98-81f95c5d96cca763");
});

test("jobs, events and uploads of an older snapshot have the names of today", async () => {
  await using one = await cloud({ pace: "stepped", seed: 1 });
  one.faults.add({ path: "images.upload", kind: "job-fail" });
  await one.send("POST /images/upload", { body: { label: "golden", region: "us-east" } });
  await one.send("POST /volumes", { body: { label: "data", region: "us-east" } });
  const state = (await one.send("GET /_emulator/state")).body;
  const older = structuredClone(state);
  const rename = (row: Record<string, unknown>, from: string, to: string) => {
    expect(row).toHaveProperty(from);
    row[to] = row[from];
    delete row[from];
  };
  for (const job of older.tables.jobs.rows) rename(job, "ending", "fate");
  for (const event of older.tables.events.rows) rename(event, "started", "begun");
  for (const { upload } of older.tables.imageOrigins.rows) if (upload) rename(upload, "ending", "fate");
  expect(older.tables.jobs.rows).not.toEqual([]);
  await using two = await cloud({ load: older });
  expect((await two.send("GET /_emulator/state")).body).toEqual(state);
});

test("loads a snapshot of several megabytes", async ({ one }) => {
  const state = await peopled(one);
  const [record] = state.tables.domainRecords.rows;
  const from = state.tables.domainRecords.next;
  for (let at = 0; at < 20_000; at++) state.tables.domainRecords.rows.push({ ...record, id: from + at });
  state.tables.domainRecords.next = from + 20_000;
  expect((await one.send("PUT /_emulator/state", { body: state })).status).toBe(200);
  expect(one.world.domainRecords.size).toBe(20_001);
});

/** The tables whose rows refer to rows of other tables, with the fields that do. */
const references: Record<string, Record<string, string>> = {
  addressShares: { address: "addresses", compute_id: "instances" },
  addresses: { compute_id: "instances", region: "regions" },
  balancerAddresses: { nodebalancer_id: "nodeBalancers" },
  disks: { compute_id: "instances" },
  domainRecords: { domain_id: "domains" },
  firewallDevices: { compute_id: "instances", firewall_id: "firewalls" },
  imageOrigins: { disk_id: "disks" },
  instanceBackups: { compute_id: "instances" },
  instanceConfigs: { compute_id: "instances" },
  instances: { region: "regions", type: "types" },
  invoiceItems: { invoice_id: "invoices" },
  ipv6Ranges: { compute_id: "instances" },
  jobs: { compute_id: "instances", timer_id: "timers" },
  lkeClusters: { region: "regions" },
  lkeNodes: { cluster_id: "lkeClusters", pool_id: "lkePools" },
  lkePools: { cluster_id: "lkeClusters", type: "types" },
  managedComputeSettings: { id: "instances" },
  nodeBalancerConfigs: { nodebalancer_id: "nodeBalancers" },
  nodeBalancerNodes: { config_id: "nodeBalancerConfigs", ip: "addresses", nodebalancer_id: "nodeBalancers" },
  nodeBalancers: { region: "regions" },
  objectStorageBuckets: { cluster: "objectStorageClusters" },
  objectStorageContents: { id: "objectStorageObjects" },
  objectStorageObjects: { bucket_id: "objectStorageBuckets" },
  tokens: { username: "users" },
  vlanAttachments: { compute_id: "instances", vlan_id: "vlans" },
  vlans: { region: "regions" },
  volumes: { compute_id: "instances", region: "regions" },
};

test.for(Object.entries(references))(
  "rejects a snapshot without what the rows of %s refer to",
  async ([name, fields], { one }) => {
    const state = (await one.send("GET /_emulator/state")).body;
    const row = { id: "gone", ...Object.fromEntries(Object.keys(fields).map((field) => [field, "gone"])) };
    const tables = { [name]: { next: 1, rows: [row] } };
    const { status, body } = await one.send("PUT /_emulator/state", { body: { ...state, tables } });
    const expected = Object.entries(fields).map(([field, to]) => ({
      field: `tables.${name}.rows.0.${field}`,
      reason: `There is no row "gone" in the table ${to}`,
    }));
    expect({ status, errors: body.errors }).toEqual({ status: 400, errors: expect.arrayContaining(expected) });
  },
);

test("no other fields refer to rows of other tables, and these tables exist", ({ one }) => {
  const { tables } = one.world;
  const declared = [...tables.values()].flatMap(({ name, spec: { refs } }) => (refs ? [[name, refs]] : []));
  expect(Object.fromEntries(declared)).toEqual(references);
  for (const to of Object.values(references).flatMap(Object.values)) expect(tables.has(to), to).toBe(true);
});

test("a table without a specification consists of its rows", () => {
  expect(table([{ id: "a" }])).toEqual({ rows: [{ id: "a" }] });
});
