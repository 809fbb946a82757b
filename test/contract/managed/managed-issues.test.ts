import { expect } from "vitest";
import { type Cloud, messages, test } from "../cloud";

async function service({ send, settle }: Cloud, label = "web"): Promise<number> {
  const body = { label, service_type: "url", address: "https://example.org", timeout: 5 };
  const { id } = (await send("POST /managed/services", { body })).body;
  settle();
  return id;
}

const status = async ({ send }: Cloud, id: number): Promise<string> =>
  (await send(`GET /managed/services/${id}`)).body.status;

const open = async ({ send }: Cloud, ...services: number[]) =>
  (await send("POST /_emulator/issues", { body: { services } })).body;

test("part 2 · Resources · Managed issue: an issue contains its services and its ticket", async (one) => {
  const { send } = one;
  const [web, db] = [await service(one), await service(one, "database")];
  const { id } = await open(one, web, db);
  const issue = (await send(`GET /managed/issues/${id}`)).body;
  expect(issue).toEqual({
    id,
    created: one.world.clock.time(),
    services: [web, db],
    entity: {
      id: expect.any(Number),
      type: "ticket",
      label: "Managed issue: web, database",
      url: `/v4/support/tickets/${issue.entity.id}`,
    },
  });
  expect((await send("GET /managed/issues")).body).toMatchObject({ results: 1, data: [issue] });
  expect(one.world.events.recent()[0]).toMatchObject({ action: "ticket_create", entity: issue.entity, username: null });
  expect((await send("GET /managed/issues/7")).status).toBe(404);
});

test("a service with an open issue has the status problem, and a resolved issue is still listed", async (one) => {
  const [web, db] = [await service(one), await service(one, "database")];
  const both = await open(one, web, db);
  const other = await open(one, db);
  expect([await status(one, web), await status(one, db)]).toEqual(["problem", "problem"]);
  await one.send("POST /_emulator/issues/resolve", { body: { id: both.id } });
  expect([await status(one, web), await status(one, db)]).toEqual(["ok", "problem"]);
  await one.send("POST /_emulator/issues/resolve", { body: { id: other.id } });
  expect(await status(one, db)).toBe("ok");
  expect((await one.send("GET /managed/issues")).body.results).toBe(2);
});

test("a resolved issue does not enable a disabled service, nor replace a check that has not run yet", async (one) => {
  const [web, db] = [await service(one), await service(one, "database")];
  const { id } = await open(one, web, db);
  await one.send(`POST /managed/services/${web}/disable`);
  await one.send(`PUT /managed/services/${db}`, { body: { timeout: 6 } });
  await one.send("POST /_emulator/issues/resolve", { body: { id } });
  expect([await status(one, web), await status(one, db)]).toEqual(["disabled", "pending"]);
});

test("rejects an issue about missing or disabled services", async (one) => {
  const web = await service(one);
  await one.send(`POST /managed/services/${web}/disable`);
  const rejected = await one.send("POST /_emulator/issues", { body: { services: [web, 7] } });
  expect(messages(rejected)).toEqual([
    `services.0: Must be a monitored service: service ${web} is disabled`,
    "services.1: Must be a monitored service: service 7 is unknown",
  ]);
  expect((await one.send("GET /managed/issues")).body.results).toBe(0);
});

test("an issue does not contain deleted services", async (one) => {
  const [web, db] = [await service(one), await service(one, "database")];
  const { id } = await open(one, web, db);
  await one.send(`DELETE /managed/services/${web}`);
  expect((await one.send(`GET /managed/issues/${id}`)).body.services).toEqual([db]);
  await one.send("POST /_emulator/issues/resolve", { body: { id } });
  expect(await status(one, db)).toBe("ok");
});
