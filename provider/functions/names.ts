import { type Operation, type OperationName, type Operations, pascal, singular } from "../../api";
import { isPaged } from "../client/envelope";

/** An area's things, one and many, where the area's own name would not read well or its resource has another. */
const subjects: { readonly [A in keyof Operations]?: readonly [one: string, many: string] } = {
  instanceAddresses: ["InstanceIp", "InstanceIps"],
  lkePools: ["LkeNodePool", "LkeNodePools"],
  managedComputeSettings: ["ManagedComputeSettings", "ManagedComputeSettings"],
  networkingIps: ["IpAddress", "IpAddresses"],
  oauthClients: ["OAuthClient", "OAuthClients"],
  types: ["InstanceType", "InstanceTypes"],
};

/** Functions whose name the rules would make long or wrong. */
export const exceptions: { readonly [N in OperationName]?: string } = {
  "lkeClusters.viewKubeconfig": "getLkeKubeconfig",
  "managedCredentials.sshKey": "getManagedSshKey",
  "objectStorageBuckets.listInCluster": "listObjectStorageClusterBuckets",
  "objectStorageObjects.createUrl": "getObjectUrl",
  "objectStorageObjects.viewAcl": "getObjectAcl",
};

/** What programs call an operation that reads: `getVolume`, `listVolumes`, `getInstanceStats`, `listInvoiceItems`. */
export const functionName = (area: string, key: string, operation: Operation): string =>
  exceptions[`${area}.${key}` as OperationName] ?? ruledName(area, key, operation);

/** The name by rule: what is listed has `list` before it, the rest `get`; then whose it is, then what of it. */
export function ruledName(area: string, key: string, operation: Operation): string {
  const [one, many] = subjects[area as keyof Operations] ?? [pascal(singular(area)), pascal(area)];
  const verb = isListed(operation) ? "list" : "get";
  if (key === "list") return `${verb}${many}`;
  return `${verb}${one}${key === "view" ? "" : pascal(key.replace(/^(view|list)(?=[A-Z])/, ""))}`;
}

/** Whether the answer is a list of which there can be more than the service answers at once. */
export const isListed = (operation: Operation): boolean => isPaged(operation) || isMarked(operation);

/** Whether the next page is told by a marker instead of a number. */
export const isMarked = ({ query }: Operation): boolean => query !== undefined && "marker" in query._zod.def.shape;
