import { expect, test } from "vitest";
import { ServerClock } from "../../../provider/client/interceptors/clock";
import { connected, fakeTime, json, serve, volume } from "./scripted";

test("learns the service's clock from its responses", async () => {
  const { now } = fakeTime();
  const ahead = new Date(now() + 3_600_000).toUTCString();
  const { url } = await serve(json(200, volume(1), { date: ahead }));
  const { api, serverTime } = connected(url);
  expect(serverTime()).toEqual({ estimated: now(), lastSeen: now() });
  await api.volumes.view({ path: { volumeId: 1 } });
  expect(serverTime()).toEqual({ estimated: now() + 3_600_000, lastSeen: now() + 3_600_000 });
});

test("each response improves the estimate, which is never ahead of the service", () => {
  const truth = 12_345;
  const clock = new ServerClock();
  for (let sent = 1_000_000; sent < 1_060_000; sent += 777) {
    const written = sent + 20 + truth;
    clock.update(sent, sent + 50, Math.floor(written / 1000) * 1000);
    expect(clock.offset()).toBeLessThanOrEqual(truth);
  }
  expect(clock.offset()).toBeGreaterThan(truth - 100);
});

test("restarts when the service's clock is changed, and ignores a response without a date", () => {
  const clock = new ServerClock();
  clock.update(0, 10, 5_000);
  clock.update(20, 30, 90_000);
  expect(clock.offset()).toBe(89_970);
  clock.update(40, 50, Number.NaN);
  expect(clock.offset()).toBe(89_970);
});
