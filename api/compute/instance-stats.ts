import { z } from "zod";
import { ByteCount } from "../schema/common";
import type { Area } from "../schema/operation";

const Series = (what: string) =>
  z
    .array(z.array(z.number()))
    .describe(
      `${what}. Each entry is a pair: a Unix time in milliseconds, and the mean value from that time until the next entry.`,
    );

const Network = z.strictObject({
  in: Series("Incoming public traffic in bits per second"),
  out: Series("Outgoing public traffic in bits per second"),
  private_in: Series("Incoming private traffic in bits per second"),
  private_out: Series("Outgoing private traffic in bits per second"),
});

export type InstanceStats = z.output<typeof InstanceStats>;
/** CPU, disk and network statistics of an instance. */
export const InstanceStats = z
  .strictObject({
    cpu: Series("CPU usage in percent, 100 for each CPU"),
    io: z
      .strictObject({ io: Series("Blocks read and written per second"), swap: Series("Blocks swapped per second") })
      .describe("Disk I/O."),
    netv4: Network.describe("IPv4 traffic."),
    netv6: Network.describe("IPv6 traffic."),
    title: z.string().describe("Title of the statistics, with the label of the instance and the period."),
  })
  .meta({ volatile: true });

export type InstanceTransfer = z.output<typeof InstanceTransfer>;
/** Network traffic of an instance in the current month. */
export const InstanceTransfer = z
  .strictObject({
    used: ByteCount.describe("Traffic over public IP addresses in this month, in bytes."),
    quota: z
      .int()
      .min(0)
      .describe("Transfer in GB that the instance adds to the account's monthly transfer pool in this month."),
    billable: z.int().min(0).describe("Transfer in GB that exceeds `quota` and is billed."),
  })
  .meta({ volatile: true });

export type MonthTransfer = z.output<typeof MonthTransfer>;
/** Public network traffic of an instance in one month. */
export const MonthTransfer = z
  .strictObject({
    bytes_in: ByteCount.describe("Incoming transfer in bytes."),
    bytes_out: ByteCount.describe("Outgoing transfer in bytes."),
    bytes_total: ByteCount.describe("Total transfer in bytes."),
  })
  .meta({ volatile: true });

const params = {
  year: z.int().min(2000).max(2037).describe("Year of the statistics."),
  month: z.int().min(1).max(12).describe("Month of the statistics. Cannot be in the future."),
};

const one = "/compute/instances/{computeId}";
const source = "part 1 · Endpoints · Compute instances";

/** Operations that return the resource usage of an instance. */
export const instanceStats = {
  stats: {
    summary: "View the CPU, disk and network statistics of an instance for the last 24 hours.",
    method: "GET",
    path: `${one}/stats`,
    scopes: ["computes:read_only"],
    result: InstanceStats,
    decided: ["One value every five minutes. A new instance has no values until the first five minutes have passed."],
    source,
  },
  monthStats: {
    summary:
      "View the CPU, disk and network statistics of an instance for a month. The current month returns the last 30 days.",
    method: "GET",
    path: `${one}/stats/{year}/{month}`,
    params,
    scopes: ["computes:read_only"],
    result: InstanceStats,
    decided: [
      "One value every two hours while the instance existed.",
      "The year must be from 2000 to 2037, as for the transfer of a month.",
    ],
    source: `${source} · rule 13`,
  },
  transfer: {
    summary: "View the network transfer of an instance in the current month.",
    method: "GET",
    path: `${one}/transfer`,
    scopes: ["computes:read_only"],
    grant: "read_only",
    result: InstanceTransfer,
    decided: [
      "Traffic in both directions counts. In the month of its creation, an instance adds only a share of its type's transfer to the account's pool, in proportion to the remaining days.",
    ],
    source,
  },
  monthTransfer: {
    summary: "View the traffic of an instance over its public IP addresses in a month.",
    method: "GET",
    path: `${one}/transfer/{year}/{month}`,
    params,
    scopes: ["computes:read_only"],
    grant: "read_only",
    result: MonthTransfer,
    decided: ["Months before the instance existed return zero bytes."],
    source: `${source} · rule 14`,
  },
} satisfies Area;
