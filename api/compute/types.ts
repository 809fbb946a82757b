import { z } from "zod";
import { Paging, page, TypeId } from "../schema/common";
import type { Area } from "../schema/operation";

const Price = z.strictObject({
  hourly: z.number().describe("US dollars an hour."),
  monthly: z.number().describe("US dollars a month at most."),
});

export type InstanceType = z.output<typeof InstanceType>;
/** A size that instances come in. */
export const InstanceType = z.strictObject({
  id: TypeId,
  label: z.string().meta({ filterable: true }).describe("Name for people."),
  class: z
    .enum(["nanode", "standard", "dedicated", "gpu", "highmem"])
    .meta({ filterable: true })
    .describe("What the type is made for."),
  disk: z.int().meta({ filterable: true }).describe("Storage in MB."),
  memory: z.int().meta({ filterable: true }).describe("RAM in MB."),
  vcpus: z.int().meta({ filterable: true }).describe("Number of virtual CPUs."),
  gpus: z.int().meta({ filterable: true }).describe("Number of GPUs."),
  network_out: z.int().meta({ filterable: true }).describe("Outgoing bandwidth in Mbit/s."),
  transfer: z.int().meta({ filterable: true }).describe("Traffic in GB a month."),
  price: Price,
  addons: z.strictObject({ backups: z.strictObject({ price: Price }) }).describe("What extras cost."),
  successor: TypeId.nullable().describe("Type that instances can be moved to when this one is retired."),
});

const source = "part 1 · Endpoints";

export const types = {
  list: {
    summary: "List the types of instances with their prices.",
    method: "GET",
    path: "/compute/types",
    scopes: [],
    query: Paging,
    result: page(InstanceType),
    source,
  },
  view: {
    summary: "View a type of instances.",
    method: "GET",
    path: "/compute/types/{typeId}",
    params: { typeId: TypeId },
    scopes: [],
    result: InstanceType,
    source,
  },
} satisfies Area;
