import { sameTag, type TaggedObject } from "../../api";
import { isNotFound } from "../client/errors";
import type { Host } from "../engine";

type Api = Host["api"];

interface Tagged {
  tags: string[];
}

/** A kind of objects that carry tags: what it is called in lists of them, and how one of them is read and changed. */
interface Carriers {
  type: TaggedObject["type"];
  view(api: Api, id: number): Promise<Tagged>;
  update(api: Api, id: number, body: Tagged): Promise<unknown>;
}

/** By the field in which a tag names those that carry it. */
export const carriers = {
  computes: {
    type: "compute",
    view: (api, computeId) => api.instances.view({ path: { computeId } }),
    update: (api, computeId, body) => api.instances.update({ path: { computeId }, body }),
  },
  domains: {
    type: "domain",
    view: (api, domainId) => api.domains.view({ path: { domainId } }),
    update: (api, domainId, body) => api.domains.update({ path: { domainId }, body }),
  },
  nodebalancers: {
    type: "nodebalancer",
    view: (api, nodeBalancerId) => api.nodeBalancers.view({ path: { nodeBalancerId } }),
    update: (api, nodeBalancerId, body) => api.nodeBalancers.update({ path: { nodeBalancerId }, body }),
  },
  volumes: {
    type: "volume",
    view: (api, volumeId) => api.volumes.view({ path: { volumeId } }),
    update: (api, volumeId, body) => api.volumes.update({ path: { volumeId }, body }),
  },
} satisfies Record<string, Carriers>;

export type Field = keyof typeof carriers;
export const fields = Object.keys(carriers) as Field[];

/** Which objects have the tag, by their field; undefined when there is no such tag. */
export async function carriedBy(api: Api, label: string): Promise<Map<Field, Set<number>> | undefined> {
  const found = new Map(fields.map((field) => [field, new Set<number>()]));
  try {
    for await (const { type, data } of api.tags.objects.all({ path: { label } })) {
      const field = fields.find((one) => carriers[one].type === type);
      if (field) found.get(field)?.add(data.id);
    }
    return found;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

/** Puts the tag on an object, beside its other ones. */
export async function put(api: Api, field: Field, id: number, label: string): Promise<void> {
  const { tags } = await carriers[field].view(api, id);
  await carriers[field].update(api, id, { tags: [...tags, label] });
}

/** Takes the tag off an object; one that is gone has none. */
export async function take(api: Api, field: Field, id: number, label: string): Promise<void> {
  try {
    const { tags } = await carriers[field].view(api, id);
    const others = tags.filter((tag) => sameTag(tag) !== sameTag(label));
    await carriers[field].update(api, id, { tags: others });
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}
