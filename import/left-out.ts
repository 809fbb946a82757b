import type { ListedName } from "../drift/unmanaged";
import type { ImportableName } from "./areas";
import type { FurtherName } from "./inventory";

/**
 * The kinds that are only imported as single objects, each with the reason: all kinds of `areas.ts` that neither
 * `drift/unmanaged.ts` nor `inventory.ts` lists.
 */
export const leftOut: Readonly<Record<Exclude<ImportableName, ListedName | FurtherName>, string>> = {
  AccountContact: "every account has one, whether or not a program manages it",
  InstanceIp: "the API does not return which addresses of an instance are additional",
  InstanceSnapshot: "finding snapshots takes a request for each instance",
  IpAssignment: "the API returns where addresses are, but not which were moved there",
  IpSharing: "finding shared addresses takes a request for each instance",
  Ipv6Range: "only support changes ranges",
  ManagedComputeSettings: "every instance has them, whether or not a program manages them",
  ObjectStorageObject: "a bucket can have millions of objects, and their content would have to be downloaded",
  PaymentMethod: "the API does not return the number of a card",
  ServiceTransfer: "a transfer is an offer that ends when it is accepted or expires",
  VolumeAttachment: "`computeId` of the volume declares it",
};
