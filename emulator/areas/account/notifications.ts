import type { Notification } from "../../../api";
import { table } from "../../core/store";
import type { AreaModule } from "../../http/handlers";

export interface NotificationRow extends Notification {
  id: number;
}

export const notifications: AreaModule<"notifications", { notifications: NotificationRow }> = {
  tables: { notifications: table<NotificationRow>() },
  handlers: {
    list({ world }) {
      const now = world.clock.time();
      return world.notifications.where(({ until }) => until === null || until > now);
    },
  },
};
