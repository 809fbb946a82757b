import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { namedOperations, operations, pathText } from "../../../api";
import { call } from "../../../provider/functions/call";
import { type Checked, checked, InputError } from "../../../provider/functions/check";
import { functions, isReading, type ReadFunction } from "../../../provider/functions/functions";
import { exceptions, ruledName } from "../../../provider/functions/names";
import { functionsOf, type PackageSchema } from "../../../tools/generate/model";

const all = namedOperations(operations);
const named = new Map(functions.map((one) => [one.name, one]));

test("every operation that only reads is a function with a unique name", () => {
  const reading = all.filter(({ name, operation }) => operation.method === "GET" || isReading({ name, operation }));
  expect(functions.map(({ area, key }) => `${area}.${key}`)).toEqual(reading.map(({ name }) => name));
  expect(named.size).toBe(functions.length);
  for (const name of named.keys()) expect(name).toMatch(/^(get|list)[A-Z][a-zA-Z0-9]+$/);
});

test.each([
  ["volumes.view", "getVolume"],
  ["volumes.list", "listVolumes"],
  ["instanceConfigs.view", "getInstanceConfig"],
  ["instanceConfigs.list", "listInstanceConfigs"],
  ["lkeClusters.viewKubeconfig", "getLkeKubeconfig"],
  ["lkePools.list", "listLkeNodePools"],
  ["instances.stats", "getInstanceStats"],
  ["instances.monthTransfer", "getInstanceMonthTransfer"],
  ["instances.nodeBalancers", "listInstanceNodeBalancers"],
  ["instanceAddresses.list", "getInstanceIps"],
  ["instanceBackups.list", "getInstanceBackups"],
  ["domains.zoneFile", "getDomainZoneFile"],
  ["firewalls.viewRules", "getFirewallRules"],
  ["events.list", "listEvents"],
  ["invoices.list", "listInvoices"],
  ["invoices.listItems", "listInvoiceItems"],
  ["networkingIps.list", "listIpAddresses"],
  ["objectStorageObjects.list", "listObjectStorageObjects"],
  ["objectStorageObjects.createUrl", "getObjectUrl"],
  ["types.view", "getInstanceType"],
  ["account.view", "getAccount"],
])("%s becomes %s", (operation, name) => {
  const { area, key } = named.get(name) as ReadFunction;
  expect(`${area}.${key}`).toBe(operation);
});

test("exceptions differ from the derived names", () => {
  for (const { name, area, key, operation } of all.filter(isReading)) {
    const exception = (exceptions as Readonly<Record<string, string>>)[name];
    if (exception) expect(exception).not.toBe(ruledName(area, key, operation));
  }
});

const schema: PackageSchema = JSON.parse(readFileSync(join(__dirname, "../../../schema.json"), "utf8"));

test("the schema contains all functions, with secrets marked", () => {
  expect(
    functionsOf(schema)
      .map(([token]) => token)
      .sort(),
  ).toEqual([...named.keys()].map((name) => `cloudinfra:index:${name}`).sort());
  const { inputs, outputs } = schema.functions["cloudinfra:index:getVolume"] ?? {};
  expect(Object.keys(inputs?.properties ?? {})).toEqual(["volumeId", "label"]);
  expect(outputs?.properties).toMatchObject({ id: { type: "string" }, size: { type: "integer" } });
  const keys = schema.functions["cloudinfra:index:listObjectStorageKeys"]?.outputs;
  expect(keys).toMatchObject({ properties: { objectStorageKeys: { secret: true } } });
  expect(schema.types["cloudinfra:index:LkeKubeconfigResult"]).toMatchObject({
    properties: { kubeconfig: { secret: true }, endpoint: { type: "string" }, caCertificate: { secret: true } },
  });
});

const read = (name: string, args: unknown): Checked => checked(named.get(name) as ReadFunction, args);

function problemsOf(name: string, args: unknown): readonly string[] {
  try {
    read(name, args);
    return [];
  } catch (error) {
    return (error as InputError).problems.map(({ path, reason }) => `${pathText(path)} ${reason}`.trim());
  }
}

