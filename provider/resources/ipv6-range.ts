import { z } from "zod";
import { addressKind, canonicalAddress, canonicalNetwork, Id, IPv6Range, ofText } from "../../api";
import type { Age } from "../client/observations";
import { resource } from "../engine/definition";
import type { Host } from "../engine/host";

/** The first address of an IPv6 range with the prefix length 64. Undefined if the text is not such a range. */
function rangeOf(text: string): string | undefined {
  const [first = "", length, ...rest] = text.split("/");
  if (rest.length || (length !== undefined && length !== "64") || addressKind(first) !== "ipv6") return undefined;
  return canonicalNetwork(`${first}/64`) === `${canonicalAddress(first)}/64` ? canonicalAddress(first) : undefined;
}

const Range = IPv6Range.shape.range
  .refine(
    (text) => rangeOf(text) !== undefined,
    "must be the first address of a /64, such as 2001:db8:0:100:: or 2001:db8:0:100::/64",
  )
  .meta({ canonical: ofText(rangeOf) });

/**
 * The API can only list IPv6 ranges: support routes them to instances, and the operations for assigning and sharing
 * addresses accept only IPv4. The resource therefore adopts an existing range and detects drift, but does not change
 * the range.
 */
export const ipv6Range = resource({
  name: "Ipv6Range",
  summary:
    "Refers to an IPv6 range: a /64 that is routed to an instance. Support adds, moves and removes ranges, so the resource only adopts an existing range and detects changes to it. Deleting the resource does not delete the range.",
  elsewhere: {
    terraform: "linode_ipv6_range",
    pulumi: "Ipv6Range",
    note: "Refers to an existing range. In release 4.108.1, only customer support can create ranges.",
  },
  inputs: z.strictObject({
    range: Range.describe("First address of the range, with or without `/64`."),
    compute_id: Id.optional().describe(
      "Instance that the range must be routed to. If omitted, any instance. The range is never moved: creating the resource fails if the range is routed elsewhere, and a later move is drift.",
    ),
  }),
  outputs: IPv6Range.extend({
    compute_id: Id.optional().meta({ volatile: true }).describe("Instance that the range is routed to."),
  }),
  identity: {
    area: "ipv6",
    parents: { range: "range" },
    lookup: {
      path: z.strictObject({ range: Range }),
      async get({ host, api, path, want, age }) {
        const found = await rangeAt(api, rangeOf(path.range));
        if (!found) return undefined;
        return want.compute_id === undefined ? found : { ...found, compute_id: await holderOf(host, found, age) };
      },
    },
    lostCreate: "repeat",
  },
  inventory: { file: "networking", list: "byId", title: "id", omissionReason: "only support changes ranges" },
  // The API cannot change a range. Once support has routed the range to another instance, a replacement adopts it
  // there.
  fields: { range: "replace", compute_id: "replace" },
  async create({ host, api, want: { range: declaredRange, compute_id } }) {
    const range = rangeOf(declaredRange) ?? declaredRange;
    const found = await rangeAt(api, range);
    if (!found) throw new Error(`the account does not have the IPv6 range ${range}; request ranges from support`);
    const holder = compute_id === undefined ? undefined : await holderOf(host, found, "now");
    const ofInstance = holder === undefined ? "" : ` of instance ${holder}`;
    if (holder !== compute_id)
      throw new Error(
        `the IPv6 range ${range} is routed to ${found.route_target ?? "nothing"}${ofInstance}, not to instance ${compute_id}; moving it requires a support request`,
      );
    return { range };
  },
  delete: { run: "none" },
});

async function rangeAt(api: Host["api"], range: string | undefined): Promise<IPv6Range | undefined> {
  for await (const found of api.ipv6.ranges.all()) if (rangeOf(found.range) === range) return found;
  return undefined;
}

/** The instance to which the range is routed. */
async function holderOf(host: Host, { route_target }: IPv6Range, age: Age): Promise<number | undefined> {
  if (route_target === null) return undefined;
  const address = canonicalAddress(route_target) ?? route_target;
  return (await host.reads.view("networkingIps", { address }, { age }))?.compute_id;
}
