import type { ObjectStorageCluster } from "../../../api";
import { table } from "../../core/store";
import type { AreaModule } from "../../http/handlers";
import * as catalogues from "../catalogues";

export const objectStorageClusters: AreaModule<
  "objectStorageClusters",
  { objectStorageClusters: ObjectStorageCluster }
> = {
  tables: { objectStorageClusters: table<ObjectStorageCluster>(catalogues.objectStorageClusters) },
  handlers: {
    list: ({ world }) => world.objectStorageClusters,
    view: ({ world, path }) => world.objectStorageClusters.get(path.clusterId),
  },
};
