import type { kernels, lkeVersions, objectStorageClusters, regions, types } from "../../../../api";
import type { Plans } from "../plan";

const list = () => ({});

/** Valid requests for lists and objects that exist in every account, such as regions and instance types. */
export const catalogues = {
  kernels: { list, view: () => ({ path: { kernelId: "compute/grub2" } }) } satisfies Plans<typeof kernels>,
  lkeVersions: { list, view: () => ({ path: { version: "1.21" } }) } satisfies Plans<typeof lkeVersions>,
  objectStorageClusters: {
    list,
    view: () => ({ path: { clusterId: "us-east-1" } }),
  } satisfies Plans<typeof objectStorageClusters>,
  regions: { list, view: () => ({ path: { regionId: "us-east" } }) } satisfies Plans<typeof regions>,
  types: { list, view: () => ({ path: { typeId: "g6-nanode-1" } }) } satisfies Plans<typeof types>,
};
