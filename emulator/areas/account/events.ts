import type { EventRow, Granted } from "../../core/core-tables";
import { notFound } from "../../core/error-response";
import type { Key } from "../../core/store";
import type { World } from "../../core/world";
import type { Caller } from "../../http/auth";
import { type AreaModule, listed } from "../../http/handlers";

export const events: AreaModule<"events"> = {
  handlers: {
    list({ world, caller }) {
      const { table } = world.events;
      const show = (event: EventRow) => world.events.recordOf(event);
      if (!caller.restricted) return listed(table, show, { newestFirst: true });
      return listed(
        world.events.recent().filter((event) => sees(world, caller, event)),
        show,
      );
    },

    view: ({ world, caller, path }) => world.events.recordOf(visible(world, caller, path.eventId)),

    markRead({ world, caller, path }) {
      const { id } = visible(world, caller, path.eventId);
      world.events.table.patch(id, { read: true });
      return {};
    },

    markSeen({ world, caller, path }) {
      const last = visible(world, caller, path.eventId);
      for (const event of world.events.recent().filter((one) => one.id <= last.id && !one.seen))
        if (sees(world, caller, event)) world.events.table.patch(event.id, { seen: true });
      return {};
    },
  },
};

/** The event with the given id. Throws a 404 if the event is about an object that is hidden from the caller. */
function visible(world: World, caller: Caller, id: number): Readonly<EventRow> {
  const event = world.events.table.get(id);
  if (!sees(world, caller, event)) throw notFound();
  return event;
}

/**
 * Whether the caller sees the event. Restricted users see events that they caused, such as those of the nodes of a cluster
 * that they created, and events about objects for which they have a grant. They see all others if they have account
 * access.
 */
function sees(world: World, caller: Caller, { entity, username }: Readonly<EventRow>): boolean {
  if (!caller.restricted || username === caller.username) return true;
  const kind = kinds[entity.type];
  if (kind) return caller.may(kind, grantedId(entity), "read_only");
  return world.users.find(caller.username)?.grants.global.account_access != null;
}

/** The id under which grants refer to the object. Grants refer to an image by its path `private/<number>`. */
const grantedId = ({ type, id }: EventRow["entity"]): Key => (type === "image" ? `private/${id}` : id);

/**
 * The kind of grant that a restricted user needs to see events about a type of object. Events about all other types
 * require account access.
 */
const kinds: Partial<Record<EventRow["entity"]["type"], Granted>> = {
  compute: "compute",
  domain: "domain",
  firewall: "firewall",
  image: "image",
  ipaddress: "compute",
  nodebalancer: "nodebalancer",
  volume: "volume",
};
