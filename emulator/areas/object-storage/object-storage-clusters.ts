import type { ObjectStorageCluster, objectStorageClusters } from "../../../api";
import { table } from "../../core/store";
import type { Handlers } from "../../http/handlers";
import * as catalogues from "../catalogues";

export const tables = { objectStorageClusters: table<ObjectStorageCluster>(catalogues.objectStorageClusters) };

export const handlers: Handlers<typeof objectStorageClusters> = {
  list: ({ world }) => world.objectStorageClusters,
  view: ({ world, path }) => world.objectStorageClusters.get(path.clusterId),
};
