import { z } from "zod";
import { type Area, type Operation, Paging, page, RegionId } from "../../../api";
import { accountOf } from "../../areas/account/billing";
import type { Key, Table } from "../../core/store";
import type { World } from "../../core/world";
import type { ServedArea } from "../../http/handlers";

/** An object whose fields the contract does not define. */
const Open = z.looseObject({});

const source = "operations of the public service that came after the release of the API documentation";

type Path = Operation["path"];
type Scopes = Operation["scopes"];

const view = <const P extends Path>(path: P, scopes: Scopes, summary: string) =>
  ({ summary, method: "GET", path, scopes, result: Open, source }) as const;

const list = <const P extends Path>(path: P, scopes: Scopes, summary: string) =>
  ({ summary, method: "GET", path, scopes, query: Paging, result: page(Open), source }) as const;

/** A list that is an array instead of pages. */
const array = <const P extends Path>(path: P, scopes: Scopes, summary: string) =>
  ({ summary, method: "GET", path, scopes, result: z.array(Open), source }) as const;

const AccountSettings = z.strictObject({
  managed: z.boolean(),
  longview_subscription: z.string().nullable(),
  network_helper: z.boolean(),
  backups_enabled: z.boolean(),
  object_storage: z.enum(["disabled", "active", "suspended"]),
  interfaces_for_new_linodes: z.enum([
    "legacy_config_only",
    "legacy_config_default_but_linode_allowed",
    "linode_default_but_legacy_config_allowed",
    "linode_only",
  ]),
  maintenance_policy: z.string(),
});

const profile = {
  view: view("/profile", ["account:read_only"], "View the profile of the user."),
  grants: view("/profile/grants", ["account:read_only"], "View the grants of the user."),
} satisfies Area;

const accountSettings = {
  view: {
    summary: "View the settings of the account.",
    method: "GET",
    path: "/account/settings",
    scopes: ["account:read_only"],
    result: AccountSettings,
    source,
  },
  update: {
    summary: "Update the settings of the account.",
    method: "PUT",
    path: "/account/settings",
    scopes: ["account:read_write"],
    body: AccountSettings.omit({ managed: true, object_storage: true }).partial(),
    result: AccountSettings,
    source,
  },
  users: list("/account/users", ["account:read_only"], "List the users of the account."),
  availability: list("/account/availability", ["account:read_only"], "List the services of each region."),
  betas: list("/account/betas", ["account:read_only"], "List the beta programs that the account takes part in."),
} satisfies Area;

const prices = {
  volumes: list("/volumes/types", [], "List the prices of volumes."),
  loadBalancers: list("/nodebalancers/types", [], "List the prices of load balancers."),
  clusters: list("/lke/types", [], "List the prices of control planes."),
  transfer: list("/network-transfer/prices", [], "List the prices of network transfer."),
} satisfies Area;

const reading = {
  regionAvailability: list("/regions/availability", [], "List the instance types that are sold out."),
  availabilityInRegion: {
    ...array("/regions/{regionId}/availability", [], "List the types that are sold out in a region."),
    params: { regionId: RegionId },
  },
  interfaces: view("/compute/instances/{computeId}/interfaces", ["computes:read_only"], "List the newer interfaces."),
  configInterfaces: array(
    "/compute/instances/{computeId}/configs/{configId}/interfaces",
    ["computes:read_only"],
    "List the interfaces of a config.",
  ),
  firewallSettings: view("/networking/firewalls/settings", ["firewall:read_only"], "View the default firewalls."),
  balancerFirewalls: list(
    "/nodebalancers/{nodeBalancerId}/firewalls",
    ["nodebalancers:read_only"],
    "List the firewalls of a load balancer.",
  ),
  balancerVpcs: list("/nodebalancers/{nodeBalancerId}/vpcs", ["nodebalancers:read_only"], "List VPCs. There are none."),
  endpoints: list("/object-storage/endpoints", ["object_storage:read_only"], "List the endpoints of object storage."),
  quotas: list("/object-storage/quotas", ["object_storage:read_only"], "List the quotas of object storage."),
  controlPlaneAcl: view("/lke/clusters/{clusterId}/control_plane_acl", ["lke:read_only"], "View the ACL of a cluster."),
  dashboard: view("/lke/clusters/{clusterId}/dashboard", ["lke:read_only"], "View the URL of a cluster's dashboard."),
  tierVersions: {
    ...list("/lke/tiers/{tier}/versions", [], "List the Kubernetes versions of a tier."),
    params: { tier: z.enum(["standard", "enterprise"]) },
  },
} satisfies Area;

const none = {
  vpcs: list("/vpcs", ["computes:read_only"], "List VPCs. There are none."),
  placementGroups: list("/placement/groups", ["computes:read_only"], "List placement groups. There are none."),
  betaPrograms: list("/betas", [], "List beta programs. There are none."),
  maintenancePolicies: list("/maintenance/policies", [], "List maintenance policies."),
  locks: list("/locks", ["account:read_only"], "List locks. There are none."),
} satisfies Area;

export const operations = { profile, accountSettings, prices, reading, none };

/** A price without exceptions for regions, as lists of prices show it. */
const priced = (id: string, label: string, hourly: number, monthly: number, transfer = 0) => ({
  id,
  label,
  price: { hourly, monthly },
  region_prices: [],
  transfer,
});

/** The settings of the account that requests have changed. They are stored with the account. */
const CHANGED = "settings";

type Changed = Partial<z.output<typeof AccountSettings>>;

