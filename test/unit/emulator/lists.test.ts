import fc from "fast-check";
import { expect, test } from "vitest";
import { z } from "zod";
import { Heap } from "../../../emulator/core/heap";
import { type Row, Table, table } from "../../../emulator/core/store";
import { readFilter } from "../../../emulator/http/filter";
import { queryList } from "../../../emulator/http/list-query";

interface Item extends Row {
  id: number;
  label: string;
  tags: readonly string[];
  owner: { id: number | null };
  parts: readonly { name: string }[];
}

const entry = z.object({
  id: z.int(),
  label: z.string().meta({ filterable: true }),
  tags: z.array(z.string()).meta({ filterable: true }),
  owner: z.object({ id: z.int().nullable().meta({ filterable: true }) }),
  parts: z.array(z.object({ name: z.string().meta({ filterable: true }) })).meta({ filterable: true }),
});

const label = fc.constantFrom("a", "b", "c");
const item = fc.record({
  label,
  tags: fc.array(label, { maxLength: 3 }),
  owner: fc.record({ id: fc.constantFrom(1, 2, null) }),
  parts: fc.array(fc.record({ name: label }), { maxLength: 2 }),
});
const step = fc.oneof(
  fc.record({ kind: fc.constant("insert" as const), item }),
  fc.record({ kind: fc.constant("patch" as const), item, at: fc.nat() }),
  fc.record({ kind: fc.constant("remove" as const), at: fc.nat() }),
);
const equality = fc.oneof(
  fc.record({ label }),
  fc.record({ tags: label }),
  fc.record({ "owner.id": fc.constantFrom(1, 2, null) }),
  fc.record({ parts: label }),
);
const filter = fc.oneof(
  fc.constant(undefined),
  equality,
  fc.record({ "+and": fc.array(equality, { minLength: 1, maxLength: 3 }) }),
  fc.record({ "+or": fc.array(equality, { minLength: 1, maxLength: 3 }) }),
  fc.record({ label, "+order_by": fc.constant("tags"), "+order": fc.constantFrom("asc", "desc") }),
  fc.record({ "+order_by": fc.constant("label") }),
  fc.record({ label: fc.record({ "+neq": label }) }),
);

/**
 * A table after the given changes. Each change is followed by lookups, so that indexes exist from the start and every
 * change must update them.
 */
function after(steps: readonly (typeof step extends fc.Arbitrary<infer S> ? S : never)[]): Table<Item> {
  const things = new Table<Item>("things", table<Item>(), 1, { time: () => "", changed: () => undefined });
  for (const one of steps) {
    const ids = things.all().map(({ id }) => id);
    const id = one.kind === "insert" ? undefined : ids[one.at % Math.max(1, ids.length)];
    if (one.kind === "insert") things.insert(one.item);
    else if (id !== undefined && one.kind === "patch") things.patch(id, one.item);
    else if (id !== undefined) things.remove(id);
    for (const path of ["label", "tags", "owner.id", "parts.name"]) things.matching(path, "a");
  }
  return things;
}

test("a list by indexes equals a list by a scan of all rows", () => {
  fc.assert(
    fc.property(fc.array(step), filter, fc.boolean(), fc.nat(5), (steps, wanted, newestFirst, from) => {
      const things = after(steps);
      const read = wanted && readFilter(JSON.stringify(wanted), entry);
      const rows = [...things.all()];
      const show = (row: never) => row;
      const scanned = queryList({ rows: newestFirst ? rows.toReversed() : rows, show }, read);
      for (const seen of [0, 1].map(() => queryList({ rows: things, show, newestFirst }, read))) {
        expect(seen.length).toBe(scanned.length);
        expect(seen.slice(from, from + 3)).toEqual(scanned.slice(from, from + 3));
      }
    }),
  );
});

test("cached results are not returned after a change", () => {
  const things = after([]);
  const read = readFilter('{"+order_by":"label"}', entry);
  const labels = () =>
    queryList({ rows: things, show: (row: never) => row }, read)
      .slice(0, 9)
      .map((row) => row.label);
  const { id } = things.insert({ label: "b", tags: [], owner: { id: null }, parts: [] });
  expect(labels()).toEqual(["b"]);
  things.insert({ label: "a", tags: [], owner: { id: null }, parts: [] });
  expect(labels()).toEqual(["a", "b"]);
  things.remove(id);
  expect(labels()).toEqual(["a"]);
  things.load({ next: 9, rows: [] });
  expect(labels()).toEqual([]);
});

test("a heap returns its items in order, even if items are added in between", () => {
  fc.assert(
    fc.property(fc.array(fc.integer()), fc.array(fc.integer()), (first, more) => {
      const heap = new Heap<number>((a, b) => a < b);
      const sorted = [...first].sort((a, b) => a - b);
      for (const item of first) heap.push(item);
      const half = sorted.splice(0, sorted.length >> 1);
      expect(half.map(() => heap.pop())).toEqual(half);
      for (const item of more) heap.push(item);
      const rest = [...sorted, ...more].sort((a, b) => a - b);
      expect(rest.map(() => heap.pop())).toEqual(rest);
      expect([heap.peek(), heap.pop()]).toEqual([undefined, undefined]);
    }),
  );
});
