import { expect, test } from "vitest";
import { rateOf } from "../../../console/rate";

const NOW = 1_000_000_500;
const request = (n: number, secondsAgo: number, status = 200) => ({ n, at: NOW - secondsAgo * 1000, status });

test("the rate counts the requests of the last minute by second, and those that failed", () => {
  const rate = rateOf([request(4, 0), request(3, 0, 500), request(2, 59), request(1, 60)], NOW);
  expect(rate).toMatchObject({ sum: 3, peak: 2, isPartial: false });
  expect([rate.bars[0], rate.bars.at(-1)]).toEqual([
    { all: 1, failed: 0 },
    { all: 2, failed: 1 },
  ]);
});

test.each([
  ["partial if earlier requests of the minute are not listed", [request(9, 1), request(8, 59)], true],
  ["partial if the list has a gap in the minute", [request(9, 1), request(5, 2), request(4, 60)], true],
  ["complete if the oldest listed request is older than a minute", [request(9, 1), request(8, 60)], false],
  ["complete if all requests are listed", [request(2, 1), request(1, 2)], false],
  ["complete without requests", [], false],
])("the rate is %s", (_, requests, isPartial) => {
  expect(rateOf(requests, NOW).isPartial).toBe(isPartial);
});
