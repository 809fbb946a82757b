import type { Instance, InstanceConfig } from "../../api";
import { table } from "../store";

/** An instance, and what of it nobody is shown. */
export interface InstanceRow extends Instance {}

/** A config, and the instance that it belongs to. */
export interface InstanceConfigRow extends InstanceConfig {
  compute_id: number;
}

export const tables = {
  instances: table<InstanceRow>(),
  instanceConfigs: table<InstanceConfigRow>(),
};
