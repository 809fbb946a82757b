import { z } from "zod";
import { addressKind, canonicalAddress, canonicalNetwork, Id, IPv6Range, ofText } from "../../api";
import type { Age } from "../client/observations";
import { resource } from "../engine/definition";
import type { Host } from "../engine/host";

/** The first address of the /64 that a text names; undefined if it does not name one. */
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
 * Only support routes a range, and the API only lists ranges: assigning and sharing take IPv4 addresses. So the resource
 * adopts the range and detects drift, but changes nothing.
 */
export const ipv6Range = resource({
  name: "Ipv6Range",
  summary:
    "An IPv6 range, a /64 that is routed to one instance, for programs that build on it. Support gives, moves and takes ranges: this resource refers to one that is there, and tells when it has moved or gone. Deleted, the range stays.",
  source: "part 3 · Endpoints · IP addresses and VLANs",
  inputs: z.strictObject({
    range: Range.describe("First address of the range, with or without its `/64`."),
    compute_id: Id.optional().describe(
      "Instance that the range must be routed to; absent, it may be any. Nothing is moved: a range that is routed elsewhere is refused, and one that moves later is a difference.",
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
  // The API changes nothing of a range. A replacement adopts it again if support has moved it to the declared instance.
  fields: { range: "replace", compute_id: "replace" },
  async create({ host, api, want: { range: given, compute_id } }) {
    const range = rangeOf(given) ?? given;
    const found = await rangeAt(api, range);
    if (!found) throw new Error(`there is no IPv6 range ${range} on the account; ranges come by a support request`);
    const holder = compute_id === undefined ? undefined : await holderOf(host, found, "now");
    if (holder !== compute_id)
      throw new Error(
        `the IPv6 range ${range} is routed to ${found.route_target ?? "nothing"}` +
          `${holder === undefined ? "" : ` of instance ${holder}`}, not to instance ${compute_id}; to move it takes a support request`,
      );
    return { range };
  },
  delete: { run: "none" },
});

async function rangeAt(api: Host["api"], range: string | undefined): Promise<IPv6Range | undefined> {
  for await (const found of api.ipv6.ranges.all()) if (rangeOf(found.range) === range) return found;
  return undefined;
}

/** The instance whose own address the range is routed to. */
async function holderOf(host: Host, { route_target }: IPv6Range, age: Age): Promise<number | undefined> {
  if (route_target === null) return undefined;
  const address = canonicalAddress(route_target) ?? route_target;
  return (await host.reads.view("networkingIps", { address }, { age }))?.compute_id;
}
