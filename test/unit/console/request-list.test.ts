import { expect, test } from "vitest";
import { continued, isSameLog, merged } from "../../../console/request-list";
import type { RequestSummary } from "../../../emulator/console/feed";

const request = (n: number, ms: number | null = 1): RequestSummary => ({
  ...{ n, ms, at: n, method: "GET", path: "/volumes", operation: "volumes.list" },
  ...{ username: null, token: null, fault: null, status: ms === null ? null : 200 },
});
/** The requests with the numbers from `first` to `last`. */
const range = (first: number, last: number): RequestSummary[] =>
  Array.from({ length: last - first + 1 }, (_, i) => request(first + i));

test("a hidden page that is shown again keeps its requests, and adds those that arrived in the meantime", () => {
  const list = continued(range(1, 700).reverse(), range(521, 720));
  expect(list).toEqual(range(1, 720).reverse());
});

test("the list has at most the latest 1,000 requests", () => {
  expect(continued(range(1, 1000).reverse(), range(901, 1100))).toEqual(range(101, 1100).reverse());
});

test("a request that was in progress when the page was hidden has ended, or is not listed", () => {
  const list = [request(3, null), request(2, null), request(1)];
  expect(continued(list, [request(3, 5)])).toEqual([request(3, 5), request(1)]);
});

test("a request that ends is updated at its place, and a new one is added at the start", () => {
  const list = [request(2), request(1, null)];
  expect(merged(list, [request(3, null), request(1, 7)])).toEqual([request(3, null), request(2), request(1, 7)]);
});

test("a log is another one after it was cleared, and after the emulator was started again", () => {
  const log = { run: "a", clears: 1 };
  expect(isSameLog(log, { ...log })).toBe(true);
  expect(isSameLog(log, { ...log, clears: 2 })).toBe(false);
  expect(isSameLog(log, { ...log, run: "b" })).toBe(false);
  expect(isSameLog(undefined, log)).toBe(false);
});
