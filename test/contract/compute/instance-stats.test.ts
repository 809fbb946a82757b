import { expect } from "vitest";
import { messages, test } from "../cloud";
import { proves } from "../proves";
import { debian, machine, rule } from "./instance";

const limit = "part 1 · Limits · limit 6";
const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const start = Date.UTC(2022, 0, 1);

type Series = [time: number, value: number][];
const times = (series: Series): number[] => series.map(([at]) => at);
const sum = (series: Series): number => series.reduce((total, [, value]) => total + value, 0);

test("statistics cover the last 24 hours, with a value every five minutes", async (one) => {
  proves(limit);
  const web = await machine(one, { ...debian, label: "web" });
  one.advance(2 * day);
  const { status, body } = await one.send(`GET ${web.path}/stats`);
  expect(status).toBe(200);
  expect(body.title).toBe(`web (compute${web.id}) - day (5 min avg)`);
  const now = one.world.clock.now();
  const expected = Array.from(
    { length: 288 },
    (_, at) => Math.ceil((now - day) / (5 * minute)) * 5 * minute + at * 5 * minute,
  );
  const { cpu, io, netv4, netv6 } = body;
  for (const series of [cpu, io.io, io.swap, ...Object.values(netv4), ...Object.values(netv6)])
    expect(times(series as Series)).toEqual(expected.slice(0, (series as Series).length));
  expect(cpu.length).toBeGreaterThanOrEqual(287);
  expect(cpu.every(([, value]: [number, number]) => value > 0 && value <= 100)).toBe(true);
  expect([sum(netv6.private_in), sum(netv6.private_out)]).toEqual([0, 0]);
  expect((await one.send(`GET ${web.path}/stats`)).body).toEqual(body);
});

test("a new instance has no statistics yet", async (one) => {
  proves(limit);
  const web = await machine(one);
  const none = ["Stats are unavailable at this time."];
  expect(messages(await one.send(`GET ${web.path}/stats`))).toEqual(none);
  expect(messages(await one.send(`GET ${web.path}/stats/2022/1`))).toEqual(none);
  one.advance(5 * minute);
  const { cpu } = (await one.send(`GET ${web.path}/stats`)).body;
  expect(times(cpu)).toEqual([start]);
});

test("a running instance of a snapshot that lacks its running times has been running since its creation", async (one) => {
  const web = await machine(one);
  const { runs: _, ...row } = one.world.instances.get(web.id);
  one.world.instances.remove(web.id);
  one.world.instances.insert(row);
  one.advance(hour);
  const { cpu } = (await one.send(`GET ${web.path}/stats`)).body;
  expect(cpu.length).toBeGreaterThan(10);
  expect(cpu.every(([, value]: [number, number]) => value > 0)).toBe(true);
});

test("an instance that is not running uses nothing", async (one) => {
  proves(limit);
  const web = await machine(one, { ...debian, booted: false });
  one.advance(hour);
  expect(sum((await one.send(`GET ${web.path}/stats`)).body.cpu)).toBe(0);
  await web.request("POST /boot");
  one.advance(hour);
  await web.request("POST /shutdown");
  one.advance(hour);
  const { cpu } = (await one.send(`GET ${web.path}/stats`)).body;
  const during = (from: number, to: number) => cpu.filter(([at]: [number]) => at >= start + from && at < start + to);
  expect(sum(during(0, hour - 10 * minute))).toBe(0);
  expect(during(hour + 10 * minute, 2 * hour - 10 * minute).every(([, value]: [number, number]) => value > 0)).toBe(
    true,
  );
  expect(sum(during(2 * hour + 10 * minute, 3 * hour))).toBe(0);
});

