import ipaddr from "ipaddr.js";
import type { Host } from "../engine/host";
import { lockAddresses } from "./object-locks";

/** The private address of an instance, which can have only one. */
export const privateAddress = ({ ipv4 = [] }: { ipv4?: string[] | undefined }): string | undefined =>
  ipv4.find((address) => ipaddr.parse(address).range() === "private");

/** Adds a private address, unless another resource has added one. */
export const addPrivateAddress = (host: Host, path: { computeId: number }): Promise<void> =>
  lockAddresses(host, path.computeId, async () => {
    const { api } = host;
    if (privateAddress(await api.instances.view({ path }))) return;
    await api.instanceAddresses.allocate({ path, body: { type: "ipv4", public: false } });
  });
