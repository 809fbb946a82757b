import { z } from "zod";
import { action } from "../../http/control/action";
import { within } from "../../http/control/time";
import type { Part } from "../../http/handlers";
import { crash, scheduleMigration, stopForMaintenance } from "./instance-outages";

const Which = z.strictObject({ compute_id: z.int().min(1).describe("The instance that it happens to.") });
const Stop = Which.extend({
  seconds: z
    .number()
    .min(1)
    .default(3600)
    .describe("How long the maintenance takes. Instances that ran before are booted after it."),
});

/** Control requests for events that happen to instances without an API request. */
export const computeControl: Part = {
  control: {
    crash: {
      POST: action(Which, ({ world }, { compute_id }) => {
        crash(world, compute_id);
        return {};
      }),
    },
    stop: {
      POST: action(Stop, ({ world }, { compute_id, seconds }) => {
        within(world.clock, seconds * 1000, "seconds");
        stopForMaintenance(world, compute_id, seconds);
        return {};
      }),
    },
    migration: {
      POST: action(Which, ({ world }, { compute_id }) => {
        scheduleMigration(world, compute_id);
        return {};
      }),
    },
  },
};
