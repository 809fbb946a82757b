import { z } from "zod";
import { asSet, Id, networkingIps } from "../../api";
import { isNotFound } from "../client/errors";
import { resource } from "../engine/definition";

const { share } = networkingIps;
const Shared = share.body.shape.ips.meta({ canonical: asSet });

export const ipSharing = resource({
  name: "IpSharing",
  summary:
    "Shares IPv4 addresses of other instances with an instance, for example for failover. Use one resource per instance. Deleting the resource removes all shared addresses from the instance.",
  elsewhere: { terraform: "linode_instance_shared_ips", pulumi: "InstanceSharedIps" },
  inputs: share.body.extend({
    ips: Shared.describe(
      "All IPv4 addresses shared with the instance. They must be assigned to other instances in its region. With an empty list, no addresses are shared with the instance.",
    ),
  }),
  outputs: share.body.extend({ ips: Shared }),
  identity: {
    area: "networkingIps",
    parents: { compute_id: "computeId" },
    lookup: {
      path: z.strictObject({ computeId: Id }),
      async get({ api, path }) {
        try {
          const { ipv4 } = await api.instanceAddresses.list({ path });
          return { compute_id: path.computeId, ips: ipv4.shared.map(({ address }) => address) };
        } catch (error) {
          if (isNotFound(error)) return undefined;
          throw error;
        }
      },
    },
    lostCreate: "repeat",
  },
  inventory: {
    file: "networking",
    list: "byId",
    title: "id",
    omissionReason: "finding shared addresses takes a request for each instance",
  },
  fields: {
    compute_id: "replace",
    ips: { change: "share", by: ["networkingIps.share"], note: "the list is replaced as a whole" },
  },
  steps: {
    share: { awaitInputs: true, run: ({ api, want }) => api.networkingIps.share({ body: want }) },
  },
  async create({ api, want }) {
    await api.networkingIps.share({ body: want });
    return { computeId: want.compute_id };
  },
  delete: {
    declaredBy:
      ({ path: { computeId } }) =>
      ({ kind, path }) =>
        kind === "IpSharing" && path.computeId === computeId,
    run: ({ api, path: { computeId: compute_id } }) => api.networkingIps.share({ body: { compute_id, ips: [] } }),
    retained: {
      note: "Deleting the resource removes all shared addresses from the instance. They stay assigned to the other instances.",
    },
  },
});
