import { z } from "zod";
import { Domain, DomainCreate, domainRules, domains, Id, metaOf, type Rule, roundTtlUp, zoneDefaults } from "../../api";
import { resource } from "../engine/resource";
import { bodyOf } from "./body";

/** What a domain begins with, unless it is a copy: that begins with what it is copied from. */
const Initial = DomainCreate.pick({
  status: true,
  expire_sec: true,
  refresh_sec: true,
  retry_sec: true,
  ttl_sec: true,
});
const initial = Initial.parse({});
const { status, expire_sec, refresh_sec, retry_sec, ttl_sec } = Domain.shape;

const begun = <T extends z.core.$ZodType>(field: T, value: string | number) =>
  z
    .optional(field)
    .describe(`${metaOf(field).description} A new domain begins with ${value}, a copy with what it is copied from.`);

type Origin = { clone_from?: number | undefined; import_from?: string | undefined };

const isCopy = ({ clone_from, import_from }: Origin): boolean => clone_from !== undefined || import_from !== undefined;

/** What a domain's type asks for, a copy may bring along. */
const ownRules: Rule<Pick<DomainCreate, "type" | "soa_email" | "master_ips"> & Origin>[] = domainRules.map((rule) => ({
  ...rule,
  reads: [...rule.reads, "clone_from", "import_from"],
  *check(want) {
    if (!isCopy(want)) yield* rule.check(want);
  },
}));

const copyRules: Rule<Pick<DomainCreate, "type"> & Origin>[] = [
  {
    reads: ["clone_from", "import_from"],
    *check({ clone_from, import_from }) {
      if (clone_from !== undefined && import_from !== undefined)
        yield { field: "import_from", reason: "must be absent beside cloneFrom: a domain is copied from one place" };
    },
    source: "part 3 · Endpoints · Domains",
  },
  {
    reads: ["type", "import_from"],
    *check({ type, import_from }) {
      if (import_from !== undefined && type !== "master")
        yield { field: "type", reason: 'must be "master" with importFrom: what is imported is kept here' };
    },
    source: "part 3 · Endpoints · Domains",
  },
];

const atCopying = { kept: "used only when the domain is made, so the domain and its records stay as they are" };

export const domain = resource({
  kind: "Domain",
  summary: "A DNS zone: kept here (`master`) or copied from other servers (`slave`).",
  source: "part 3 · Endpoints · Domains",
  area: "domains",
  inputs: DomainCreate.extend({
    status: begun(status, initial.status),
    expire_sec: begun(expire_sec, initial.expire_sec),
    refresh_sec: begun(refresh_sec, initial.refresh_sec),
    retry_sec: begun(retry_sec, initial.retry_sec),
    ttl_sec: begun(ttl_sec, initial.ttl_sec),
    clone_from: Id.optional().describe(
      "Domain that this one begins as a copy of, its records included; what is stated here is changed after that.",
    ),
    import_from: domains.import.body.shape.remote_nameserver
      .optional()
      .describe(
        "Name server that the domain's records are copied from by AXFR, which it must allow; what is stated here is changed after that.",
      ),
  }),
  outputs: Domain,
  changes: {
    domain: "edit",
    type: "edit",
    status: "edit",
    description: "edit",
    group: "edit",
    soa_email: "edit",
    master_ips: "edit",
    axfr_ips: "edit",
    expire_sec: "edit",
    refresh_sec: "edit",
    retry_sec: "edit",
    ttl_sec: "edit",
    tags: "edit",
    clone_from: atCopying,
    import_from: atCopying,
  },
  steps: { edit: { run: ({ api, path, changed }) => api.domains.update({ path, body: changed }) } },
  compare: {
    expire_sec: (seconds) => seconds || zoneDefaults.expire_sec,
    refresh_sec: (seconds) => seconds || zoneDefaults.refresh_sec,
    retry_sec: (seconds) => seconds || zoneDefaults.retry_sec,
    ttl_sec: (seconds) => seconds || zoneDefaults.ttl_sec,
  },
  rounds: { expire_sec: roundTtlUp, refresh_sec: roundTtlUp, retry_sec: roundTtlUp, ttl_sec: roundTtlUp },
  defaults: (_, given) => (isCopy(given) ? {} : initial),
  rules: [...ownRules, ...copyRules],
  called: ({ domain }) => domain && `Domain "${domain}"`,
  key: ["domain"],
  states: { active: "ready", disabled: "ready" },
  async create({ api, want }) {
    const { domain, clone_from, import_from } = want;
    if (clone_from !== undefined) {
      const { id } = await api.domains.clone({ path: { domainId: clone_from }, body: { domain } });
      return { domainId: id };
    }
    const { id } =
      import_from === undefined
        ? await api.domains.create({ body: { ...initial, ...bodyOf(DomainCreate, want) } })
        : await api.domains.import({ body: { domain, remote_nameserver: import_from } });
    return { domainId: id };
  },
});
