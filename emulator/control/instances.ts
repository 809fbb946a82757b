import { z } from "zod";
import { crash, scheduleMigration, stopForMaintenance } from "../areas/instance-outages";
import { checked } from "../checked";
import type { Actions } from "./action";

const Which = z.strictObject({ compute_id: z.int().min(1).describe("Instance that it happens to.") });
const Stop = Which.extend({
  seconds: z
    .number()
    .min(1)
    .default(3600)
    .describe("How long the maintenance takes; what ran before is booted after it."),
});

/** What happens to instances without anybody's request. */
export const instanceActions: Actions = {
  crash: {
    POST({ world }, body) {
      crash(world, checked(Which, body).compute_id);
      return {};
    },
  },
  stop: {
    POST({ world }, body) {
      const { compute_id, seconds } = checked(Stop, body);
      stopForMaintenance(world, compute_id, seconds);
      return {};
    },
  },
  migration: {
    POST({ world }, body) {
      scheduleMigration(world, checked(Which, body).compute_id);
      return {};
    },
  },
};
