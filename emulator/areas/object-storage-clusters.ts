import type { ObjectStorageCluster, objectStorageClusters } from "../../api";
import * as catalogues from "../catalogues";
import type { Handlers } from "../handlers";
import { table } from "../store";

export const tables = { objectStorageClusters: table<ObjectStorageCluster>(catalogues.objectStorageClusters) };

export const handlers: Handlers<typeof objectStorageClusters> = {
  list: ({ world }) => world.objectStorageClusters,
  view: ({ world, path }) => world.objectStorageClusters.get(path.clusterId),
};
