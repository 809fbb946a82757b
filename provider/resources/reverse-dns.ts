import { z } from "zod";
import { canonicalAddress, IPAddress, networkingIps } from "../../api";
import { resource } from "../engine/definition";
import { ReverseName, reverseName, withOrderHint } from "./reverse-name";

export const reverseDns = resource({
  name: "ReverseDns",
  summary:
    "The name that a reverse lookup of an instance's address gives; deleted, the address has the platform's own name again.",
  source: "part 3 · Endpoints · IP addresses and VLANs",
  inputs: z.strictObject({
    address: networkingIps.view.params.address.describe("Public address of an instance, IPv4 or IPv6."),
    rdns: ReverseName.describe(
      "Name for reverse lookups. It must resolve to the address already: name the `DomainRecord` that says so in `dependsOn`.",
    ),
  }),
  outputs: IPAddress,
  identity: { area: "networkingIps", parents: { address: "address" }, lostCreate: "repeat" },
  fields: { address: "replace", rdns: "rename" },
  steps: {
    rename: { run: ({ api, path, changed }) => withOrderHint(api.networkingIps.update({ path, body: changed })) },
  },
  async create({ api, want: { address: given, rdns } }) {
    const path = { address: canonicalAddress(given) ?? given };
    await withOrderHint(api.networkingIps.update({ path, body: { rdns } }));
    return path;
  },
  delete: {
    /** A name that was set outside this program stays. */
    async run({ api, path, want, observe }) {
      const seen = await observe();
      if (!seen?.rdns || reverseName(seen.rdns) !== reverseName(want.rdns ?? "")) return;
      await api.networkingIps.update({ path, body: { rdns: null } });
    },
    stays: true,
  },
});
