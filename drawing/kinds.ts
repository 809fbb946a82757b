import { type Element, element } from "./element";

/** How a kind of object is named and drawn. */
export interface KindLook {
  one: string;
  many: string;
  /** Path of the icon, drawn with lines in a square of 24 by 24. */
  icon: string;
}

const square = "M6 6h12v12H6z";

const looks: Readonly<Record<string, KindLook>> = {
  Instance: { one: "instance", many: "instances", icon: "M4 5h16v6H4zM4 13h16v6H4zM7.5 8h.01M7.5 16h.01" },
  Volume: {
    one: "volume",
    many: "volumes",
    icon: "M5 6.5C5 5.1 8.1 4 12 4s7 1.1 7 2.5S15.9 9 12 9 5 7.9 5 6.5zM5 6.5v11c0 1.4 3.1 2.5 7 2.5s7-1.1 7-2.5v-11M5 12c0 1.4 3.1 2.5 7 2.5s7-1.1 7-2.5",
  },
  NodeBalancer: {
    one: "load balancer",
    many: "load balancers",
    icon: "M9 3h6v5H9zM3 16h6v5H3zM15 16h6v5h-6zM12 8v4M6 16v-4h12v4",
  },
  NodeBalancerConfig: { one: "port", many: "ports", icon: "M4 8h11l5 4-5 4H4z" },
  NodeBalancerNode: { one: "backend", many: "backends", icon: "M4 12h10M10 8l4 4-4 4M17 5h3v14h-3" },
  Firewall: {
    one: "firewall",
    many: "firewalls",
    icon: "M12 3l7 2.5V11c0 4.6-2.9 8.2-7 10-4.1-1.8-7-5.4-7-10V5.5z",
  },
  LkeCluster: {
    one: "cluster",
    many: "clusters",
    icon: "M12 3l7.8 4.5v9L12 21l-7.8-4.5v-9zM12 8v8M8.5 10l7 4M15.5 10l-7 4",
  },
  LkePool: { one: "pool", many: "pools", icon: "M4 4h6v6H4zM14 4h6v6h-6zM4 14h6v6H4zM14 14h6v6h-6z" },
  Domain: {
    one: "domain",
    many: "domains",
    icon: "M12 3a9 9 0 100 18 9 9 0 000-18zM3.6 9h16.8M3.6 15h16.8M12 3c-4.5 5-4.5 13 0 18M12 3c4.5 5 4.5 13 0 18",
  },
  DomainRecord: { one: "record", many: "records", icon: "M5 6h14M5 12h14M5 18h9" },
  ObjectStorageBucket: {
    one: "bucket",
    many: "buckets",
    icon: "M4 7c0-1.7 3.6-3 8-3s8 1.3 8 3-3.6 3-8 3-8-1.3-8-3zM4 7l2.2 11.4c.2 1 2.8 1.8 5.8 1.8s5.6-.8 5.8-1.8L20 7",
  },
  ObjectStorageKey: {
    one: "storage key",
    many: "storage keys",
    icon: "M8 12a4 4 0 100 8 4 4 0 000-8zM11 13l9-9M16 8l3 3",
  },
  Image: { one: "image", many: "images", icon: "M4 4h16v16H4zM4 16l5-5 5 5 2.5-2.5L20 17M15.5 8.5h.01" },
  Vlan: { one: "VLAN", many: "VLANs", icon: "M4 12h16M8 12v6M16 12v6M12 12V6M6 18h4M14 18h4M10 6h4" },
  OAuthClient: { one: "OAuth client", many: "OAuth clients", icon: "M4 5h16v14H4zM4 9h16M7 7h.01M10 7h.01" },
  ManagedService: { one: "managed service", many: "managed services", icon: "M3 12h4l3-8 4 16 3-8h4" },
  ManagedContact: {
    one: "managed contact",
    many: "managed contacts",
    icon: "M12 4a4 4 0 100 8 4 4 0 000-8zM4 20.5c0-3.5 3.6-5.5 8-5.5s8 2 8 5.5",
  },
  ManagedCredential: {
    one: "managed credential",
    many: "managed credentials",
    icon: "M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 017 0v3",
  },
};

/** The order of kinds in lists: compute, network, Kubernetes, names, storage, others. */
export const kindOrder: readonly string[] = Object.keys(looks);

/** The look of a kind. A kind that is not listed, such as `InstanceDisk`, is named by its words. */
export function lookOf(kind: string): KindLook {
  const look = looks[kind];
  if (look) return look;
  const words = kind.replace(/([a-z0-9])([A-Z])/g, "$1 $2").toLowerCase();
  return { one: words, many: `${words}s`, icon: square };
}

export const countedKind = (kind: string, count: number): string => {
  const { one, many } = lookOf(kind);
  return `${count} ${count === 1 ? one : many}`;
};

export const iconOf = (kind: string): Element =>
  element(
    "svg",
    { viewBox: "0 0 24 24", class: "icon", "aria-hidden": "true" },
    element("path", { d: lookOf(kind).icon }),
  );
