import type { ObjectStorageCluster } from "../../../api";
import { table } from "../../core/store";
import type { AreaModule } from "../../http/handlers";

export const clusterRow = (region: string): ObjectStorageCluster => ({
  id: `${region}-1`,
  domain: `${region}-1.objects.cloudinfra.example`,
  static_site_domain: `website-${region}-1.objects.cloudinfra.example`,
  status: "available",
  region,
});

const catalogue: ObjectStorageCluster[] = [
  clusterRow("us-east"),
  clusterRow("eu-central"),
  clusterRow("ap-south"),
  clusterRow("us-southeast"),
];

export const objectStorageClusters: AreaModule<
  "objectStorageClusters",
  { objectStorageClusters: ObjectStorageCluster }
> = {
  tables: { objectStorageClusters: table<ObjectStorageCluster>(catalogue) },
  handlers: {
    list: ({ world }) => world.objectStorageClusters,
    view: ({ world, path }) => world.objectStorageClusters.get(path.clusterId),
  },
};
