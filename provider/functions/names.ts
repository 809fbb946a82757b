import { type Operation, type OperationName, type Operations, pascal, singular } from "../../api";
import { isPaged } from "../client/envelope";

/** Singular and plural of an area's objects, where the area's own name does not fit. */
const subjects: { readonly [A in keyof Operations]?: readonly [one: string, many: string] } = {
  instanceAddresses: ["InstanceIp", "InstanceIps"],
  lkePools: ["LkeNodePool", "LkeNodePools"],
  managedComputeSettings: ["ManagedComputeSettings", "ManagedComputeSettings"],
  networkingIps: ["IpAddress", "IpAddresses"],
  oauthClients: ["OAuthClient", "OAuthClients"],
  types: ["InstanceType", "InstanceTypes"],
};

/** Functions whose derived name would be long or wrong. */
export const exceptions: { readonly [N in OperationName]?: string } = {
  "lkeClusters.viewKubeconfig": "getLkeKubeconfig",
  "managedCredentials.sshKey": "getManagedSshKey",
  "objectStorageBuckets.listInCluster": "listObjectStorageClusterBuckets",
  "objectStorageObjects.createUrl": "getObjectUrl",
  "objectStorageObjects.viewAcl": "getObjectAcl",
};

/** The function name of an operation that reads: `getVolume`, `listVolumes`, `getInstanceStats`, `listInvoiceItems`. */
export const functionName = (area: string, key: string, operation: Operation): string =>
  exceptions[`${area}.${key}` as OperationName] ?? ruledName(area, key, operation);

/** The derived name: `list` or `get`, then the object, then its part. */
export function ruledName(area: string, key: string, operation: Operation): string {
  const [one, many] = subjects[area as keyof Operations] ?? [pascal(singular(area)), pascal(area)];
  const verb = isListed(operation) ? "list" : "get";
  if (key === "list") return `${verb}${many}`;
  return `${verb}${one}${key === "view" ? "" : pascal(key.replace(/^(view|list)(?=[A-Z])/, ""))}`;
}

/** Whether the result is a list that can have more than one page. */
export const isListed = (operation: Operation): boolean => isPaged(operation) || isMarked(operation);

/** Whether the next page is found by a marker instead of a number. */
export const isMarked = ({ query }: Operation): boolean => query !== undefined && "marker" in query._zod.def.shape;
