import { z } from "zod";
import { isObject, ofText, sameTag, TagCreate, type TaggedObject } from "../../api";
import { isNotFound } from "../client/errors";
import { resource } from "../engine/definition";
import type { Host } from "../engine/host";
import type { SearchContext } from "../engine/inventory";
import { declarerOf, plannedOf } from "../engine/planned";
import { lockTags, type TaggedArea } from "./object-locks";

type Api = Host["api"];

interface Tagged {
  tags: string[];
}

/** How objects of a type are listed, read and updated. */
interface Carriers {
  type: TaggedObject["type"];
  area: TaggedArea;
  view(api: Api, id: number): Promise<Tagged>;
  update(api: Api, id: number, body: Tagged): Promise<unknown>;
}

/** The types of objects that can have tags, by the input that contains the ids of such objects. */
const carriers = {
  computes: {
    type: "compute",
    area: "instances",
    view: (api, computeId) => api.instances.view({ path: { computeId } }),
    update: (api, computeId, body) => api.instances.update({ path: { computeId }, body }),
  },
  domains: {
    type: "domain",
    area: "domains",
    view: (api, domainId) => api.domains.view({ path: { domainId } }),
    update: (api, domainId, body) => api.domains.update({ path: { domainId }, body }),
  },
  nodebalancers: {
    type: "nodebalancer",
    area: "nodeBalancers",
    view: (api, nodeBalancerId) => api.nodeBalancers.view({ path: { nodeBalancerId } }),
    update: (api, nodeBalancerId, body) => api.nodeBalancers.update({ path: { nodeBalancerId }, body }),
  },
  volumes: {
    type: "volume",
    area: "volumes",
    view: (api, volumeId) => api.volumes.view({ path: { volumeId } }),
    update: (api, volumeId, body) => api.volumes.update({ path: { volumeId }, body }),
  },
} satisfies Record<string, Carriers>;

type CarrierField = keyof typeof carriers;
const carrierFields = Object.keys(carriers) as CarrierField[];

const carried = (what: string) =>
  `${what} with the tag. Other objects that have the tag are not managed by this resource. ` +
  "Set the tags of an object either here or in its `tags` input, not in both.";

const inputs = TagCreate.extend({
  computes: TagCreate.shape.computes.describe(carried("Instances")),
  domains: TagCreate.shape.domains.describe(carried("Domains")),
  nodebalancers: TagCreate.shape.nodebalancers.describe(carried("Load balancers")),
  volumes: TagCreate.shape.volumes.describe(carried("Volumes")),
});

// The API cannot change a tag. The provider adds the tag to an object, or removes it, by updating the object's own
// `tags`.
const note = "the tag is added to listed objects and removed from objects that are no longer listed";

