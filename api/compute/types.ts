import { z } from "zod";
import { Paging, page, TypeId } from "../schema/common";
import type { Area } from "../schema/operation";

const Price = z.strictObject({
  hourly: z.number().describe("Price per hour in US dollars."),
  monthly: z.number().describe("Maximum price per month in US dollars."),
});

export type InstanceType = z.output<typeof InstanceType>;
export const InstanceType = z.strictObject({
  id: TypeId,
  label: z.string().meta({ filterable: true }).describe("Label of the type."),
  class: z
    .enum(["nanode", "standard", "dedicated", "gpu", "highmem"])
    .meta({ filterable: true })
    .describe(
      "Class of the type: `nanode` for the smallest types, `standard` for shared CPUs, `dedicated` for dedicated CPUs, `gpu` for types with GPUs, `highmem` for types with much memory.",
    ),
  disk: z.int().meta({ filterable: true }).describe("Storage in MB."),
  memory: z.int().meta({ filterable: true }).describe("Memory in MB."),
  vcpus: z.int().meta({ filterable: true }).describe("Number of virtual CPUs."),
  gpus: z.int().meta({ filterable: true }).describe("Number of GPUs."),
  network_out: z.int().meta({ filterable: true }).describe("Outgoing bandwidth in Mbit/s."),
  transfer: z.int().meta({ filterable: true }).describe("Network transfer in GB per month."),
  price: Price.describe("Price of an instance."),
  addons: z
    .strictObject({
      backups: z
        .strictObject({ price: Price.describe("Price of the backup service for an instance.") })
        .describe("Backup service."),
    })
    .describe("Prices of optional services for an instance."),
  successor: TypeId.nullable().describe("Id of the type that replaces this retired type. Null if the type is current."),
});

const source = "part 1 · Endpoints";

export const types = {
  list: {
    summary: "List the instance types with their prices.",
    method: "GET",
    path: "/compute/types",
    scopes: [],
    query: Paging,
    result: page(InstanceType),
    source,
  },
  view: {
    summary: "View an instance type.",
    method: "GET",
    path: "/compute/types/{typeId}",
    params: { typeId: TypeId },
    scopes: [],
    result: InstanceType,
    source,
  },
} satisfies Area;
