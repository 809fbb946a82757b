import type { IncomingHttpHeaders, RequestListener } from "node:http";
import { text } from "node:stream/consumers";
import { Webhook } from "standardwebhooks";
import { afterEach, expect, test } from "vitest";
import { type Alert, alertOf } from "../../../../drift/watch/alert";
import { Delivery } from "../../../../drift/watch/delivery";
import { type Receiver, slack, webhook } from "../../../../drift/watch/receiver";
import type { Time } from "../../../../provider/client/time";
import { listening } from "../../../listening";
import { deleted, finding } from "./report";

const KEY = Buffer.from("a key of exactly 32 bytes, honest");
const SECRET = `whsec_${KEY.toString("base64")}`;
const at = "2026-11-24T21:00:00.000Z";
const found = (overrides = {}): Alert => alertOf("drift.found", finding(overrides), at);

type Received = { headers: IncomingHttpHeaders; body: string };
const closing: AsyncDisposable[] = [];
afterEach(async () => {
  for (const one of closing.splice(0)) await one[Symbol.asyncDispose]();
});

/**
 * A receiver that responds with the given statuses, then with 204. A function in place of a status handles the response
 * itself.
 */
async function receiving(...statuses: (number | RequestListener)[]) {
  const received: Received[] = [];
  const server = await listening(async (request, response) => {
    received.push({ headers: request.headers, body: await text(request) });
    const next = statuses.shift() ?? 204;
    if (typeof next === "function") return next(request, response);
    response.writeHead(next).end();
  });
  closing.push(server);
  return { url: new URL(`${server.url}/hook?channel=secret-part`), received };
}

/** A delivery whose waits take no real time. `waits` has their milliseconds. */
function delivering(receiver: Receiver, maxQueued?: number) {
  const [waits, lines]: [number[], string[]] = [[], []];
  const start = Date.now();
  const time: Time = {
    now: () => start + waits.reduce((sum, ms) => sum + ms, 0),
    async sleep(ms, signal) {
      signal?.throwIfAborted();
      waits.push(ms);
    },
    timer: () => () => {},
  };
  const delivery = new Delivery(receiver, { time, maxQueued, log: (line) => void lines.push(line) });
  closing.push({ [Symbol.asyncDispose]: async () => void (await delivery.stop(AbortSignal.abort())) });
  const accepted = async (count: number): Promise<void> => {
    while (delivery.counts.sent + delivery.counts.rejected < count) await new Promise(setImmediate);
  };
  return { delivery, waits, lines, accepted };
}

test("a webhook gets the finding as JSON, with a signature that a library of Standard Webhooks accepts", async () => {
  const { url, received } = await receiving();
  const { delivery, accepted } = delivering(webhook(url, KEY));
  delivery.add([found()]);
  await accepted(1);
  const [{ headers, body }] = received as [Received];
  expect(new Webhook(SECRET).verify(body, headers as Record<string, string>)).toEqual({
    type: "drift.found",
    timestamp: at,
    data: { finding: finding() },
  });
  expect(headers["content-type"]).toBe("application/json");
  expect(() => new Webhook(SECRET).verify(`${body} `, headers as Record<string, string>)).toThrow("signature");
});

test("Slack gets a text in which values cannot mention people", async () => {
  const { url, received } = await receiving();
  const { delivery, accepted } = delivering(slack(url));
  const accepting = finding({ bucket: "accepted", reason: "grown during the incident" });
  delivery.add([
    found({ actual: '"<!channel> & co"' }),
    alertOf("drift.found", deleted("Domain", "zone", ["shop/prod/DomainRecord/www"]), at),
    alertOf("drift.changed", finding({ actual: "60" }), at),
    alertOf("drift.resolved", finding(), at),
    alertOf("drift.resolved", accepting, at),
  ]);
  await accepted(5);
  expect(received.map(({ body }) => JSON.parse(body).text)).toEqual([
    '*Drift:* shop/prod/Volume/data, Volume "data" (640144)\n/size: 20 → "&lt;!channel&gt; &amp; co"',
    '*Drift:* shop/prod/Domain/zone, Domain "zone" (7)\ndeleted, with DomainRecord/www',
    '*Drift changed:* shop/prod/Volume/data, Volume "data" (640144)\n/size: 20 → 60',
    '*Drift resolved:* shop/prod/Volume/data, Volume "data" (640144)\n/size: 20 → 40',
    '*Drift accepted:* shop/prod/Volume/data, Volume "data" (640144)\n/size: 20 → 40\ngrown during the incident',
  ]);
});

test("an alert is sent until it is accepted, with growing delays and the same id", async () => {
  const { url, received } = await receiving(500, 503, 408, 429, 302, 500, 500, 500, 500, 500, 500);
  const { delivery, waits, accepted } = delivering(webhook(url, KEY));
  delivery.add([found(), found({ path: "/label" })]);
  await accepted(2);
  expect(waits.map((ms) => ms / 1000)).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300]);
  expect(delivery.counts).toEqual({ sent: 2, failed: 11, rejected: 0, dropped: 0 });
  expect(received.map(({ headers }) => headers["webhook-id"]).filter((id, i, all) => id !== all[i - 1])).toHaveLength(
    2,
  );
});

test("a receiver that asks for a delay gets it", async () => {
  const limited: RequestListener = (_, response) => void response.writeHead(429, { "retry-after": "30" }).end();
  const { url } = await receiving(limited);
  const { delivery, waits, accepted } = delivering(slack(url));
  delivery.add([found()]);
  await accepted(1);
  expect(waits).toEqual([30_000]);
});

