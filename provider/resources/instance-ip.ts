import { z } from "zod";
import { AddressAllocation, Id, IPAddress, instanceAddresses, type Rule } from "../../api";
import { isUnauthorized } from "../client/errors";
import type { Age } from "../client/observations";
import type { Observed } from "../engine/contexts";
import { resource } from "../engine/definition";
import type { Host } from "../engine/host";
import { lockAddresses } from "./object-locks";
import { ReverseName, withOrderHint } from "./reverse-name";

const source = "part 3 · Endpoints · IP addresses and VLANs";

/**
 * Validates the name in advance, because the service rejects an invalid name only after it has allocated the address.
 */
const nameRule: Rule<{ public: boolean; rdns?: string | null | undefined }> = {
  reads: ["public", "rdns"],
  *check({ public: isPublic, rdns }) {
    if (!isPublic && rdns !== undefined)
      yield { field: "rdns", reason: "must be omitted for a private address, which does not have reverse DNS" };
  },
  source,
};

const ComputeId = Id.describe(
  "Instance to allocate the address to. If an `IpAssignment` moves the address to another instance, this value does not change.",
);

export const instanceIp = resource({
  name: "InstanceIp",
  summary:
    "Manages an additional IPv4 address of an instance. Public addresses are billed, and support must have enabled them for the instance. An `IpAssignment` can move the address to another instance, where it stays when the resource is deleted. A private address cannot be removed: deleting the resource leaves the address on the instance, and a new resource adopts it.",
  elsewhere: { terraform: "linode_instance_ip", pulumi: "InstanceIp" },
  inputs: AddressAllocation.extend({
    compute_id: ComputeId,
    type: AddressAllocation.shape.type.default("ipv4"),
    public: AddressAllocation.shape.public
      .default(true)
      .describe(
        "Whether the address is public. An instance can have one private address: if this is false, omit `privateIp` on the instance.",
      ),
    rdns: ReverseName.nullable()
      .optional()
      .describe(
        "Reverse DNS name. Must already resolve to the address. `null` restores the default name. In most cases, use a `ReverseDns` that depends on a `DomainRecord` instead, because the address is known only after creation.",
      ),
  }),
  outputs: IPAddress.extend({
    compute_id: ComputeId,
    default_rdns: z
      .string()
      .optional()
      .describe(
        "Default reverse DNS name of the address. Absent until `rdns` is set to `null`: the API returns the default name only then.",
      ),
  }),
  identity: {
    area: "instanceAddresses",
    // With `rdns`, the resource also manages the object of a `ReverseDns`.
    manages: ({ computeId, address }, _, { rdns }) => [
      { area: "instanceAddresses", path: { computeId, address } },
      ...(rdns === undefined ? [] : [{ area: "networkingIps" as const, path: { address } }]),
    ],
    parents: { compute_id: "computeId" },
    lookup: {
      path: z.strictObject({ computeId: Id, address: instanceAddresses.view.params.address }),
      async get({ host, path, state, age }) {
        const record = await find(host, path, age);
        return record && { ...record, default_rdns: state.default_rdns };
      },
    },
    lostCreate: {
      match: ["compute_id", "public"],
      async candidates({ api, want: { compute_id: computeId } }) {
        const { ipv4 } = await api.instanceAddresses.list({ path: { computeId } });
        return [...ipv4.public, ...ipv4.private].map(({ address }) => ({ computeId, address }));
      },
    },
  },
  inventory: {
    file: "networking",
    list: "byId",
    omissionReason: "the API does not return which addresses of an instance are additional",
    title: ({ type }) => type,
  },
  fields: {
    compute_id: "replace",
    type: "replace",
    public: "replace",
    rdns: {
      change: "rename",
      touches: ["default_rdns"],
      // Null in a program stands for the service's default name. The current value is undefined for a private address,
      // which does not have a name.
      current: ({ rdns, default_rdns }, want) =>
        want.rdns === null && rdns === default_rdns ? null : (rdns ?? undefined),
    },
  },
  steps: {
    rename: {
      async run({ api, path, want: { rdns }, observed, setState }) {
        const named = await withOrderHint(
          api.instanceAddresses.update({ path: currentPath(path, observed), body: { rdns } }),
        );
        // The default name is stored in state, because only this response contains it.
        if (rdns === null && named.rdns) setState({ default_rdns: named.rdns });
      },
    },
  },
  checks: { rules: [nameRule] },
  create: ({ host, api, want: { compute_id: computeId, type, public: isPublic } }) =>
    lockAddresses(host, computeId, async () => {
      const path = { computeId };
      // An instance can have only one private address, which cannot be removed. So an existing private address is
      // adopted.
      const [held] = isPublic ? [] : (await api.instanceAddresses.list({ path })).ipv4.private;
      if (held) return { computeId, address: held.address };
      const { address } = await api.instanceAddresses.allocate({ path, body: { type, public: isPublic } });
      return { computeId, address };
    }),
  delete: {
    async run({ host, api, path, observe }) {
      const observed = await observe();
      const { address, computeId } = currentPath(path, observed);
      if (!observed?.public) {
        host.warn(
          `${address} stays on instance ${computeId} until the instance is deleted: private addresses cannot be removed`,
        );
        return "retained";
      }
      // The service can have allocated a deleted address again, to an instance that needs it.
      if (computeId !== path.computeId) {
        host.warn(
          `${address} was not deleted, because it has moved from instance ${path.computeId} to ${computeId}. Unless you need it there, delete it: npx cloudinfra api instance-addresses delete ${computeId} ${address}`,
        );
        return "retained";
      }
      return api.instanceAddresses.delete({ path });
    },
    retained: {
      when: ({ public: isPublic }) => !isPublic,
      note: "A private address stays on the instance until the instance is deleted, because private addresses cannot be removed.",
    },
  },
});

interface Path {
  computeId: number;
  address: string;
}

/** The address, also if it has moved to another instance and the token can read the addresses of the account. */
async function find({ reads }: Host, path: Path, age: Age): Promise<IPAddress | undefined> {
  const { computeId, address } = path;
  const own = await reads.view("instanceAddresses", path, { age });
  // The service can have allocated a deleted address again, to another resource.
  if (own || age === "deleted") return own;
  // With the instance, its addresses were deleted. One that exists was probably allocated again, and must not be deleted.
  if (!(await reads.view("instances", { computeId }, { age }))) return undefined;
  return reads.view("networkingIps", { address }, { age }).catch((error) => {
    if (!isUnauthorized(error)) throw error;
    return undefined;
  });
}

/** The path of the address under the instance that it is assigned to now. */
const currentPath = (path: Path, { compute_id }: Observed<IPAddress> = {}): Path => ({
  ...path,
  computeId: compute_id ?? path.computeId,
});
