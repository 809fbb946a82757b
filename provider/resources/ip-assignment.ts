import { z } from "zod";
import { assignRules, networkingIps, RegionId } from "../../api";
import type { Age } from "../client/observations";
import { resource } from "../engine/definition";
import type { Host } from "../engine/host";

const Body = networkingIps.assign.body;

type Assignment = z.output<typeof Body>["assignments"][number];

/** Sorts assignments, because their order does not matter: all of them are carried out at once. */
const byAddress = (value: unknown): unknown =>
  Array.isArray(value) ? [...value].sort((a, b) => (String(a?.address) < String(b?.address) ? -1 : 1)) : value;

const Assignments = Body.shape.assignments.meta({ canonical: byAddress, entryKey: "address" });

export const ipAssignment = resource({
  name: "IpAssignment",
  summary:
    "Assigns IPv4 addresses to instances of a region. All addresses move in one step, so they can be swapped. Deleting the resource leaves each address on its instance.",
  elsewhere: { terraform: "linode_networking_ip_assignment", pulumi: "NetworkingIpAssignment" },
  inputs: Body.extend({
    assignments: Assignments.describe(
      "Ids of the instances by address. Addresses that are not listed are not moved. To move an address, write it as a text: the output `ipv4` of an instance changes with the move, so the update after a refresh would take it back. Afterwards every instance must have at least one public and at most one private address.",
    ),
  }),
  outputs: Body.extend({ assignments: Assignments.describe("Ids of the instances by address.") }),
  identity: {
    area: "networkingIps",
    parents: { region: "region" },
    lookup: {
      path: z.strictObject({ region: RegionId }),
      /** An import has no inputs, so it reads all public addresses of the region. */
      async get({ host, api, path: { region }, want, age }) {
        const assignments = want.assignments ? await holders(host, want.assignments, age) : await inRegion(api, region);
        return assignments.length ? { region, assignments } : undefined;
      },
    },
    lostCreate: "repeat",
  },
  inventory: {
    file: "networking",
    list: "byId",
    title: "id",
    omissionReason: "the API returns where addresses are, but not which were moved there",
  },
  fields: {
    region: "replace",
    assignments: { change: "assign", by: ["networkingIps.assign"], note: "all changed addresses move in one step" },
  },
  steps: {
    assign: { awaitInputs: true, run: ({ api, want, observed }) => assign(api, want, observed.assignments ?? []) },
  },
  checks: { rules: assignRules },
  async create({ host, api, want }) {
    await assign(api, want, await holders(host, want.assignments, "now"));
    return { region: want.region };
  },
  delete: { run: "none" },
});

/**
 * Assigns those addresses that are not assigned to the declared instances yet. Addresses that are already assigned are
 * omitted, because the request would write an unnecessary event for each of them.
 */
async function assign(
  api: Host["api"],
  { region, assignments }: z.output<typeof Body>,
  now: readonly Assignment[],
): Promise<void> {
  const holder = new Map(now.map(({ address, compute_id }) => [address, compute_id]));
  const moves = assignments.filter(({ address, compute_id }) => holder.get(address) !== compute_id);
  if (moves.length) await api.networkingIps.assign({ body: { region, assignments: moves } });
}

/** The instances to which the given addresses are assigned. Addresses without an instance are omitted. */
async function holders(host: Host, wanted: readonly Assignment[], age: Age): Promise<Assignment[]> {
  const found = await Promise.all(wanted.map(({ address }) => host.reads.view("networkingIps", { address }, { age })));
  return found.flatMap((record) => (record ? [{ address: record.address, compute_id: record.compute_id }] : []));
}

async function inRegion(api: Host["api"], region: string): Promise<Assignment[]> {
  const found: Assignment[] = [];
  for await (const { type, address, compute_id } of api.networkingIps.list.all({}, { filter: { region } }))
    if (type === "ipv4") found.push({ address, compute_id });
  return found;
}
