import { InstanceType, type types } from "../../../api";
import { table } from "../../core/store";
import type { Handlers } from "../../http/handlers";
import * as catalogues from "../catalogues";

export const tables = { types: table<InstanceType>(catalogues.types, { shape: InstanceType }) };

export const handlers: Handlers<typeof types> = {
  list: ({ world }) => world.types,
  view: ({ world, path }) => world.types.get(path.typeId),
};
