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
      const found = carriedTags(world);
      for (const tag of world.tags.all()) found.set(tag.id, tag);
      const ids = [...found.keys()].sort();
      return ids.flatMap((id) => found.get(id) ?? []).map(({ label }) => ({ label }));
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
 * The label of a tag in the case in which tags are listed; undefined if the tag does not exist. A tag exists if it was created or if an
 * object has it.
 */
const labelOf = (world: World, label: string): string | undefined =>
  world.tags.find(sameTag(label))?.label ?? carriedTags(world).get(sameTag(label))?.label;

/**
 * The reference to a tag in events. Events require a numeric id, which tags do not have, so `id` is a hash of the
 * label.
 */
const tagEntity = (label: string) => entity("tag", { id: hash(sameTag(label)), label });

interface TaggedRow extends Row {
  id: number;
  tags: string[];
  /** Every row has it, even those of types whose objects are returned without it. */
  created?: string;
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

/** The rows of a table with the same tag, oldest first, and the label and the time of creation of the oldest row. */
interface Entry {
  label: string;
  created: string;
  rows: Readonly<TaggedRow>[];
}

/** The entries of a table by tag. Tags that differ only in case have one entry. */
type Index = ReadonlyMap<string, Entry>;

/**
 * The tag index of each list of rows. A table returns a new list after each change, so a cached index is always
 * current.
 */
const indexes = new WeakMap<readonly Readonly<TaggedRow>[], Index>();

function indexOf(rows: readonly Readonly<TaggedRow>[]): Index {
  const computed = indexes.get(rows);
  if (computed) return computed;
  const index = new Map<string, Entry>();
  for (const row of rows)
    for (const label of row.tags) {
      const entry = index.get(sameTag(label)) ?? { label, created: row.created ?? "", rows: [] };
      if (entry.rows.at(-1) !== row) entry.rows.push(row);
      index.set(sameTag(label), entry);
    }
  indexes.set(rows, index);
  return index;
}

/** All tags that objects have, in the case of the oldest object that has them, by the label in lower case. */
function carriedTags(world: World): Map<string, { label: string }> {
  const found = new Map<string, Entry>();
  for (const { table } of taggable)
    for (const [tag, entry] of indexOf(table(world).all())) {
      const other = found.get(tag);
      if (!other || entry.created < other.created) found.set(tag, entry);
    }
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
