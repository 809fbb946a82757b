import { Kernel } from "../../../api";
import { table } from "../../core/store";
import type { AreaModule } from "../../http/handlers";
import * as catalogues from "../catalogues";

export const kernels: AreaModule<"kernels", { kernels: Kernel }> = {
  tables: { kernels: table<Kernel>(catalogues.kernels, { shape: Kernel }) },
  handlers: {
    list: ({ world }) => world.kernels,
    view: ({ world, path }) => world.kernels.get(path.kernelId),
  },
};
