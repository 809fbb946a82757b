import type { Notification, notifications } from "../../api";
import type { Handlers } from "../handlers";
import { table } from "../store";

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