export const tag = resource({
  name: "Tag",
  summary:
    "Manages a tag that exists independently of objects, and its assignment to objects. Deleting it removes the tag from all objects, also those of other programs. If a resource of this program declares it in `tags`, the tag stays, and only the objects listed here lose it. A tag that already exists on an object cannot be created.",
  elsewhere: {
    note: {
      terraform: "In Terraform, tags exist only as `tags` of objects. `Tag` also manages a tag itself.",
      pulumi: "In `@pulumi/linode`, tags exist only as `tags` of objects. `Tag` also manages a tag itself.",
    },
  },
  inputs,
  outputs: inputs,
  identity: {
    area: "tags",
    lookup: {
      path: z.strictObject({
        label: z
          .string()
          .min(1)
          .meta({ canonical: ofText(sameTag) }),
      }),
      /**
       * Reads only objects that are declared now or were declared before. Other objects with the tag are not managed.
       */
      async get({ api, path: { label }, want, state }) {
        const found = await carriersOf(api, label);
        if (!found) return undefined;
        const managedIds = carrierFields.flatMap((field) => {
          const named = want[field] ?? state[field];
          if (!named) return [];
          const ids = new Set([...named, ...(state[field] ?? [])]);
          return [[field, [...ids].filter((id) => found.get(field)?.has(id))]];
        });
        return { label, ...Object.fromEntries(managedIds) };
      },
    },
    lostCreate: { match: ["label"] },
  },
  inventory: {
    file: "account",
    list: "search",
    title: "label",
    refersTo: { computes: "instances" },
    /** Only tags without objects: all others are declared in the `tags` of their objects. */
    async search({ api, rows, unread }: SearchContext) {
      const used = new Set(
        rows.flatMap(({ tags }) => (Array.isArray(tags) ? tags.map((tag) => sameTag(String(tag))) : [])),
      );
      const free = (await Array.fromAsync(api.tags.list.all())).filter(({ label }) => !used.has(sameTag(label)));
      const kinds = unread("tags");
      if (free.length && kinds.length)
        throw new Error(
          `${free.map(({ label }) => JSON.stringify(label)).join(", ")} may be tags of objects of these kinds, which could not be read: ${kinds.join(", ")}`,
        );
      return free.map((row) => ({ path: { label: row.label }, row }));
    },
  },
  fields: {
    label: {
      change: "replace",
      canonical: sameTag,
      note: "the old tag is removed from all objects, or only from those listed here if a resource of this program declares it in `tags`, and the new one is added only to the objects listed here",
    },
    computes: { change: "carry", by: ["instances.update"], note },
    domains: { change: "carry", by: ["domains.update"], note },
    nodebalancers: { change: "carry", by: ["nodeBalancers.update"], note },
    volumes: { change: "carry", by: ["volumes.update"], note },
  },
  steps: {
    carry: {
      async run({ host, api, path: { label }, want, observed, state, changed, setState }) {
        for (const field of carrierFields.filter((one) => changed[one])) {
          const [wanted, carrying] = [new Set(want[field]), new Set(observed[field])];
          // If a request fails, the next update finds all objects that may have the tag, because it reads only those in state.
          setState({ [field]: [...new Set([...(state[field] ?? []), ...carrying, ...wanted])] });
          for (const id of carrying) if (!wanted.has(id)) await removeTag({ host, api, label }, field, id);
          for (const id of wanted) if (!carrying.has(id)) await addTag({ host, api, label }, field, id);
        }
      },
    },
  },
  async create({ host, api, want }) {
    const objects = carrierFields.flatMap((field) =>
      (want[field] ?? []).map((id) => [carriers[field].area, id] as const),
    );
    const { label } = await lockTags(host, objects, () => api.tags.create({ body: want }));
    return { label };
  },
  delete: {
    async run({ host, api, path, state }) {
      const { label } = path;
      const declarer = await declarerOf(host, ({ want }) => hasTag(want, label));
      const successor = plannedOf(host, "tags", sameTag(label))?.want.label;
      if (declarer && typeof successor === "string" && sameTag(successor) === sameTag(label))
        throw new Error(
          `the tag "${label}" cannot be deleted and created again, because ${declarer} declares it: remove the option that replaces the resource, such as replaceOnChanges`,
        );
      if (declarer) {
        for (const field of carrierFields)
          for (const id of state[field] ?? []) await removeTag({ host, api, label }, field, id);
        host.warn(`the tag "${label}" still exists, because ${declarer} declares it`);
        return "retained";
      }
      const found = (await carriersOf(api, path.label)) ?? new Map<CarrierField, Set<number>>();
      const objects = [...found].flatMap(([field, ids]) => [...ids].map((id) => [carriers[field].area, id] as const));
      await lockTags(host, objects, () => api.tags.delete({ path }));
    },
  },
});

/** The ids of all objects that have the tag. Undefined if the tag does not exist. */
async function carriersOf(api: Api, label: string): Promise<Map<CarrierField, Set<number>> | undefined> {
  const found = new Map(carrierFields.map((field) => [field, new Set<number>()]));
  try {
    for await (const { type, data } of api.tags.objects.all({ path: { label } })) {
      const field = carrierFields.find((one) => carriers[one].type === type);
      if (field) found.get(field)?.add(data.id);
    }
    return found;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

/** Whether a resource declares the tag for its object, or as a cluster does for one of its node pools. */
const hasTag = ({ tags, pools }: { tags?: unknown; pools?: unknown }, label: string): boolean =>
  (Array.isArray(tags) && tags.some((tag) => sameTag(tag) === sameTag(label))) ||
  (isObject(pools) && Object.values(pools).some((pool) => isObject(pool) && hasTag(pool, label)));

/** Whether the resource of an object declares the tag, so that this update has moved the declaration there. */
const isDeclared = async (host: Host, label: string, field: CarrierField, id: number): Promise<boolean> =>
  (await declarerOf(host, ({ area, path, want }) => {
    const isObject = area === carriers[field].area && Object.values(path).join() === String(id);
    return isObject && hasTag(want, label);
  })) !== undefined;

interface Tagging {
  host: Host;
  api: Api;
  label: string;
}

/** Adds the tag to an object, and keeps the object's other tags. */
const addTag = ({ host, api, label }: Tagging, field: CarrierField, id: number): Promise<void> =>
  lockTags(host, [[carriers[field].area, id]], async () => {
    const { tags } = await carriers[field].view(api, id);
    await carriers[field].update(api, id, { tags: [...tags, label] });
  });

/** Removes the tag from an object, unless the object's own resource declares it or the object has been deleted. */
async function removeTag({ host, api, label }: Tagging, field: CarrierField, id: number): Promise<void> {
  if (await isDeclared(host, label, field, id)) return;
  await lockTags(host, [[carriers[field].area, id]], async () => {
    const { tags } = await carriers[field].view(api, id);
    const others = tags.filter((tag) => sameTag(tag) !== sameTag(label));
    await carriers[field].update(api, id, { tags: others });
  }).catch((error) => {
    if (!isNotFound(error)) throw error;
  });
}