test("accepts ids as numbers or texts, alone or with the ids of parents", () => {
  expect(read("getVolume", { volumeId: "7" }).inputs).toEqual({ volumeId: 7 });
  expect(read("getInstanceConfig", { computeId: "7", configId: "7/12" }).inputs).toEqual({
    computeId: 7,
    configId: 12,
  });
  expect(read("getInstanceConfig", { configId: "7/12" }).inputs).toEqual({ computeId: 7, configId: 12 });
  expect(read("getImage", { imageId: "compute/debian11" }).inputs).toEqual({ imageId: "compute/debian11" });
  expect(problemsOf("getInstanceConfig", { computeId: 8, configId: "7/12" })).toEqual([
    'configId "7/12" does not belong to computeId 8',
  ]);
});

test("accepts the ids of nested resources in every argument of a path, and rejects parents that differ", () => {
  const inputs = { nodeBalancerId: 7, configId: 12, nodeId: 55 };
  for (const args of [
    { nodeBalancerId: "7", configId: "7/12", nodeId: "7/12/55" },
    { nodeBalancerId: 7, configId: "7/12", nodeId: 55 },
    { nodeBalancerId: "7", configId: 12, nodeId: "7/12/55" },
    { configId: "7/12", nodeId: "55" },
    { nodeId: "7/12/55" },
  ])
    expect(read("getNodeBalancerNode", args).inputs).toEqual(inputs);
  expect(read("listNodeBalancerNodes", { nodeBalancerId: 7, configId: "7/12" }).inputs).toEqual({
    nodeBalancerId: 7,
    configId: 12,
  });
  expect(problemsOf("getNodeBalancerNode", { nodeBalancerId: 8, configId: "7/12", nodeId: "7/13/55" })).toEqual([
    'configId "7/12" does not belong to nodeBalancerId 8',
    'nodeId "7/13/55" does not belong to nodeBalancerId 8',
    'nodeId "7/13/55" does not belong to configId "7/12"',
  ]);
  expect(problemsOf("getNodeBalancerNode", { configId: "8/12", nodeId: "7/12/55" })).toEqual([
    'nodeId "7/12/55" does not belong to configId "8/12"',
  ]);
  expect(problemsOf("getNodeBalancerNode", { nodeBalancerId: 7, configId: "7/12/55", nodeId: 55 })).toEqual([
    'configId must be a number (given "7/12/55")',
  ]);
});

test("sends a filter in the API's form", () => {
  const filter = {
    entityId: "7",
    created: { gte: "2024-01-01T00:00:00", neq: undefined },
    or: [{ action: "volume_create" }, { and: [{ entityType: "volume" }] }],
  };
  expect(read("listEvents", { filter, orderBy: "entityId", descending: true }).filter).toEqual({
    "entity.id": 7,
    created: { "+gte": "2024-01-01T00:00:00" },
    "+or": [{ action: "volume_create" }, { "+and": [{ "entity.type": "volume" }] }],
    "+order_by": "entity.id",
    "+order": "desc",
  });
  expect(read("listVolumes", {}).filter).toBeUndefined();
});

test("filters a list by a list of objects under the list's name, with the value of one of their fields", () => {
  const filter = { interfaces: { contains: "inner" } };
  expect(read("listInstanceConfigs", { computeId: 7, filter, orderBy: "interfaces" }).filter).toEqual({
    interfaces: { "+contains": "inner" },
    "+order_by": "interfaces",
  });
  expect(problemsOf("listInstanceConfigs", { computeId: 7, filter: { interfaces: 7 } })).toEqual([
    "filter.interfaces must be a string (given 7)",
  ]);
});

test("a list whose entries have no id is only descending by a field", () => {
  expect(() => read("listIpAddresses", { descending: true })).toThrow("descending requires orderBy, which can be ");
  expect(() => read("listIpAddresses", { orderBy: "id" })).toThrow(/orderBy must be .*computeId.*\(given "id"\)/);
  const order = { "+order_by": "compute_id", "+order": "desc" };
  expect(read("listIpAddresses", { orderBy: "computeId", descending: true }).filter).toEqual(order);
});

