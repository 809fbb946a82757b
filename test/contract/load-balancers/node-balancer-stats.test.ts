import { expect } from "vitest";
import { test } from "../cloud";
import { proves } from "../proves";
import { backend, balancer, rule } from "./balancer";

test("statistics are available after the first sample, with one for each five minutes of a day", async (one) => {
  proves(rule(6));
  const web = await backend(one);
  const nb = await balancer(one);
  expect(await nb.rejected("GET /stats")).toEqual(["Stats are unavailable at this time."]);
  one.advance(299_000);
  expect(await nb.rejected("GET /stats")).toHaveLength(1);
  const config = await nb.request("POST /configs", {});
  await nb.request(`POST /configs/${config.id}/nodes`, { label: "web", address: web.ip });
  one.advance(601_000);
  const { data, title } = await nb.request("GET /stats");
  expect(title).toBe(`balancer${nb.id} - day (5 min avg)`);
  expect(data.connections).toHaveLength(3);
  expect(data.connections[0]).toBe(0);
  expect(data.connections[2]).toBeGreaterThan(0);
  expect(data.traffic.out[2]).toBe(Math.round(data.connections[2] * 9000 * 8));
  one.advance(3 * 86_400_000);
  const late = (await nb.request("GET /stats")).data;
  expect([late.connections, late.traffic.in, late.traffic.out].map((list) => list.length)).toEqual([288, 288, 288]);
});

test("part 3 · Resources · Load balancer: transfer is that of this month, according to the samples", async (one) => {
  const web = await backend(one);
  one.world.clock.set(Date.UTC(2022, 0, 10));
  const nb = await balancer(one, { configs: [{ nodes: [{ label: "web", address: web.ip }] }] });
  one.advance(86_400_000);
  const { data } = await nb.request("GET /stats");
  const megabytes = (list: number[]) => list.reduce((sum, rate) => sum + (rate * 300) / 8 / 1e6, 0);
  const { transfer } = await nb.request("GET ");
  expect(transfer.in).toBeCloseTo(megabytes(data.traffic.in), 1);
  expect(transfer.out).toBeCloseTo(megabytes(data.traffic.out), 1);
  expect(transfer.total).toBeCloseTo(transfer.in + transfer.out, 5);
  one.world.clock.set(Date.UTC(2022, 1, 1));
  expect((await nb.request("GET ")).transfer).toEqual({ total: null, out: null, in: null });
  one.advance(86_400_000);
  expect((await nb.request("GET ")).transfer).toEqual(transfer);
});

test("the transfer of a few hours is the sum of their samples", async (one) => {
  const web = await backend(one);
  one.world.clock.set(Date.UTC(2022, 0, 10));
  const nb = await balancer(one, { configs: [{ nodes: [{ label: "web", address: web.ip }] }] });
  one.advance(5 * 3_600_000);
  const { data } = await nb.request("GET /stats");
  const megabytes = data.traffic.in.reduce((sum: number, rate: number) => sum + (rate * 300) / 8 / 1e6, 0);
  expect(megabytes).toBeGreaterThan(0);
  expect((await nb.request("GET ")).transfer.in).toBeCloseTo(megabytes, 1);
});
