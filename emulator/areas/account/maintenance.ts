import type { Maintenance } from "../../../api";
import { entity } from "../../core/events";
import { table } from "../../core/store";
import type { AreaModule } from "../../http/handlers";

/**
 * Stored maintenance of an instance. Responses also contain the instance's label, and a status that depends on the
 * current time.
 */
export interface MaintenanceRow extends Omit<Maintenance, "entity" | "status"> {
  id: number;
  compute_id: number;
}

export const maintenance: AreaModule<"maintenance", { maintenance: MaintenanceRow }> = {
  tables: { maintenance: table<MaintenanceRow>() },
  handlers: {
    list({ world, caller }) {
      const now = world.clock.time();
      return world.maintenance.all().flatMap((row) => {
        const instance = world.instances.find(row.compute_id);
        if (!instance || !caller.may("compute", instance.id, "read_only")) return [];
        return [{ ...row, status: row.when <= now ? "started" : "pending", entity: entity("compute", instance) }];
      });
    },
  },
};
