import { reasons, sameTag } from "../../../api";
import { entity } from "../../core/events";
import { hash } from "../../core/random";
import { notFound, Reasons } from "../../core/refusal";
import { table } from "../../core/store";
import type { World } from "../../core/world";
import { type AreaModule, listed } from "../../http/handlers";
import { carriedTags, carriers, putTag, type Tagged, taggable, takeTag } from "./taggable";

/** A tag that was created, and stays without objects. Its id is the label without regard to case. */
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
      return [...labels].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, label]) => ({ label }));
    },

    create({ world, body, emit }) {
      const { label } = body;
      const problems = new Reasons();
      problems.require(labelOf(world, label) === undefined, reasons.labelTaken, "label");
      const wanted = new Map<string, Tagged>();
      for (const field of ["computes", "domains", "nodebalancers", "volumes"] as const) {
        const kind = taggable.find((one) => one.field === field);
        for (const [at, id] of (body[field] ?? []).entries()) {
          const row = kind?.table(world).find(id);
          if (kind && row) wanted.set(`${field}.${id}`, { kind, row });
          else problems.add(`There is no ${noun[field]} ${id}`, `${field}.${at}`);
        }
      }
      problems.refuse();
      const tag = world.tags.insert({ id: sameTag(label), label });
      for (const one of wanted.values()) putTag(world, one, label);
      emit(about(label));
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
      emit(about(label));
      return {};
    },
  },
};

const noun = { computes: "instance", domains: "domain", nodebalancers: "load balancer", volumes: "volume" };

/** The tag as it was written first; undefined if nobody made it and nothing carries it. */
const labelOf = (world: World, label: string): string | undefined =>
  world.tags.find(sameTag(label))?.label ?? carriedTags(world).get(sameTag(label));

/** Events want a number: a tag has one of its own for good, though it may come with an object and leave with it. */
const about = (label: string) => entity("tag", { id: hash(sameTag(label)), label });
