import type { Operations } from "../../api";
import type { AreaModule } from "../handlers";
import type { Task } from "../tasks";
import * as images from "./images";
import * as instances from "./instances";
import * as kernels from "./kernels";
import * as lkeVersions from "./lke-versions";
import * as regions from "./regions";
import * as types from "./types";
import * as volumes from "./volumes";

/** Every table of every area; `world.volumes` and its type come from here. */
export const tables = {
  ...images.tables,
  ...instances.tables,
  ...kernels.tables,
  ...lkeVersions.tables,
  ...regions.tables,
  ...types.tables,
  ...volumes.tables,
};
export type AreaTables = typeof tables;

/** The handlers of every area, under the contract's name of it. */
export const areas: { [A in keyof Operations]?: AreaModule<Operations[A]> } = {
  images,
  kernels,
  lkeVersions,
  regions,
  types,
  volumes,
};

/** Everything that can happen later. */
export const tasks: Task<never>[] = [...volumes.tasks];
