import { ErrorResponse } from "../../core/error-response";
import type { AreaModule } from "../../http/handlers";
import { transferred } from "./object-account";
import { removeBucket } from "./object-storage-buckets";

export const objectStorage: AreaModule<"objectStorage"> = {
  handlers: {
    cancel({ world }) {
      const full = world.objectStorageBuckets.where(({ objects }) => objects > 0).map(({ id }) => id);
      if (full.length > 0)
        throw new ErrorResponse(400, `Delete the objects of these buckets first: ${full.slice(0, 10).join(", ")}`);
      for (const { id } of world.objectStorageKeys.all()) world.objectStorageKeys.remove(id);
      for (const bucket of world.objectStorageBuckets.all()) removeBucket(world, bucket);
      if (world.objectStorageAccount.find("account")) world.objectStorageAccount.remove("account");
      return {};
    },

    transfer: ({ world }) => ({ used: transferred(world) }),
  },
};
