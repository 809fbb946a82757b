import { expect, test } from "vitest";
import { fieldsOf, metaOf, type Operation } from "../../api";
import { other } from "./matrix/calls";
import { freshAccount } from "./matrix/plan";
import { fieldsIn } from "./matrix/request";
import { type Row, updates, viewed } from "./matrix/updates";

/**
 * The paths of all fields of a response that an update does not accept. Fields that the service itself changes, such as
 * a status, are omitted.
 */
function readOnly(body: Operation["result"], result: Operation["result"], row: Row, path: string[] = []): string[][] {
  return Object.entries(row).flatMap(([name, value]): string[][] => {
    const [settable, field] = [fieldsOf(body)[name], fieldsOf(result)[name] as Operation["result"]];
    const at = [...path, name];
    if (!settable) return metaOf(field).volatile ? [] : [at];
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? readOnly(settable, field, value as Row, at)
      : [];
  });
}

const nested = (path: readonly string[], value: unknown): Row =>
  path.reduceRight<unknown>((inner, name) => ({ [name]: inner }), value) as Row;
const inside = (row: unknown, path: readonly string[]): unknown =>
  path.reduce((value, name) => (value as Row)[name], row);

const fixed = updates.filter(({ name }) => name !== "firewalls.updateRules");

test.each(fixed)("$name rejects a changed read-only field, and reports that it is read-only", async (one) => {
  const { update, view } = one;
  await using it = await viewed(one);
  const { before, planned } = it;
  const fields = readOnly(update.body as Operation["result"], view.result, before);
  expect(fields.length).toBeGreaterThan(0);
  for (const field of fields) {
    const rejected = await it.put({ ...planned, ...nested(field, other(inside(before, field))) });
    expect([field, rejected.status]).toEqual([field, 400]);
    expect(rejected.body.errors).toEqual([
      {
        field: field.join("."),
        reason: expect.stringMatching(/^Is read-only: omit it or send it unchanged/),
      },
    ]);
  }
  expect(await it.look()).toEqual(before);
});

test("reports all errors at once, read-only fields first", async () => {
  await using created = await freshAccount();
  const { id } = await created.api.volumes.create({ body: { label: "data", region: "us-east" } });
  const rejected = await created.send(`PUT /volumes/${id}`, {
    body: { label: "-", size: 40, region: "moon", colour: 1 },
  });
  expect(rejected.status).toBe(400);
  expect(fieldsIn(rejected)).toEqual(["size", "region", "label", "colour"]);
  expect(rejected.body.errors[0].reason).toBe("Is read-only: omit it or send it unchanged (20)");
  expect(rejected.body.errors[3].reason).toBe("Is not a known field");
});

test("ignores any valid value of a volatile field", async () => {
  await using created = await freshAccount();
  const { id } = await created.api.volumes.create({ body: { label: "data", region: "us-east" } });
  const put = (body: object) => created.send(`PUT /volumes/${id}`, { body });
  expect((await put({ updated: "2001-01-01T00:00:00" })).status).toBe(200);
  expect((await put({ updated: "yesterday" })).body.errors).toMatchObject([{ field: "updated" }]);
});

test("null for a read-only field that is not nullable means that it is omitted", async () => {
  await using created = await freshAccount();
  const computeId = (await created.api.instances.create({ body: { region: "us-east", type: "g6-nanode-1" } })).id;
  await created.api.instanceConfigs.create({ path: { computeId }, body: { label: "main", devices: {} } });
  const { id } = await created.api.volumes.create({ body: { label: "data", compute_id: computeId } });
  const put = (body: object) => created.send(`PUT /volumes/${id}`, { body });
  expect((await put({ region: null, id: null, created: null })).status).toBe(200);
  expect((await put({ compute_id: null })).body.errors).toEqual([
    { field: "compute_id", reason: `Is read-only: omit it or send it unchanged (${computeId})` },
  ]);
});
