import type { Fixture } from "../fixture";

const master_ips = ["198.51.100.1"];

export const domain: Fixture<"Domain"> = async () => {
  const slave = { type: "slave", masterIps: master_ips } as const;
  return {
    base: { domain: "example.org", type: "master", soaEmail: "admin@example.org" },
    changes: {
      domain: { to: "example.com" },
      type: [
        { given: { masterIps: master_ips }, to: "slave" },
        { given: slave, to: "master" },
      ],
      status: { to: "disabled" },
      description: [{ to: "The shop" }, { given: { description: "The shop" }, to: "The other shop" }],
      group: { to: "shops" },
      soaEmail: { to: "root@example.org" },
      masterIps: { given: slave, to: ["198.51.100.2", "2001:db8::2"] },
      axfrIps: [{ to: ["198.51.100.9"] }, { given: { axfrIps: ["198.51.100.9"] }, to: [] }],
      expireSec: { to: 604800 },
      refreshSec: { to: 28800 },
      retrySec: { to: 300 },
      ttlSec: [{ to: 3600 }, { given: { ttlSec: 3600 }, to: 0 }],
      tags: [{ to: ["shop", "prod"] }, { given: { tags: ["shop"] }, to: [] }],
    },
    stir: () => {},
  };
};