test("a descending list is sorted by id unless a field is given", () => {
  expect(read("listVolumes", { descending: true }).filter).toEqual({ "+order_by": "id", "+order": "desc" });
});

test.each([
  ["getVolume", {}, ["volumeId is required unless label is set"]],
  ["getVolume", { volumeId: 1, label: "a" }, ['label cannot be set together with volumeId (given "a")']],
  ["getVolume", { volumeId: "one" }, ['volumeId must be a number (given "one")']],
  ["getVolume", { volumeId: 0 }, ["volumeId must be at least 1 (given 0)"]],
  [
    "getVolume",
    { volumeID: 1 },
    ['volumeID is not a known field; did you mean "volumeId"?', "volumeId is required unless label is set"],
  ],
  ["getVolume", 7, ["must be called with an object"]],
  ["getAccount", { of: "me" }, ["of is not a known field"]],
  [
    "getInstanceMonthStats",
    { computeId: -1, year: 1999, month: "13" },
    [
      "computeId must be at least 1 (given -1)",
      "year must be at least 2000 (given 1999)",
      "month must be at most 12 (given 13)",
    ],
  ],
  [
    "listVolumes",
    { filter: { labl: "a", tags: 7, size: 1 }, order_by: "label", descending: "yes" },
    [
      'order_by is not a known field; did you mean "orderBy"?',
      'descending must be true or false (given "yes")',
      'filter.labl is not a filterable field; did you mean "label"?',
      "filter.tags must be a string (given 7)",
      "filter.size is not a filterable field; expected one of label, tags, and, or",
    ],
  ],
  [
    "listEvents",
    {
      filter: { action: "volume_crate", created: { after: "2024" }, or: { id: 1 }, and: [{ id: { gt: "x" } }] },
      orderBy: "statu",
    },
    [
      expect.stringMatching(
        /^orderBy must be "id", "action", "created", "entityId" or "entityType" \(given "statu"\)$/,
      ),
      expect.stringMatching(
        /^filter\.action is not a valid value for this field; did you mean "volume_create"\? \(given "volume_crate"\)$/,
      ),
      "filter.created.after is not a filterable field; expected one of neq, gt, gte, lt, lte, contains",
      'filter.or must be a list of filters (given {"id":1})',
      'filter.and[0].id.gt must be a number (given "x")',
    ],
  ],
  ["listVolumes", { filter: "label" }, ['filter must be an object (given "label")']],
  [
    "getObjectUrl",
    { clusterId: "us-east-1", bucket: "photos", name: "cat.png", method: "PUT" },
    ["contentType is required for PUT; it can be omitted only for GET and DELETE"],
  ],
])("%s(%j) reports all problems at once", (name, args, problems) => {
  expect(problemsOf(name, args)).toEqual(problems);
});

test("one problem is on the same line, and several have a line each", () => {
  const at = (name: string) => ({ path: [name], reason: "is odd" });
  expect(new InputError("getVolume", [{ path: ["volumeId"], reason: "is required" }]).message).toBe(
    "getVolume: volumeId is required",
  );
  expect(new InputError("getVolume", [at("a"), at("b")]).message).toBe("getVolume:\n  a is odd\n  b is odd");
});

test("a list whose markers repeat is an error, and not a request without end", async () => {
  const fn = named.get("listObjectStorageObjects") as ReadFunction;
  const next: Record<string, string> = { "": "b", b: "c", c: "b" };
  let calls = 0;
  const list = async ({ query }: { query: { marker?: string } }) => {
    if (++calls > 9) throw new Error("no end");
    return { data: [], next_marker: next[query.marker ?? ""] };
  };
  const listed = call(fn, { objectStorageObjects: { list } } as never, { clusterId: "us-east-1", bucket: "photos" });
  await expect(listed).rejects.toThrow(
    'listObjectStorageObjects: the list has no end: the service returned the marker "b" twice',
  );
});
