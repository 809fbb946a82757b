import { expect } from "vitest";
import { test } from "../cloud";
import { proves } from "../proves";
import { card, outside, rule } from "./billing";

const labels = (body: { data: { label: string }[] }) => body.data.map(({ label }) => label);
const due = { type: "payment_due", severity: "critical", label: "due", message: "A payment is due." };

test("lists notifications", async (one) => {
  await outside(one, "notifications", { type: "notice", label: "news", message: "There is news." });
  const entity = { id: 7, label: "web", type: "compute", url: "/v4/compute/instances/7" };
  const migration = { type: "migration_pending", label: "move", message: "It moves.", body: "At night.", entity };
  await outside(one, "notifications", { ...migration, severity: "major", when: "2022-01-02T03:00:00" });
  const { status, body } = await one.send("GET /account/notifications");
  expect({ status, data: body.data }).toEqual({
    status: 200,
    data: [
      {
        type: "notice",
        severity: "minor",
        label: "news",
        message: "There is news.",
        body: null,
        when: null,
        until: null,
        entity: expect.objectContaining({ type: "account", url: "/v4/account" }),
      },
      { ...migration, severity: "major", when: "2022-01-02T03:00:00", until: null },
    ],
  });
});

test("a notification cannot be changed, and disappears when its cause is resolved", async (one) => {
  proves(rule(9));
  const { id } = await outside(one, "notifications", { type: "outage", label: "outage", message: "It is down." });
  const until = { type: "maintenance", label: "work", message: "Work.", until: "2022-01-01T01:00:00" };
  await outside(one, "notifications", until);
  for (const method of ["POST", "PUT", "DELETE"]) {
    const rejected = await one.send(`${method} /account/notifications`, { body: {} });
    expect(rejected.status).toBe(405);
    expect(rejected.headers.get("allow")).toBe("GET");
  }
  expect((await one.send(`DELETE /account/notifications/${id}`)).status).toBe(404);
  expect(labels((await one.send("GET /account/notifications")).body)).toEqual(["outage", "work"]);
  one.advance(3_600_000);
  expect(labels((await one.send("GET /account/notifications")).body)).toEqual(["outage"]);
  await one.send("DELETE /_emulator/notifications", { body: { id } });
  expect(labels((await one.send("GET /account/notifications")).body)).toEqual([]);
  expect((await one.send("DELETE /_emulator/notifications", { body: { id } })).body.errors).toEqual([
    { field: "id", reason: `There is no notification ${id}` },
  ]);
});

test("the notification of a due payment disappears when the balance is paid", async (one) => {
  proves(rule(9));
  await card(one);
  await outside(one, "account", { balance: 30 });
  await outside(one, "notifications", due);
  await one.send("POST /account/payments", { body: { usd: "10.00", cvv: "123" } });
  expect(labels((await one.send("GET /account/notifications")).body)).toEqual(["due"]);
  await one.send("POST /account/payments", { body: { usd: "20.00", cvv: "123" } });
  expect(labels((await one.send("GET /account/notifications")).body)).toEqual([]);
});