test("statistics of the current month cover the past 30 days, those of a past month that month", async (one) => {
  proves(rule(13));
  const web = await machine(one);
  one.advance(45 * day);
  const span = async (month: number) => {
    const { cpu, title } = (await one.send(`GET ${web.path}/stats/2022/${month}`)).body;
    const all = times(cpu);
    return { from: all[0], to: all.at(-1), count: all.length, title: title.replace(/^.* - /, "") };
  };
  const step = 2 * hour;
  expect(await span(1)).toEqual({
    from: start,
    to: start + 31 * day - step,
    count: 31 * 12,
    title: "2022-01 (2 hr avg)",
  });
  const now = one.world.clock.now();
  const current = await span(2);
  expect(current.title).toBe("30 days (2 hr avg)");
  expect(current.from).toBe(Math.ceil((now - 30 * day) / step) * step);
  expect(current.to).toBeGreaterThan(now - 2 * step);
  expect(messages(await one.send(`GET ${web.path}/stats/2021/12`))).toEqual(["Stats are unavailable at this time."]);
});

test.each([
  [rule(13), "stats"],
  [rule(14), "transfer"],
] as const)("%s: rejects months of %s that have not begun", async (one, _, what) => {
  const web = await machine(one);
  one.advance(40 * day);
  const rejected = async (month: string) => messages(await one.send(`GET ${web.path}/${what}/${month}`));
  expect((await one.send(`GET ${web.path}/${what}/2022/2`)).status).toBe(200);
  expect((await one.send(`GET ${web.path}/${what}/2022/1`)).status).toBe(200);
  expect(await rejected("2022/3")).toEqual(["month: Must not be after 2022-02, the current month"]);
  expect(await rejected("2023/1")).toEqual(["year: Must not be after 2022-02, the current month"]);
  expect(await rejected("2022/0")).toEqual(["month: Must be at least 1"]);
  expect(await rejected("2022/13")).toEqual(["month: Must be at most 12"]);
});

test("accepts a transfer month of the years 2000 to 2037; a month before the creation has no traffic", async (one) => {
  proves(rule(14), limit);
  const web = await machine(one);
  const transfer = (month: string) => one.send(`GET ${web.path}/transfer/${month}` as "GET /x");
  expect(messages(await transfer("1999/12"))).toEqual(["year: Must be at least 2000"]);
  expect(messages(await transfer("2038/1"))).toEqual(["year: Must be at most 2037"]);
  expect((await transfer("2000/1")).body).toEqual({ bytes_in: 0, bytes_out: 0, bytes_total: 0 });
});

test("part 1 · Resources · Statistics objects: the transfer of a month is the sum of its statistics", async (one) => {
  const web = await machine(one);
  one.advance(40 * day);
  const { netv4, netv6 } = (await one.send(`GET ${web.path}/stats/2022/1`)).body;
  const bytes = (...all: Series[]) => (all.reduce((total, series) => total + sum(series), 0) * 2 * 3600) / 8;
  const january = (await one.send(`GET ${web.path}/transfer/2022/1`)).body;
  expect(january.bytes_in).toBeGreaterThan(0);
  expect(Math.abs(january.bytes_in / bytes(netv4.in, netv6.in) - 1)).toBeLessThan(0.001);
  expect(Math.abs(january.bytes_out / bytes(netv4.out, netv6.out) - 1)).toBeLessThan(0.001);
  expect(january.bytes_total).toBe(january.bytes_in + january.bytes_out);
});

test("part 1 · Resources · Statistics objects: the current month's transfer has a quota, above which it is billable", async (one) => {
  one.advance(16 * day);
  const web = await machine(one);
  one.advance(10 * day);
  const transfer = async () => (await one.send(`GET ${web.path}/transfer`)).body;
  const month = (await one.send(`GET ${web.path}/transfer/2022/1`)).body;
  expect(month.bytes_total).toBeGreaterThan(1e9);
  // The instance has existed on 15 of the month's 31 days, so its quota is 15/31 of the 2,000 GB that its type
  // includes.
  expect(await transfer()).toEqual({ used: month.bytes_total, quota: 968, billable: 0 });
  const { specs } = one.world.instances.get(web.id);
  one.world.instances.patch(web.id, { specs: { ...specs, transfer: 0 } });
  expect(await transfer()).toEqual({ used: month.bytes_total, quota: 0, billable: Math.ceil(month.bytes_total / 1e9) });
  one.advance(10 * day);
  expect((await transfer()).used).toBe((await one.send(`GET ${web.path}/transfer/2022/2`)).body.bytes_total);
});
