import { Region } from "../../../api";
import { table } from "../../core/store";
import type { AreaModule } from "../../http/handlers";
import * as catalogues from "../catalogues";

export const regions: AreaModule<"regions", { regions: Region }> = {
  tables: { regions: table<Region>(catalogues.regions, { shape: Region }) },
  handlers: {
    list: ({ world }) => world.regions,
    view: ({ world, path }) => world.regions.get(path.regionId),
  },
};
