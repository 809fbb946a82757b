import fc from "fast-check";
import { number } from "../spellings";
import type { Writings } from "./writing";

const ssh = { user: "support", port: 2222, access: true, ip: "any" };

export const managedComputeSettings: Writings = ({ computeId }) => [
  {
    as: { ssh },
    or: {
      computeId: number(computeId as number),
      ssh: fc
        .tuple(number(ssh.port), fc.subarray(["access", "ip"] as const))
        .map(([port, open]) => ({ user: ssh.user, port, ...Object.fromEntries(open.map((key) => [key, ssh[key]])) })),
    },
  },
];
