import { z } from "zod";
import { KernelId, Paging, page, Time } from "../schema/common";
import type { Area } from "../schema/operation";

export type Kernel = z.output<typeof Kernel>;
/** A kernel that configs can boot. */
export const Kernel = z.strictObject({
  id: KernelId,
  label: z.string().meta({ filterable: true }).describe("Name for people."),
  version: z.string().meta({ filterable: true }).describe("Version of Linux."),
  architecture: z.enum(["x86_64", "i386"]).meta({ filterable: true }),
  kvm: z.boolean().meta({ filterable: true }).describe("Whether KVM instances can boot it."),
  xen: z.boolean().meta({ filterable: true }).describe("Whether Xen instances can boot it."),
  pvops: z.boolean().meta({ filterable: true }).describe("Whether it has paravirtual operations built in."),
  deprecated: z.boolean().meta({ filterable: true }).describe("Whether it should not be chosen any more."),
  built: Time.describe("When it was built."),
});

const source = "part 1 · Endpoints · Kernels and regions";

export const kernels = {
  list: {
    summary: "List the kernels.",
    method: "GET",
    path: "/compute/kernels",
    scopes: [],
    query: Paging,
    result: page(Kernel),
    source,
  },
  view: {
    summary: "View a kernel.",
    method: "GET",
    path: "/compute/kernels/{kernelId}",
    params: { kernelId: KernelId.meta({ slashes: true }) },
    scopes: [],
    result: Kernel,
    source,
  },
} satisfies Area;
