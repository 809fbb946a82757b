import { roundTtlUp, zoneDefaults } from "../../api/dns";
import { Domain, DomainCreate, domainRules } from "../../api/domains";
import { resource } from "../resource";

export const domain = resource({
  kind: "Domain",
  summary: "A DNS zone: kept here (`master`) or copied from other servers (`slave`).",
  source: "part 3 · Endpoints · Domains",
  area: "domains",
  inputs: DomainCreate,
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
  },
  steps: { edit: { run: ({ api, path, changed }) => api.domains.update({ path, body: changed }) } },
  compare: {
    expire_sec: (seconds) => seconds || zoneDefaults.expire_sec,
    refresh_sec: (seconds) => seconds || zoneDefaults.refresh_sec,
    retry_sec: (seconds) => seconds || zoneDefaults.retry_sec,
    ttl_sec: (seconds) => seconds || zoneDefaults.ttl_sec,
  },
  rounds: { expire_sec: roundTtlUp, refresh_sec: roundTtlUp, retry_sec: roundTtlUp, ttl_sec: roundTtlUp },
  rules: domainRules,
  key: ["domain"],
  states: { active: "ready", disabled: "ready" },
  async create({ api, want }) {
    const { id } = await api.domains.create({ body: want });
    return { domainId: id };
  },
});
