import { z } from "zod";
import type { Area } from "../schema/operation";

const Series = (what: string) =>
  z
    .array(z.array(z.number()))
    .describe(`${what}; each entry is a time in milliseconds since 1970 and the mean from then to the next entry.`);

const Network = z.strictObject({
  in: Series("Public traffic in, in bits a second"),
  out: Series("Public traffic out, in bits a second"),
  private_in: Series("Private traffic in, in bits a second"),
  private_out: Series("Private traffic out, in bits a second"),
});

export type InstanceStats = z.output<typeof InstanceStats>;
/** How busy an instance was. */
export const InstanceStats = z
  .strictObject({
    cpu: Series("Percentage of CPU use, 100 for each CPU"),
    io: z
      .strictObject({ io: Series("Blocks read and written a second"), swap: Series("Blocks swapped a second") })
      .describe("Use of the disks."),
    netv4: Network.describe("Traffic over IPv4."),
    netv6: Network.describe("Traffic over IPv6."),
    title: z.string().describe("What the figures are of, for people."),
  })
  .meta({ volatile: true });

export type InstanceTransfer = z.output<typeof InstanceTransfer>;
/** An instance's traffic of the month so far. */
export const InstanceTransfer = z
  .strictObject({
    used: z.int().min(0).describe("Bytes of public traffic this month."),
    quota: z.int().min(0).describe("GB that the instance adds to the account's pool this month."),
    billable: z.int().min(0).describe("GB beyond the quota."),
  })
  .meta({ volatile: true });

export type MonthTransfer = z.output<typeof MonthTransfer>;
/** An instance's public traffic of a month. */
export const MonthTransfer = z
  .strictObject({
    bytes_in: z.int().min(0).describe("Bytes that came in."),
    bytes_out: z.int().min(0).describe("Bytes that went out."),
    bytes_total: z.int().min(0).describe("Bytes both ways."),
  })
  .meta({ volatile: true });

const params = {
  year: z.int().min(2000).max(2037).describe("Year of the month."),
  month: z.int().min(1).max(12).describe("Month; it must be over or under way."),
};

const one = "/compute/instances/{computeId}";
const source = "part 1 · Endpoints · Compute instances";

/** Operations that tell what an instance has used. */
export const instanceStats = {
  stats: {
    summary: "View an instance's CPU, disk and network use of the last 24 hours.",
    method: "GET",
    path: `${one}/stats`,
    scopes: ["computes:read_only"],
    result: InstanceStats,
    decided: ["A figure every five minutes; an instance that is younger than the first of them has none yet."],
    source,
  },
  monthStats: {
    summary: "View an instance's CPU, disk and network use of a month; for the current one, of the last 30 days.",
    method: "GET",
    path: `${one}/stats/{year}/{month}`,
    params,
    scopes: ["computes:read_only"],
    result: InstanceStats,
    decided: [
      "A figure every two hours, beginning with the instance; there are none for a time in which it did not exist.",
      "The year is bounded as it is for the transfer of a month.",
    ],
    source: `${source} · rule 13`,
  },
  transfer: {
    summary: "View an instance's network transfer of the current month.",
    method: "GET",
    path: `${one}/transfer`,
    scopes: ["computes:read_only"],
    grant: "read_only",
    result: InstanceTransfer,
    decided: [
      "Traffic both ways counts. In the month of its creation an instance adds a part of its type's transfer to the pool, by the days that are left.",
    ],
    source,
  },
  monthTransfer: {
    summary: "View an instance's public traffic of a month.",
    method: "GET",
    path: `${one}/transfer/{year}/{month}`,
    params,
    scopes: ["computes:read_only"],
    grant: "read_only",
    result: MonthTransfer,
    decided: ["A month in which the instance did not exist counts no bytes."],
    source: `${source} · rule 14`,
  },
} satisfies Area;
