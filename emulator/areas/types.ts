import { InstanceType, type types } from "../../api";
import * as catalogues from "../catalogues";
import type { Handlers } from "../handlers";
import { table } from "../store";

export const tables = { types: table<InstanceType>(catalogues.types, { shape: InstanceType }) };

export const handlers: Handlers<typeof types> = {
  list: ({ world }) => world.types,
  view: ({ world, path }) => world.types.get(path.typeId),
};
