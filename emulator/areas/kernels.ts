import { Kernel, type kernels } from "../../api";
import * as catalogues from "../catalogues";
import type { Handlers } from "../handlers";
import { table } from "../store";

export const tables = { kernels: table<Kernel>(catalogues.kernels, { shape: Kernel }) };

export const handlers: Handlers<typeof kernels> = {
  list: ({ world }) => world.kernels,
  view: ({ world, path }) => world.kernels.get(path.kernelId),
};
