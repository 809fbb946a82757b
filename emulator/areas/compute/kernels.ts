import { Kernel } from "../../../api";
import { table } from "../../core/store";
import type { AreaModule } from "../../http/handlers";

const kernel = (name: string, label: string, version: string, flags: Partial<Kernel> = {}): Kernel => ({
  id: `compute/${name}`,
  label,
  version,
  architecture: "x86_64",
  kvm: true,
  xen: false,
  pvops: true,
  deprecated: false,
  built: "2021-12-01T12:00:00",
  ...flags,
});

const i386 = { architecture: "i386", deprecated: true } as const;

const catalogue: Kernel[] = [
  kernel("latest-64bit", "Latest 64 bit (5.15.10-x86_64)", "5.15.10"),
  kernel("latest-32bit", "Latest 32 bit (5.15.10-x86)", "5.15.10", i386),
  kernel("grub2", "GRUB 2", "2.06"),
  kernel("direct-disk", "Direct Disk", "", { pvops: false }),
  kernel("5.15.10-x86_64-compute152", "5.15.10-x86_64-compute152", "5.15.10"),
  kernel("5.14.17-x86_64-compute150", "5.14.17-x86_64-compute150", "5.14.17"),
  kernel("5.10.13-x86_64-compute141", "5.10.13-x86_64-compute141", "5.10.13"),
  kernel("4.14.120-x86-compute131", "4.14.120-x86-compute131", "4.14.120", i386),
];

export const kernels: AreaModule<"kernels", { kernels: Kernel }> = {
  tables: { kernels: table<Kernel>(catalogue, { shape: Kernel }) },
  handlers: {
    list: ({ world }) => world.kernels,
    view: ({ world, path }) => world.kernels.get(path.kernelId),
  },
};
