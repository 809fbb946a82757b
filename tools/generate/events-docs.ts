import { type ActionFacts, type EventAction, eventActions } from "../../api";
import type { Files } from "./mark";
import { apiPage, code, link, source, table } from "./markdown";
import { areas } from "./operations";

const filter = {
  action: "compute_boot",
  "entity.type": "compute",
  "entity.id": 123,
  "+order_by": "id",
  "+order": "desc",
};

/**
 * Generates docs/events.md: the actions of the account's event log, each with the objects that it concerns and its
 * final status.
 */
export function eventsFile(): Files {
  const actions = Object.keys(eventActions) as EventAction[];
  const [caused, others] = [actions.filter((action) => causesOf(action).length > 0), actions.filter(isForeign)];
  const text = [
    "# Events",
    `Written by ${code("make generate")} from ${link("api/schema/event-actions.ts", source("api/schema/event-actions.ts"))}. The fields of an event are those of the record [Event](api/records.md#event); ${code("GET /account/events")} lists the events of the last 90 days, newest first.`,
    "## Wait for an action",
    `List the events of the action and its object with ${code("X-Filter")}, and poll until the status of the newest one is ${code("finished")} or ${code("failed")}:`,
    `\`\`\`json\n${JSON.stringify(filter)}\n\`\`\``,
    [
      "- An event that ends `finished` is `scheduled` or `started` first. If the action takes no time, it is `finished` at once.",
      "- A `notification` never changes, so there is nothing to wait for. Its `percent_complete` and `duration` are null.",
      "- For `+gte` on `created`, use the time just before the request. The emulator's clock follows the system clock unless [its pace or seed](emulator.md#time) is set.",
      "- Ids are numbers, except for an image as the secondary entity: it is a string such as `compute/debian11`.",
    ].join("\n"),
    "## Actions",
    table(
      ["Action", "Ends", "Entity", "Secondary entity", "Caused by"],
      caused.map((action) => [
        code(action),
        code(eventActions[action].ends),
        code(eventActions[action].entity),
        secondaryOf(action),
        causesOf(action).join(", "),
      ]),
    ),
    "## Actions of other APIs",
    `The public service has these actions, but no operation of this API causes them: ${others.map(code).join(", ")}.`,
  ];
  return { "docs/events.md": `${text.join("\n\n")}\n` };
}

function secondaryOf(action: EventAction): string {
  const facts: ActionFacts = eventActions[action];
  if (!facts.secondary) return "–";
  return `${code(facts.secondary)}${facts.when ? `, if ${facts.when}` : ""}`;
}

function causesOf(action: EventAction): string[] {
  const facts: ActionFacts = eventActions[action];
  const promised = areas.flatMap(({ all }) => all.filter(({ operation }) => operation.event === action));
  return [...promised.map(({ name }) => link(code(name), apiPage(name))), ...(facts.by ? [facts.by] : [])];
}

const isForeign = (action: EventAction): boolean => causesOf(action).length === 0;
