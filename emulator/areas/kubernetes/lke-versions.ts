import { LkeVersion, type lkeVersions } from "../../../api";
import { table } from "../../core/store";
import type { Handlers } from "../../http/handlers";
import * as catalogues from "../catalogues";

export const tables = { lkeVersions: table<LkeVersion>(catalogues.lkeVersions, { shape: LkeVersion }) };

export const handlers: Handlers<typeof lkeVersions> = {
  list: ({ world }) => world.lkeVersions,
  view: ({ world, path }) => world.lkeVersions.get(path.version),
};