test("an alert whose response is lost is sent again with the same id", async () => {
  const { url, received } = await receiving((request) => request.socket.destroy());
  const { delivery, lines, accepted } = delivering(webhook(url, KEY));
  delivery.add([found()]);
  await accepted(1);
  expect(new Set(received.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
  expect(lines).toEqual([
    "webhook did not accept drift.found shop/prod/Volume/data /size (UND_ERR_SOCKET); next attempt in 1 s",
  ]);
});

test.each([400, 409, 410, 413, 422])(
  "an alert that the receiver rejects with the status %d does not hold up the next one",
  async (status) => {
    const { url } = await receiving(status);
    const { delivery, waits, lines, accepted } = delivering(slack(url));
    delivery.add([found(), found({ path: "/label" })]);
    await accepted(2);
    expect(delivery.counts).toEqual({ sent: 1, failed: 0, rejected: 1, dropped: 0 });
    expect(waits).toEqual([]);
    expect(lines).toEqual([
      `slack rejected drift.found shop/prod/Volume/data /size (status ${status}), so it is not sent again`,
    ]);
  },
);

/** The delays in the first hour of attempts: they double up to five minutes, and the last one ends after the hour. */
const hourOfWaits = [1, 2, 4, 8, 16, 32, 64, 128, 256, ...Array<number>(11).fill(300)];

test.each([401, 403, 404])(
  "a receiver that sends only the status %d has an hour to recover; then the alerts that have waited as long are given up",
  async (status) => {
    const { url, received } = await receiving(...Array<number>(hourOfWaits.length + 2).fill(status));
    const { delivery, waits, lines, accepted } = delivering(slack(url));
    delivery.add([found(), found({ path: "/label" })]);
    await accepted(2);
    expect(waits.map((ms) => ms / 1000)).toEqual(hourOfWaits);
    expect(delivery.counts).toEqual({ sent: 0, failed: hourOfWaits.length, rejected: 2, dropped: 0 });
    expect(lines.at(0)).toBe(
      `slack did not accept drift.found shop/prod/Volume/data /size (status ${status}); next attempt in 1 s`,
    );
    expect(lines.slice(hourOfWaits.length)).toEqual([
      `slack rejected drift.found shop/prod/Volume/data /size (status ${status} for an hour), so it is not sent again`,
      `slack rejected drift.found shop/prod/Volume/data /label (status ${status} for an hour), so it is not sent again`,
    ]);
    expect(received).toHaveLength(hourOfWaits.length + 2);
  },
);

test("an alert gets an hour of its own if the receiver has rejected earlier ones, and is sent once that has recovered", async () => {
  const { url } = await receiving(...Array<number>(hourOfWaits.length + 3).fill(404));
  const { delivery, waits, accepted } = delivering(slack(url));
  delivery.add([found()]);
  await accepted(1);
  delivery.add([found({ path: "/label" })]);
  await accepted(2);
  expect(delivery.counts).toMatchObject({ sent: 1, rejected: 1 });
  expect(waits.slice(hourOfWaits.length)).toEqual([1000, 2000]);
});

test("another response or none begins another hour, and a receiver that is not there is tried without end", async () => {
  const reset: RequestListener = (request) => void request.socket.destroy();
  const hour = Array<number>(hourOfWaits.length).fill(404);
  const { url } = await receiving(...hour, 503, ...hour.slice(0, 11), reset, ...Array<number>(50).fill(425));
  const { delivery, accepted } = delivering(slack(url));
  delivery.add([found()]);
  await accepted(1);
  expect(delivery.counts).toEqual({ sent: 1, failed: hour.length + 1 + 11 + 1 + 50, rejected: 0, dropped: 0 });
});

test("the oldest waiting alerts are dropped, counted and logged if too many are queued", async () => {
  const released = Promise.withResolvers<void>();
  const slow: RequestListener = async (_, response) => {
    await released.promise;
    response.writeHead(204).end();
  };
  const { url, received } = await receiving(slow);
  const { delivery, lines, accepted } = delivering(webhook(url, KEY), 3);
  const alerts = ["/a", "/b", "/c", "/d", "/e"].map((path) => found({ path }));
  delivery.add(alerts.slice(0, 3));
  delivery.add(alerts.slice(3));
  released.resolve();
  await accepted(3);
  expect(received.map(({ body }) => JSON.parse(body).data.finding.path)).toEqual(["/a", "/d", "/e"]);
  expect(delivery.counts).toEqual({ sent: 3, failed: 0, rejected: 0, dropped: 2 });
  expect(lines).toEqual([
    "webhook has more than 3 queued alerts: the oldest 2 are dropped, from drift.found shop/prod/Volume/data /b",
  ]);
});

test("the stop sends each queued alert once more, and returns those that are not accepted", async () => {
  const { url, received } = await receiving(500, 204, 500);
  const { delivery } = delivering(webhook(url, KEY));
  const [first, second, third] = [found(), found({ path: "/label" }), found({ path: "/tags" })];
  delivery.add([first, second, third]);
  const left = await delivery.stop(new AbortController().signal);
  expect(received.map(({ headers }) => headers["webhook-id"])).toEqual([first.id, first.id, second.id, third.id]);
  expect(left.map(({ id }) => id)).toEqual([second.id]);
});

test("the stop ends at its limit although the receiver does not respond", async () => {
  const { url } = await receiving(() => {});
  const { delivery } = delivering(webhook(url, KEY));
  delivery.add([found()]);
  const limit = new AbortController();
  setImmediate(() => limit.abort());
  expect(await delivery.stop(limit.signal)).toHaveLength(1);
});

test("no message contains the address of the receiver", async () => {
  const { url } = await receiving(500, 400);
  const { delivery, lines, accepted } = delivering(slack(url));
  delivery.add([found()]);
  await accepted(1);
  expect(lines).toHaveLength(2);
  expect(lines.join()).not.toMatch(/secret-part|hook/);
});
