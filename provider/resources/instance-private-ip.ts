import ipaddr from "ipaddr.js";
import type { Instance, Problem } from "../../api";
import type { Host } from "../engine";

type Stated = { private_ip?: boolean | undefined };

const STAYS =
  "must be true or omitted: private addresses cannot be removed. " +
  'To get an instance without one, replace it: run "pulumi up --target-replace" with its URN';

/** An instance has one private address at most. */
export const privateAddress = ({ ipv4 }: Pick<Instance, "ipv4">): string | undefined =>
  ipv4.find((address) => ipaddr.parse(address).range() === "private");

export const hasPrivateAddress = (seen: Pick<Instance, "ipv4">): boolean => privateAddress(seen) !== undefined;

export function* privateIpGuard(want: Stated, was: Stated): Iterable<Problem> {
  if (want.private_ip === false && was.private_ip) yield { path: ["private_ip"], reason: STAYS };
}

/** Adds the private address. One that was added outside Pulumi cannot be removed. */
export function addPrivateAddress(api: Host["api"], path: { computeId: number }, { private_ip }: Stated) {
  if (!private_ip) throw new Error(`Instance ${path.computeId}: privateIp ${STAYS}`);
  return api.instanceAddresses.allocate({ path, body: { type: "ipv4", public: false } });
}
