import { expect } from "vitest";
import { restricted, test } from "../cloud";
import { proves } from "../proves";
import { days, outside, rule } from "./billing";

test("lists logins newest first, and views them", async (one) => {
  await outside(one, "logins", { ip: "198.51.100.7", datetime: "2021-12-01T08:00:00" });
  await outside(one, "logins", {});
  const { body } = await one.send("GET /account/logins");
  expect(body).toMatchObject({
    results: 2,
    data: [
      { username: "emulator", restricted: false, datetime: "2022-01-01T00:00:00" },
      { username: "emulator", restricted: false, datetime: "2021-12-01T08:00:00", ip: "198.51.100.7" },
    ],
  });
  expect((await one.send(`GET /account/logins/${body.data[1].id}`)).body).toEqual(body.data[1]);
});

test("unrestricted users see the logins of all users", async (one) => {
  proves(rule(2));
  await restricted(one);
  await outside(one, "logins", { username: "guest" });
  await outside(one, "logins", { username: "emulator" });
  expect((await one.send("GET /account/logins")).body.data).toMatchObject([
    { username: "emulator", restricted: false },
    { username: "guest", restricted: true },
  ]);
});

test("lists the logins of the last 90 days", async (one) => {
  proves(rule(2), "part 3 · Limits · limit 6");
  const { id } = await outside(one, "logins", {});
  one.advance(days(90));
  expect((await one.send("GET /account/logins")).body.results).toBe(1);
  expect((await one.send(`GET /account/logins/${id}`)).status).toBe(200);
  one.advance(1000);
  expect((await one.send("GET /account/logins")).body.results).toBe(0);
  expect((await one.send(`GET /account/logins/${id}`)).status).toBe(404);
});
