import { type Operation, type OperationName, type Operations, pascal, singular } from "../../api";
import { isPaged } from "../client/envelope";

/**
 * Singular and plural in function names, for areas of the API whose own name does not fit: the area `types` has
 * `getInstanceType` and `listInstanceTypes`.
 */
const subjects: { readonly [A in keyof Operations]?: readonly [one: string, many: string] } = {
  instanceAddresses: ["InstanceIp", "InstanceIps"],
  lkePools: ["LkeNodePool", "LkeNodePools"],
  managedComputeSettings: ["ManagedComputeSettings", "ManagedComputeSettings"],
  networkingIps: ["IpAddress", "IpAddresses"],
  oauthClients: ["OAuthClient", "OAuthClients"],
  types: ["InstanceType", "InstanceTypes"],
};

/** Names of functions that are not derived from the operation's name, because the result would be long or wrong. */
export const exceptions: { readonly [N in OperationName]?: string } = {
  "lkeClusters.viewKubeconfig": "getLkeKubeconfig",
  "managedCredentials.sshKey": "getManagedSshKey",
  "objectStorageBuckets.listInCluster": "listObjectStorageClusterBuckets",
  "objectStorageObjects.createUrl": "getObjectUrl",
  "objectStorageObjects.viewAcl": "getObjectAcl",
};

/**
 * The name of the function for an operation that reads, such as `getVolume`, `listVolumes`, `getInstanceStats` or
 * `listInvoiceItems`.
 */
export const functionName = (area: string, key: string, operation: Operation): string =>
  exceptions[`${area}.${key}` as OperationName] ?? ruledName(area, key, operation);

/**
 * The name that is derived from an operation: `list` or `get`, the object, then the part of the object that is read, as
 * in `getInstanceStats`.
 */
export function ruledName(area: string, key: string, operation: Operation): string {
  const [one, many] = subjects[area as keyof Operations] ?? [pascal(singular(area)), pascal(area)];
  const verb = isListed(operation) ? "list" : "get";
  if (key === "list") return `${verb}${many}`;
  return `${verb}${one}${key === "view" ? "" : pascal(key.replace(/^(view|list)(?=[A-Z])/, ""))}`;
}

export const isListed = (operation: Operation): boolean => isPaged(operation) || isMarked(operation);

/** Whether the pages of a list are identified by markers instead of numbers. */
export const isMarked = ({ query }: Operation): boolean => query !== undefined && "marker" in query._zod.def.shape;
