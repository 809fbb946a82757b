import type { Fixture } from "../fixture";
import { addressed } from "./needs";

export const reverseDns: Fixture<"ReverseDns"> = async (cloud) => {
  const { api, world } = cloud;
  const web = await addressed(cloud, "web");
  const [first = ""] = web.addresses;
  const { ipv6 } = await api.instanceAddresses.list({ path: { computeId: web.id } });
  return {
    base: { address: String(ipv6.slaac?.address), rdns: "mail.example.org" },
    changes: { address: { to: first }, rdns: { to: "www.example.org" } },
    table: null,
    creation: "networkingIps.update",
    remove: null,
    stir: () =>
      api.instances.update({ path: { computeId: web.id }, body: { label: `web${world.clock.now()}`.slice(0, 32) } }),
  };
};
