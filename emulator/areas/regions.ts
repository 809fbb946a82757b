import { Region, type regions } from "../../api";
import * as catalogues from "../catalogues";
import type { Handlers } from "../handlers";
import { table } from "../store";

export const tables = { regions: table<Region>(catalogues.regions, { shape: Region }) };

export const handlers: Handlers<typeof regions> = {
  list: ({ world }) => world.regions,
  view: ({ world, path }) => world.regions.get(path.regionId),
};
