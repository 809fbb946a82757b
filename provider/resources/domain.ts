import { z } from "zod";
import { Domain, DomainCreate, domainRules, domains, Id, metaOf, type Rule, roundTtlUp, zoneDefaults } from "../../api";
import { resource } from "../engine/definition";
import { bodyOf } from "./body";
import { lockTagsIfChanged } from "./object-locks";

const source = "part 3 · Endpoints · Domains";

/** Defaults for a new domain that is not a copy. A copy has the values of the domain that was copied. */
const initial = DomainCreate.pick({
  status: true,
  expire_sec: true,
  refresh_sec: true,
  retry_sec: true,
  ttl_sec: true,
}).parse({});

type Initial = keyof typeof initial;
type Origin = { clone_from?: number | undefined; import_from?: string | undefined };

const isCopy = ({ clone_from, import_from }: Origin): boolean => clone_from !== undefined || import_from !== undefined;

const initialInput = <K extends Initial>(key: K): z.ZodOptional<(typeof Domain.shape)[K]> =>
  z
    .optional(Domain.shape[key])
    .describe(
      `${metaOf(Domain.shape[key]).description} Defaults to ${initial[key]} or, for a cloned domain, to the value of the source.`,
    );

/** A copy has no defaults, also after `clone_from` or `import_from` was removed: its inputs of the last update lack them. */
const defaultUnlessCopied =
  <K extends Initial>(key: K) =>
  (_: unknown, declared: Origin, olds: Origin & Partial<typeof initial>): (typeof initial)[K] | undefined => {
    const wasCopy = Object.keys(olds).length > 0 && olds[key] === undefined;
    return isCopy(declared) || wasCopy ? undefined : initial[key];
  };

/**
 * An input for the zone's TTL, refresh, retry or expiry time in seconds, which the service rounds. 0 means the
 * service's default.
 */
const seconds = (key: keyof typeof zoneDefaults) =>
  ({
    change: "edit",
    canonical: (value: number) => value || zoneDefaults[key],
    round: roundTtlUp,
    default: defaultUnlessCopied(key),
  }) as const;

const atCopying = {
  change: "writeOnly",
  note: "the value is used only when the domain is created; the domain and its records do not change",
} as const;

export const domain = resource({
  name: "Domain",
  summary:
    "Manages a DNS zone. The records of a `master` zone are managed on this platform; a `slave` zone is copied from other name servers. Deleting a domain deletes all of its records, also those that the program does not declare.",
  elsewhere: { terraform: "linode_domain", pulumi: "Domain" },
  inputs: DomainCreate.extend({
    status: initialInput("status"),
    expire_sec: initialInput("expire_sec"),
    refresh_sec: initialInput("refresh_sec"),
    retry_sec: initialInput("retry_sec"),
    ttl_sec: initialInput("ttl_sec"),
    clone_from: Id.optional().describe(
      "Domain to clone, including its records. Other inputs are applied after cloning.",
    ),
    import_from: domains.import.body.shape.remote_nameserver
      .optional()
      .describe(
        "Name server to import the records from by AXFR, which it must allow. Other inputs are applied after the import.",
      ),
  }),
  outputs: Domain,
  identity: {
    area: "domains",
    displayName: ({ domain }) => domain && `Domain "${domain}"`,
    lostCreate: { match: ["domain"] },
  },
  inventory: { file: "dns", list: "operation", title: "domain" },
  fields: {
    domain: "edit",
    type: "edit",
    status: { change: "edit", default: defaultUnlessCopied("status") },
    description: "edit",
    group: "edit",
    soa_email: "edit",
    master_ips: "edit",
    axfr_ips: "edit",
    expire_sec: seconds("expire_sec"),
    refresh_sec: seconds("refresh_sec"),
    retry_sec: seconds("retry_sec"),
    ttl_sec: seconds("ttl_sec"),
    tags: "edit",
    clone_from: atCopying,
    import_from: atCopying,
  },
  steps: {
    edit: {
      run: ({ host, api, path, changed }) =>
        lockTagsIfChanged(host, ["domains", path.domainId], changed, () => api.domains.update({ path, body: changed })),
    },
  },
  checks: {
    rules: [
      // A copy gets inputs that are otherwise required, such as `soa_email`, from the copied domain, so the rules that
      // require them are not applied.
      ...domainRules.map(
        (rule): Rule<Pick<DomainCreate, "type" | "soa_email" | "master_ips"> & Origin> => ({
          ...rule,
          reads: [...rule.reads, "clone_from", "import_from"],
          *check(want) {
            if (!isCopy(want)) yield* rule.check(want);
          },
        }),
      ),
      {
        reads: ["clone_from", "import_from"],
        *check({ clone_from, import_from }) {
          if (clone_from !== undefined && import_from !== undefined)
            yield {
              field: "import_from",
              reason: "must be omitted if cloneFrom is set: a domain has only one source",
            };
        },
        source,
      },
      {
        reads: ["type", "import_from"],
        *check({ type, import_from }) {
          if (import_from !== undefined && type !== "master")
            yield {
              field: "type",
              reason: 'must be "master" if importFrom is set: a slave domain copies its records from its masters',
            };
        },
        source,
      },
    ],
  },
  readiness: { byStatus: { active: "ready", disabled: "ready" } },
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
