import type { z } from "zod";
import { type DialectName, deviceNames, InstanceConfig } from "../../api";

type Row = Readonly<Record<string, unknown>>;

/**
 * Where recorded responses of a public service differ from the API documentation: the fields of a record that it
 * returns otherwise. `row` also has the emulator's internal fields.
 */
export type Behavior = readonly (readonly [schema: z.core.$ZodType, differences: (fields: Row, row: Row) => Row])[];

const linode: Behavior = [
  [
    InstanceConfig,
    ({ devices, memory_limit }, { hasMemoryLimit }) => ({
      devices: Object.fromEntries(deviceNames.map((name) => [name, filled((devices as Row)[name] as Row)])),
      memory_limit: hasMemoryLimit ? memory_limit : 0,
    }),
  ],
];

const filled = (device: Row): Row | null => (device.disk_id === null && device.volume_id === null ? null : device);

export const behaviors: Readonly<Record<DialectName, Behavior>> = { linode };
