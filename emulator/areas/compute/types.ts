import { InstanceType } from "../../../api";
import { table } from "../../core/store";
import type { AreaModule } from "../../http/handlers";
import * as catalogues from "../catalogues";

export const types: AreaModule<"types", { types: InstanceType }> = {
  tables: { types: table<InstanceType>(catalogues.types, { shape: InstanceType }) },
  handlers: {
    list: ({ world }) => world.types,
    view: ({ world, path }) => world.types.get(path.typeId),
  },
};