function settingsOf(world: World): z.output<typeof AccountSettings> {
  const account = accountOf(world) as object as { [CHANGED]?: Changed };
  return {
    managed: world.managedServices.size > 0,
    longview_subscription: null,
    network_helper: true,
    backups_enabled: false,
    object_storage: world.objectStorageAccount.size > 0 ? "active" : "disabled",
    interfaces_for_new_linodes: "legacy_config_only",
    maintenance_policy: "linode/migrate",
    ...account[CHANGED],
  };
}

const servedProfile: ServedArea<typeof profile> = {
  handlers: {
    view: ({ world, caller: { username, restricted } }) => ({
      username,
      email: accountOf(world).email,
      timezone: "GMT",
      email_notifications: true,
      ip_whitelist_enabled: false,
      lish_auth_method: "keys_only",
      authorized_keys: [],
      two_factor_auth: false,
      restricted,
      authentication_type: "password",
      verified_phone_number: null,
    }),
    grants: ({ world, caller }) => {
      const { grants } = world.users.get(String(caller.username));
      return { global: grants.global, ...grants.entities };
    },
  },
};

const servedSettings: ServedArea<typeof accountSettings> = {
  handlers: {
    view: ({ world }) => settingsOf(world),
    update({ world, body }) {
      const { id } = accountOf(world);
      const accounts = world.account as object as Table<{ id: Key; [CHANGED]?: Changed }>;
      accounts.patch(id, { [CHANGED]: { ...accounts.get(id)[CHANGED], ...(body as Changed) } });
      return settingsOf(world);
    },
    users: ({ world }) =>
      world.users.all().map(({ id, restricted }) => ({
        username: id,
        email: accountOf(world).email,
        restricted,
        ssh_keys: [],
        tfa_enabled: false,
        user_type: "default",
      })),
    availability: ({ world }) =>
      world.regions.all().map(({ id, capabilities }) => ({ region: id, available: capabilities, unavailable: [] })),
    betas: () => [],
  },
};

const servedPrices: ServedArea<typeof prices> = {
  handlers: {
    volumes: () => [priced("volume", "Storage Volume", 0.00015, 0.1)],
    loadBalancers: () => [priced("nodebalancer", "NodeBalancer", 0.015, 10)],
    clusters: () => [
      priced("lke-sa", "LKE Standard Availability", 0, 0),
      priced("lke-ha", "LKE High Availability", 0.09, 60),
    ],
    transfer: () => [priced("network_transfer", "Network Transfer", 0.005, 0)],
  },
};

const servedReading: ServedArea<typeof reading> = {
  handlers: {
    regionAvailability: () => [],
    availabilityInRegion({ world, path }) {
      world.regions.get(path.regionId);
      return [];
    },
    interfaces({ world, path }) {
      world.instances.get(path.computeId);
      return { interfaces: [] };
    },
    configInterfaces({ world, path }) {
      world.instances.get(path.computeId);
      return [...(world.instanceConfigs.get(path.configId).interfaces ?? [])];
    },
    firewallSettings: () => ({
      default_firewall_ids: { linode: null, nodebalancer: null, public_interface: null, vpc_interface: null },
    }),
    balancerFirewalls({ world, path }) {
      world.nodeBalancers.get(path.nodeBalancerId);
      return [];
    },
    balancerVpcs({ world, path }) {
      world.nodeBalancers.get(path.nodeBalancerId);
      return [];
    },
    endpoints: ({ world }) =>
      world.objectStorageClusters
        .all()
        .map(({ region, domain }) => ({ region, endpoint_type: "E1", s3_endpoint: domain })),
    quotas: () => [],
    controlPlaneAcl({ world, path }) {
      world.lkeClusters.get(path.clusterId);
      return { acl: { enabled: false, "revision-id": "", addresses: { ipv4: [], ipv6: [] } } };
    },
    dashboard({ world, path }) {
      const { uuid, region } = world.lkeClusters.get(path.clusterId);
      return { url: `https://${uuid}.dashboard.${region}.lke.cloudinfra.example` };
    },
    tierVersions: ({ world, path: { tier } }) => world.lkeVersions.all().map(({ id }) => ({ id, tier })),
  },
};

const servedNone: ServedArea<typeof none> = {
  handlers: {
    vpcs: () => [],
    placementGroups: () => [],
    betaPrograms: () => [],
    maintenancePolicies: () => [
      { slug: "linode/migrate", label: "Migrate", type: "migrate", is_default: true },
      { slug: "linode/power_off_on", label: "Power off and on", type: "power_off_on", is_default: false },
    ],
    locks: () => [],
  },
};

export const areas = {
  profile: servedProfile,
  accountSettings: servedSettings,
  prices: servedPrices,
  reading: servedReading,
  none: servedNone,
};

/** Products that came after the release of the contract, by the beginning of their paths. */
export const products = {
  "/vpcs": "VPCs",
  "/placement": "placement groups",
  "/betas": "beta programs",
  "/locks": "locks",
  "/maintenance": "maintenance policies",
  "/databases": "managed databases",
  "/monitor": "monitoring",
  "/images/sharegroups": "share groups of images",
  "/networking/reserved": "reserved addresses",
  "/networking/prefixlists": "prefix lists",
  "/iam": "roles and permissions",
  "/linode/stackscripts": "StackScripts",
  "/longview": "Longview",
  "/support": "support tickets",
  "/profile": "changes of profiles",
  "/account/users": "changes of users",
  "/nodebalancers/vpcs": "VPCs",
  "/lke/tiers": "tiers of clusters",
};
