import { cased, number, setOf } from "../equivalent-values";
import type { CreateFixture, Effects, EquivalentValues, ExampleEdit, Found } from "../fixture";
import { id, type Templates } from "../template";
import { instance } from "./needs";

export const effects: Effects<"Tag"> = {
  label: "replace",
  computes: ["instances.update"],
  domains: ["domains.update"],
  nodebalancers: ["nodeBalancers.update"],
  volumes: ["volumes.update"],
};

export const found: Found = { by: "search" };

export const fixture: CreateFixture<"Tag"> = async (cloud) => {
  const { api, world } = cloud;
  const [web, sql] = [(await instance(cloud, "web")).id, (await instance(cloud, "sql")).id];
  await api.instances.update({ path: { computeId: sql }, body: { tags: ["other"] } });
  const zone = async (domain: string) =>
    (await api.domains.create({ body: { domain, type: "master", soa_email: "a@example.org" } })).id;
  const [org, com] = [await zone("example.org"), await zone("example.com")];
  const { id: balancer } = await api.nodeBalancers.create({ body: { label: "front", region: "us-east" } });
  const { id: volume } = await api.volumes.create({ body: { label: "data", region: "us-east", size: 20 } });
  const of = (table: { all(): readonly { id: number; tags: string[] }[] }) =>
    table.all().flatMap(({ id, tags }) => (tags.includes("prod") ? [id] : []));
  return {
    base: { label: "prod", computes: [web, sql] },
    changes: {
      label: { to: "staging" },
      computes: [
        { to: [sql], calls: ["instances.update tags"], read: () => of(world.instances) },
        {
          before: { computes: [web] },
          to: [sql],
          calls: ["instances.update tags", "instances.update tags"],
          read: () => of(world.instances),
        },
        { to: [], calls: ["instances.update tags", "instances.update tags"], read: () => of(world.instances) },
      ],
      domains: { to: [org, com], calls: ["domains.update tags", "domains.update tags"], read: () => of(world.domains) },
      nodebalancers: { to: [balancer], calls: ["nodeBalancers.update tags"], read: () => of(world.nodeBalancers) },
      volumes: { to: [volume], calls: ["volumes.update tags"], read: () => of(world.volumes) },
    },
    notRead: ["computes"],
    /**
     * Another client adds the tag to a domain that the program does not declare. This must not be reported as drift.
     */
    changeUnmanaged: () => api.domains.update({ path: { domainId: com }, body: { tags: ["prod"] } }),
  };
};

export const equivalentValues: EquivalentValues = ({ computes }) => [
  { inputs: {}, equivalent: { label: cased("prod"), computes: setOf(computes as number[], number) } },
];

export const exampleEdit: ExampleEdit<"Tag"> = { domains: [] };

export const templates: Templates = {
  Tag: {
    needs: { machine: "Instance", domain: "Domain" },
    skip: ["computes", "domains", "nodebalancers", "volumes"],
    inputs: (roles) => ({ computes: [id(roles, "machine")], domains: [id(roles, "domain")] }),
  },
};
