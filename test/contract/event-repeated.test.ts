import { expect, test } from "vitest";
import { type Area, namedOperations, operations } from "../../api";
import { freshAccount, type Plan } from "./matrix/plan";
import { plans } from "./matrix/plans";
import { type Input, request } from "./matrix/request";

/** Operations that succeed without an effect if the object already is in the requested state. */
const without = [
  "instanceBackups.cancel",
  "instanceBackups.enable",
  "instances.shutdown",
  "networkingIps.assign",
  "volumes.detach",
];

const written = namedOperations(operations).filter(({ operation }) => operation.event);

/** Sends a valid request twice. Returns the status of the second response, and the actions of the events it caused. */
async function repeated(name: string): Promise<[status: number, events: string[]]> {
  await using one = await freshAccount();
  const [area, key] = name.split(".") as ["instances", "boot"];
  const operation = (operations as Readonly<Record<string, Area>>)[area]?.[key];
  if (!operation) throw new Error(`There is no operation ${name}`);
  const input = (await (plans[area][key] as Plan<never>)(one)) as Input;
  expect((await request(one, operation, input)).body?.errors).toBeUndefined();
  one.settle();
  const before = one.world.events.table.size;
  const { status } = await request(one, operation, input);
  return [
    status,
    one.world.events.table
      .all()
      .slice(before)
      .map(({ action }) => action),
  ];
}

test.each(without)("%s writes no event if it changes nothing", async (name) => {
  expect(await repeated(name)).toEqual([200, []]);
});

test.each(written.filter(({ name }) => !without.includes(name)).map(({ name }) => name))(
  "%s is rejected or writes an event when it is repeated",
  async (name) => {
    const [status, events] = await repeated(name);
    if (status === 200) expect(events).not.toEqual([]);
    else expect(events).toEqual([]);
  },
);
