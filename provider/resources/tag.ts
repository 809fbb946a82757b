import { z } from "zod";
import { sameTag, TagCreate } from "../../api";
import { resource } from "../engine/definition";
import { carriedBy, fields, put, take } from "./tag-carriers";

const carried = (what: string) =>
  `${what} that have the tag, of those that the program names here; others that have it are left alone. ` +
  "An object has its tags in one place only: here or in its own `tags`.";

const inputs = TagCreate.extend({
  computes: TagCreate.shape.computes.describe(carried("Instances")),
  domains: TagCreate.shape.domains.describe(carried("Domains")),
  nodebalancers: TagCreate.shape.nodebalancers.describe(carried("Load balancers")),
  volumes: TagCreate.shape.volumes.describe(carried("Volumes")),
});

// No operation changes a tag: the update of each object adds and removes it.
const note = "the tag is added to each new object and removed from each that is no longer named";

export const tag = resource({
  name: "Tag",
  summary:
    "A tag that is there without objects, and on those that it names. Deleting it takes it off everything; a tag that an object brought along can't be created any more.",
  source: "part 2 · Endpoints · Tags",
  inputs,
  outputs: inputs,
  identity: {
    area: "tags",
    lookup: {
      path: z.strictObject({ label: z.string().min(1) }),
      /** Only objects that the program names or has named count: others got the tag elsewhere. */
      async get({ api, path: { label }, want, state }) {
        const found = await carriedBy(api, label);
        if (!found) return undefined;
        const ours = fields.flatMap((field) => {
          const named = want[field] ?? state[field];
          if (!named) return [];
          const ids = new Set([...named, ...(state[field] ?? [])]);
          return [[field, [...ids].filter((id) => found.get(field)?.has(id))]];
        });
        return { label, ...Object.fromEntries(ours) };
      },
    },
    lostCreate: { match: ["label"] },
  },
  fields: {
    label: { change: "replace", canonical: sameTag },
    computes: { change: "carry", by: ["instances.update"], note },
    domains: { change: "carry", by: ["domains.update"], note },
    nodebalancers: { change: "carry", by: ["nodeBalancers.update"], note },
    volumes: { change: "carry", by: ["volumes.update"], note },
  },
  steps: {
    carry: {
      async run({ api, path: { label }, want, seen, changed }) {
        for (const field of fields.filter((one) => changed[one])) {
          const [wanted, carrying] = [new Set(want[field]), new Set(seen[field])];
          for (const id of carrying) if (!wanted.has(id)) await take(api, field, id, label);
          for (const id of wanted) if (!carrying.has(id)) await put(api, field, id, label);
        }
      },
    },
  },
  async create({ api, want }) {
    const { label } = await api.tags.create({ body: want });
    return { label };
  },
});
