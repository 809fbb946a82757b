import type { Notification, notifications } from "../../../api";
import { table } from "../../core/store";
import type { Handlers } from "../../http/handlers";

export interface NotificationRow extends Notification {
  id: number;
}

export const tables = { notifications: table<NotificationRow>() };

export const handlers: Handlers<typeof notifications> = {
  list({ world }) {
    const now = world.clock.time();
    return world.notifications.where(({ until }) => until === null || until > now);
  },
};
