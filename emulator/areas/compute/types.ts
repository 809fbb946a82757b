import { InstanceType } from "../../../api";
import { table } from "../../core/store";
import type { AreaModule } from "../../http/handlers";

const price = (monthly: number): InstanceType["price"] => ({
  hourly: Math.round((monthly / 666.67) * 10_000) / 10_000,
  monthly,
});

/**
 * A row of the table `types`. The numbers are virtual CPUs, memory and storage in MB, transfer in GB a month, and the
 * price of a month in US dollars.
 */
export const instanceType = (
  kind: InstanceType["class"],
  id: string,
  label: string,
  [vcpus, memory, disk, transfer, monthly]: readonly [number, number, number, number, number],
  gpus = 0,
): InstanceType => ({
  id,
  label,
  class: kind,
  vcpus,
  memory,
  disk,
  transfer,
  gpus,
  network_out: Math.min(12_000, Math.max(1000, transfer)),
  price: price(monthly),
  addons: { backups: { price: price(Math.max(2, Math.round(monthly / 4))) } },
  successor: null,
});

const retired = (successor: string, old: InstanceType): InstanceType => ({ ...old, successor });

const catalogue: InstanceType[] = [
  instanceType("nanode", "g6-nanode-1", "Nanode 1GB", [1, 1024, 25_600, 1000, 5]),
  instanceType("standard", "g6-standard-1", "Standard 2GB", [1, 2048, 51_200, 2000, 10]),
  instanceType("standard", "g6-standard-2", "Standard 4GB", [2, 4096, 81_920, 4000, 20]),
  instanceType("standard", "g6-standard-4", "Standard 8GB", [4, 8192, 163_840, 5000, 40]),
  instanceType("standard", "g6-standard-6", "Standard 16GB", [6, 16_384, 327_680, 8000, 80]),
  instanceType("standard", "g6-standard-8", "Standard 32GB", [8, 32_768, 655_360, 16_000, 160]),
  instanceType("dedicated", "g6-dedicated-2", "Dedicated 4GB", [2, 4096, 81_920, 4000, 30]),
  instanceType("dedicated", "g6-dedicated-4", "Dedicated 8GB", [4, 8192, 163_840, 5000, 60]),
  instanceType("dedicated", "g6-dedicated-8", "Dedicated 16GB", [8, 16_384, 327_680, 6000, 120]),
  instanceType("dedicated", "g6-dedicated-16", "Dedicated 32GB", [16, 32_768, 655_360, 7000, 240]),
  instanceType("highmem", "g7-highmem-1", "High Memory 24GB", [2, 24_576, 20_480, 5000, 60]),
  instanceType("highmem", "g7-highmem-2", "High Memory 48GB", [2, 49_152, 40_960, 6000, 120]),
  instanceType("highmem", "g7-highmem-4", "High Memory 90GB", [4, 92_160, 92_160, 7000, 240]),
  instanceType("gpu", "g1-gpu-rtx6000-1", "GPU 32GB", [8, 32_768, 655_360, 16_000, 1000], 1),
  instanceType("gpu", "g1-gpu-rtx6000-2", "GPU 64GB", [16, 65_536, 1_310_720, 20_000, 2000], 2),
  retired("g6-nanode-1", instanceType("nanode", "g5-nanode-1", "Nanode 1GB (retired)", [1, 1024, 20_480, 1000, 5])),
  retired(
    "g6-standard-1",
    instanceType("standard", "g5-standard-1", "Standard 2GB (retired)", [1, 2048, 30_720, 2000, 10]),
  ),
  retired(
    "g6-standard-2",
    instanceType("standard", "g5-standard-2", "Standard 4GB (retired)", [2, 4096, 49_152, 3000, 20]),
  ),
];

export const types: AreaModule<"types", { types: InstanceType }> = {
  tables: { types: table<InstanceType>(catalogue, { shape: InstanceType }) },
  handlers: {
    list: ({ world }) => world.types,
    view: ({ world, path }) => world.types.get(path.typeId),
  },
};
