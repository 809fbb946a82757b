import { z } from "zod";
import { sameTag, TagCreate } from "../../api";
import { resource } from "../resource";
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

export const tag = resource({
  kind: "Tag",
  summary:
    "A tag that is there without objects, and on those that it names. Deleting it takes it off everything; a tag that an object brought along can't be created any more.",
  source: "part 2 · Endpoints · Tags",
  area: "tags",
  place: z.strictObject({ label: z.string().min(1) }),
  inputs,
  outputs: inputs,
  // The service changes nothing of a tag: the objects' own updates put it on them and take it off.
  changes: { label: "replace", computes: "carry", domains: "carry", nodebalancers: "carry", volumes: "carry" },
  exceptions: {
    computes: "`instances.update` puts it on each that comes and takes it off each that goes",
    domains: "`domains.update` puts it on each that comes and takes it off each that goes",
    nodebalancers: "`nodeBalancers.update` puts it on each that comes and takes it off each that goes",
    volumes: "`volumes.update` puts it on each that comes and takes it off each that goes",
  },
  steps: {
    carry: {
      async run({ api, path: { label }, want, seen, changed }) {
        for (const field of fields.filter((one) => changed[one])) {
          const [wanted, there] = [new Set(want[field]), new Set(seen[field])];
          for (const id of there) if (!wanted.has(id)) await take(api, field, id, label);
          for (const id of wanted) if (!there.has(id)) await put(api, field, id, label);
        }
      },
    },
  },
  compare: { label: sameTag },
  key: ["label"],
  async create({ api, want }) {
    const { label } = await api.tags.create({ body: want });
    return { label };
  },
  /** Of the objects only those count that the program names or has named: others got the tag from somebody else. */
  async look({ api, path: { label }, want, was }) {
    const found = await carriedBy(api, label);
    if (!found) return undefined;
    const ours = fields.flatMap((field) => {
      const named = want[field] ?? was[field];
      if (!named) return [];
      const ids = new Set([...named, ...(was[field] ?? [])]);
      return [[field, [...ids].filter((id) => found.get(field)?.has(id))]];
    });
    return { label, ...Object.fromEntries(ours) };
  },
});
