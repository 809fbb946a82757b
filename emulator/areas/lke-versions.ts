import { LkeVersion, type lkeVersions } from "../../api";
import * as catalogues from "../catalogues";
import type { Handlers } from "../handlers";
import { table } from "../store";

export const tables = { lkeVersions: table<LkeVersion>(catalogues.lkeVersions, { shape: LkeVersion }) };

export const handlers: Handlers<typeof lkeVersions> = {
  list: ({ world }) => world.lkeVersions,
  view: ({ world, path }) => world.lkeVersions.get(path.version),
};
