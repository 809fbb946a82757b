import { z } from "zod";
import { canonicalAddress, IPAddress, networkingIps } from "../../api";
import { resource } from "../engine/resource";
import { naming, ReverseName, reverseName } from "./reverse-name";

export const reverseDns = resource({
  kind: "ReverseDns",
  summary:
    "The name that a reverse lookup of an instance's address gives; deleted, the address has the platform's own name again.",
  source: "part 3 · Endpoints · IP addresses and VLANs",
  area: "networkingIps",
  inputs: z.strictObject({
    address: networkingIps.view.params.address.describe("Public address of an instance, IPv4 or IPv6."),
    rdns: ReverseName.describe(
      "Name for reverse lookups. It must resolve to the address already: name the `DomainRecord` that says so in `dependsOn`.",
    ),
  }),
  outputs: IPAddress,
  parent: { address: "address" },
  changes: { address: "replace", rdns: "rename" },
  steps: {
    rename: { run: ({ api, path, changed }) => naming(api.networkingIps.update({ path, body: changed })) },
  },
  key: "repeatable",
  outlives: true,
  async create({ api, want: { address: given, rdns } }) {
    const path = { address: canonicalAddress(given) ?? given };
    await naming(api.networkingIps.update({ path, body: { rdns } }));
    return path;
  },
  /** A name that somebody else has set since is theirs. */
  async delete({ api, path, want, seen }) {
    if (!seen.rdns || reverseName(seen.rdns) !== reverseName(want.rdns ?? "")) return;
    await api.networkingIps.update({ path, body: { rdns: null } });
  },
});
