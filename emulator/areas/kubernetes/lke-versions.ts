import { LkeVersion } from "../../../api";
import { table } from "../../core/store";
import type { AreaModule } from "../../http/handlers";
import * as catalogues from "../catalogues";

export const lkeVersions: AreaModule<"lkeVersions", { lkeVersions: LkeVersion }> = {
  tables: { lkeVersions: table<LkeVersion>(catalogues.lkeVersions, { shape: LkeVersion }) },
  handlers: {
    list: ({ world }) => world.lkeVersions,
    view: ({ world, path }) => world.lkeVersions.get(path.version),
  },
};
