import { z } from "zod";
import { canonicalAddress, IPAddress, networkingIps } from "../../api";
import { resource } from "../engine/definition";
import type { SearchContext } from "../engine/inventory";
import { ReverseName, reverseName, withOrderHint } from "./reverse-name";

export const reverseDns = resource({
  name: "ReverseDns",
  summary: "Manages the reverse DNS name of an instance's address. Deleting the resource restores the default name.",
  elsewhere: { terraform: "linode_rdns", pulumi: "Rdns" },
  inputs: z.strictObject({
    address: networkingIps.view.params.address.describe("Public IPv4 or IPv6 address of an instance."),
    rdns: ReverseName.describe(
      "Reverse DNS name. Must already resolve to the address: add the `DomainRecord` that resolves it to `dependsOn`.",
    ),
  }),
  outputs: IPAddress,
  identity: {
    area: "networkingIps",
    manages: ({ address }) => [{ area: "networkingIps", path: { address } }],
    parents: { address: "address" },
    lostCreate: "repeat",
  },
  inventory: {
    file: "networking",
    list: "search",
    title: ({ type }) => type,
    async search({ api, ids }: SearchContext) {
      const instances = ids("instances");
      const all = await Array.fromAsync(api.networkingIps.list.all());
      return all
        .filter((row) => instances.has(row.compute_id) && row.rdns && !isServiceName(row.address, row.rdns))
        .map((row) => ({ path: { address: canonicalAddress(row.address) ?? row.address }, row }));
    },
  },
  fields: { address: "replace", rdns: "rename" },
  steps: {
    rename: { run: ({ api, path, changed }) => withOrderHint(api.networkingIps.update({ path, body: changed })) },
  },
  async create({ api, want: { address: declaredAddress, rdns } }) {
    const path = { address: canonicalAddress(declaredAddress) ?? declaredAddress };
    await withOrderHint(api.networkingIps.update({ path, body: { rdns } }));
    return path;
  },
  delete: {
    declaredBy:
      ({ path: { address } }) =>
      ({ kind, path, want }) =>
        ["InstanceIp", "ReverseDns"].includes(kind) && path.address === address && want.rdns !== undefined,
    /** Restores the default name, unless another name was set outside this program. */
    async run({ api, path, want, observe }) {
      const observed = await observe();
      if (!observed?.rdns || reverseName(observed.rdns) !== reverseName(want.rdns ?? "")) return;
      await api.networkingIps.update({ path, body: { rdns: null } });
    },
    retained: {
      note: "Deleting the resource restores the default name. A name that was set outside this program is kept, unless a refresh has stored it in the state.",
    },
  },
});

/** Whether a reverse DNS name is set by the service. Such names contain the address: `192-0-2-1.ip.example.com`. */
const isServiceName = (address: string, name: string): boolean =>
  name.replaceAll(/[^0-9a-f]+/g, " ").includes(address.replaceAll(/[^0-9a-f]+/g, " ").trim());
