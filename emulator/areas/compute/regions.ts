import { Region, type regions } from "../../../api";
import { table } from "../../core/store";
import type { Handlers } from "../../http/handlers";
import * as catalogues from "../catalogues";

export const tables = { regions: table<Region>(catalogues.regions, { shape: Region }) };

export const handlers: Handlers<typeof regions> = {
  list: ({ world }) => world.regions,
  view: ({ world, path }) => world.regions.get(path.regionId),
};
