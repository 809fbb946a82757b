import type { z } from "zod";
import { Domain, Instance, NodeBalancer, sameTag, type TagCreate, type TaggedObject, Volume } from "../../../api";
import type { Row, Table } from "../../core/store";
import type { World } from "../../core/world";
import { known } from "../../http/response";
import { shown as shownBalancer } from "../load-balancers/node-balancers";
import { shown as shownVolume } from "../storage/volumes";

interface TaggedRow extends Row {
  id: number;
  tags: string[];
}

/** What the API says of a kind of things, in requests and lists of tagged objects; some kinds are in neither. */
interface Named<R> {
  field: Exclude<keyof TagCreate, "label">;
  type: TaggedObject["type"];
  schema: z.core.$ZodType;
  /** The row as the kind's own operations show it, where that takes more than the row. */
  show?: (world: World, row: R) => object;
}

/** A kind of things that have tags. */
export interface Taggable extends Partial<Pick<Named<never>, "field" | "type">> {
  table: (world: World) => Table<TaggedRow>;
  shown: (world: World, row: Readonly<TaggedRow>) => TaggedObject;
}

/** Everything that has tags, in the order of the list of tagged objects; a further kind is a further line. */
export const taggable: readonly Taggable[] = [
  kind((world) => world.instances, { field: "computes", type: "compute", schema: Instance }),
  kind((world) => world.domains, { field: "domains", type: "domain", schema: Domain }),
  kind((world) => world.nodeBalancers, {
    field: "nodebalancers",
    type: "nodebalancer",
    schema: NodeBalancer,
    show: shownBalancer,
  }),
  kind((world) => world.volumes, { field: "volumes", type: "volume", schema: Volume, show: shownVolume }),
  kind((world) => world.firewalls),
  kind((world) => world.lkeClusters),
  kind((world) => world.lkePools),
];

function kind<R extends TaggedRow>(table: (world: World) => Table<R>, named?: Named<Readonly<R>>): Taggable {
  const show = named?.show ?? ((_world, row) => row);
  return {
    ...(named && { field: named.field, type: named.type }),
    // The table is used for its rows' tags only, which all kinds have alike.
    table: table as object as Taggable["table"],
    shown: (world, row) =>
      ({ type: named?.type, data: named && known(named.schema, show(world, row as Readonly<R>)) }) as TaggedObject,
  };
}

/** A thing with a tag. */
export interface Tagged {
  kind: Taggable;
  row: Readonly<TaggedRow>;
}

/** The rows of a table by tag, each list the oldest first; the first spelling of a tag stands for all. */
type Index = ReadonlyMap<string, { label: string; rows: Readonly<TaggedRow>[] }>;

/** A table's list of rows is another one after each change, so that an index holds as long as its list. */
const indexes = new WeakMap<readonly Readonly<TaggedRow>[], Index>();

function indexOf(rows: readonly Readonly<TaggedRow>[]): Index {
  const made = indexes.get(rows);
  if (made) return made;
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

/** The tags that things carry: each under its form without case. */
export function carriedTags(world: World): Map<string, string> {
  const found = new Map<string, string>();
  for (const { table } of taggable)
    for (const [tag, { label }] of indexOf(table(world).all())) if (!found.has(tag)) found.set(tag, label);
  return found;
}

/** Everything that carries the tag. */
export const carriers = (world: World, label: string): Tagged[] =>
  taggable.flatMap((kind) => {
    const entry = indexOf(kind.table(world).all()).get(sameTag(label));
    return (entry?.rows ?? []).map((row) => ({ kind, row }));
  });

export function putTag(world: World, { kind, row }: Tagged, label: string): void {
  kind.table(world).patch(row.id, { tags: [...row.tags, label] });
}

export function takeTag(world: World, { kind, row }: Tagged, label: string): void {
  kind.table(world).patch(row.id, { tags: row.tags.filter((tag) => sameTag(tag) !== sameTag(label)) });
}
