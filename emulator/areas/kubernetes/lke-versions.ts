import { LkeVersion } from "../../../api";
import { table } from "../../core/store";
import type { AreaModule } from "../../http/handlers";

const catalogue: LkeVersion[] = ["1.20", "1.21", "1.22"].map((id) => ({ id }));

export const lkeVersions: AreaModule<"lkeVersions", { lkeVersions: LkeVersion }> = {
  tables: { lkeVersions: table<LkeVersion>(catalogue, { shape: LkeVersion }) },
  handlers: {
    list: ({ world }) => world.lkeVersions,
    view: ({ world, path }) => world.lkeVersions.get(path.version),
  },
};
