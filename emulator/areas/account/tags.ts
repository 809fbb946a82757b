import type { z } from "zod";
import {
  Domain,
  Instance,
  MAX_TAGS,
  NodeBalancer,
  reasons,
  sameTag,
  type TagCreate,
  type TaggedObject,
  Volume,
} from "../../../api";
import { notFound, Reasons } from "../../core/error-response";
import { entity } from "../../core/events";
import { hash } from "../../core/random";
import { type Row, type Table, table } from "../../core/store";
import type { World } from "../../core/world";
import { type AreaModule, listed } from "../../http/handlers";
import { contractFields } from "../../http/response";
import { balancerRecord } from "../load-balancers/node-balancers";
import { volumeRecord } from "../storage/volumes";

/**
 * A tag that was created explicitly, so that it exists even without tagged objects. Its id is the label in lower case.
 */
export interface TagRow {
  id: string;
  label: string;
}

export const tags: AreaModule<"tags", { tags: TagRow }> = {
  tables: { tags: table<TagRow>() },
  handlers: {
    list({ world }) {
      const labels = carriedTags(world);
      for (const { id, label } of world.tags.all()) labels.set(id, label);
      // Each id is a key of the map.
      return [...labels.keys()].sort().map((id) => ({ label: labels.get(id) as string }));
    },

    create({ world, body, emit }) {
      const { label } = body;
      const problems = new Reasons();
      problems.addUnless(labelOf(world, label) === undefined, reasons.labelTaken, "label");
      const wanted = new Map<string, Tagged>();
      for (const field of ["computes", "domains", "nodebalancers", "volumes"] as const) {
        const kind = taggable.find((one) => one.field === field);
        for (const [at, id] of (body[field] ?? []).entries()) {
          const row = kind?.table(world).find(id);
          if (!kind || !row) problems.add(`There is no ${noun[field]} ${id}`, `${field}.${at}`);
          else if (row.tags.length < MAX_TAGS) wanted.set(`${field}.${id}`, { kind, row });
          else
            problems.add(`The ${noun[field]} ${id} has ${MAX_TAGS} tags, and more are not allowed`, `${field}.${at}`);
        }
      }
      problems.throwIfAny();
      const tag = world.tags.insert({ id: sameTag(label), label });
      for (const one of wanted.values()) putTag(world, one, label);
      emit(tagEntity(label));
      return tag;
    },

    objects({ world, caller, path }) {
      const { label } = path;
      if (labelOf(world, label) === undefined) throw notFound();
      const seen = carriers(world, label).filter(
        ({ kind: { type }, row }) => type !== undefined && caller.may(type, row.id, "read_only"),
      );
      if (caller.restricted && seen.length === 0) throw notFound();
      return listed(seen, ({ kind, row }) => kind.shown(world, row));
    },

    delete({ world, path, emit }) {
      const label = labelOf(world, path.label);
      if (label === undefined) throw notFound();
      for (const one of carriers(world, label)) takeTag(world, one, label);
      if (world.tags.find(sameTag(label))) world.tags.remove(sameTag(label));
      emit(tagEntity(label));
      return {};
    },
  },
};

const noun = { computes: "instance", domains: "domain", nodebalancers: "load balancer", volumes: "volume" };

/**
 * The label of a tag in its original case; undefined if the tag does not exist. A tag exists if it was created or if an
 * object has it.
 */
const labelOf = (world: World, label: string): string | undefined =>
  world.tags.find(sameTag(label))?.label ?? carriedTags(world).get(sameTag(label));

/**
 * The reference to a tag in events. Events require a numeric id, which tags do not have, so `id` is a hash of the
 * label.
 */
const tagEntity = (label: string) => entity("tag", { id: hash(sameTag(label)), label });

interface TaggedRow extends Row {
  id: number;
  tags: string[];
}

/**
 * The API's names for a type of object that has tags: the field of create requests (`computes`), and the `type` in
 * lists of tagged objects (`compute`).
 */
interface Named<R> {
  field: Exclude<keyof TagCreate, "label">;
  type: TaggedObject["type"];
  schema: z.core.$ZodType;
  /** Converts a row to the object that the API returns. Omitted if the API returns the row unchanged. */
  show?: (world: World, row: R) => object;
}

interface Taggable extends Partial<Pick<Named<never>, "field" | "type">> {
  table: (world: World) => Table<TaggedRow>;
  shown: (world: World, row: Readonly<TaggedRow>) => TaggedObject;
}

/** Every type that can have tags, in the order in which tagged objects are listed. */
const taggable: readonly Taggable[] = [
  kind((world) => world.instances, { field: "computes", type: "compute", schema: Instance }),
  kind((world) => world.domains, { field: "domains", type: "domain", schema: Domain }),
  kind((world) => world.nodeBalancers, {
    field: "nodebalancers",
    type: "nodebalancer",
    schema: NodeBalancer,
    show: balancerRecord,
  }),
  kind((world) => world.volumes, { field: "volumes", type: "volume", schema: Volume, show: volumeRecord }),
  kind((world) => world.firewalls),
  kind((world) => world.lkeClusters),
  kind((world) => world.lkePools),
];

function kind<R extends TaggedRow>(table: (world: World) => Table<R>, named?: Named<Readonly<R>>): Taggable {
  const show = named?.show ?? ((_world, row) => row);
  return {
    ...(named && { field: named.field, type: named.type }),
    // The cast is safe: the rows of all these tables have tags, and only the tags are read through this type.
    table: table as object as Taggable["table"],
    shown: (world, row) =>
      ({
        type: named?.type,
        data: named && contractFields(named.schema, show(world, row as Readonly<R>)),
      }) as TaggedObject,
  };
}

interface Tagged {
  kind: Taggable;
  row: Readonly<TaggedRow>;
}

/**
 * The rows of a table by tag, oldest first. Tags that differ only in case have one entry, with the label of the oldest
 * row.
 */
type Index = ReadonlyMap<string, { label: string; rows: Readonly<TaggedRow>[] }>;

/**
 * The tag index of each list of rows. A table returns a new list after each change, so a cached index is always
 * current.
 */
const indexes = new WeakMap<readonly Readonly<TaggedRow>[], Index>();

function indexOf(rows: readonly Readonly<TaggedRow>[]): Index {
  const computed = indexes.get(rows);
  if (computed) return computed;
  const index = new Map<string, { label: string; rows: Readonly<TaggedRow>[] }>();
  for (const row of rows)
    for (const label of row.tags) {
      const entry = index.get(sameTag(label)) ?? { label, rows: [] };
      if (entry.rows.at(-1) !== row) entry.rows.push(row);
      index.set(sameTag(label), entry);
    }
  indexes.set(rows, index);
  return index;
}

/** The labels of all tags that objects have, in their original case, by the label in lower case. */
function carriedTags(world: World): Map<string, string> {
  const found = new Map<string, string>();
  for (const { table } of taggable)
    for (const [tag, { label }] of indexOf(table(world).all())) if (!found.has(tag)) found.set(tag, label);
  return found;
}

const carriers = (world: World, label: string): Tagged[] =>
  taggable.flatMap((kind) => {
    const entry = indexOf(kind.table(world).all()).get(sameTag(label));
    return (entry?.rows ?? []).map((row) => ({ kind, row }));
  });

function putTag(world: World, { kind, row }: Tagged, label: string): void {
  kind.table(world).patch(row.id, { tags: [...row.tags, label] });
}

function takeTag(world: World, { kind, row }: Tagged, label: string): void {
  kind.table(world).patch(row.id, { tags: row.tags.filter((tag) => sameTag(tag) !== sameTag(label)) });
}
