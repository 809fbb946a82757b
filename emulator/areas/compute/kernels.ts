import { Kernel, type kernels } from "../../../api";
import { table } from "../../core/store";
import type { Handlers } from "../../http/handlers";
import * as catalogues from "../catalogues";

export const tables = { kernels: table<Kernel>(catalogues.kernels, { shape: Kernel }) };

export const handlers: Handlers<typeof kernels> = {
  list: ({ world }) => world.kernels,
  view: ({ world, path }) => world.kernels.get(path.kernelId),
};
