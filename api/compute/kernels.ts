import { z } from "zod";
import { KernelId, Paging, page, Time } from "../schema/common";
import type { Area } from "../schema/operation";

export type Kernel = z.output<typeof Kernel>;
/** A kernel that instances can boot. */
export const Kernel = z.strictObject({
  id: KernelId,
  label: z.string().meta({ filterable: true }).describe("Label of the kernel."),
  version: z.string().meta({ filterable: true }).describe("Linux version."),
  architecture: z.enum(["x86_64", "i386"]).meta({ filterable: true }).describe("Architecture of the kernel."),
  kvm: z.boolean().meta({ filterable: true }).describe("Whether KVM instances can boot the kernel."),
  xen: z.boolean().meta({ filterable: true }).describe("Whether Xen instances can boot the kernel."),
  pvops: z.boolean().meta({ filterable: true }).describe("Whether the kernel supports paravirtualized operations."),
  deprecated: z.boolean().meta({ filterable: true }).describe("Whether the kernel is deprecated."),
  built: Time.describe("Build time in UTC."),
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
