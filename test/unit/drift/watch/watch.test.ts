import { expect, test } from "vitest";
import { DriftWatch, listen, type WatchOptions } from "../../../../drift/watch";
import { realTime } from "../../../../provider/client/time";
import { deleted, finding, report } from "./report";

/** A watch whose clock advances only while it sleeps. Each entry of `checks` is a check; after the last, it stops. */
async function watched(checks: WatchOptions["check"][], options: Partial<WatchOptions> = {}) {
  let now = Date.parse("2026-11-24T21:00:00Z");
  const stop = new AbortController();
  const [lines, starts]: [string[], number[]] = [[], []];
  const watch = new DriftWatch({
    check: async (hooks) => {
      starts.push(now);
      const next = checks.shift();
      if (!checks.length) stop.abort();
      if (!next) throw new Error("no more checks");
      return await next(hooks);
    },
    everyMs: 300_000,
    maxAgeMs: 900_000,
    receivers: [],
    log: (line) => void lines.push(line),
    time: {
      now: () => now,
      async sleep(ms, signal) {
        signal?.throwIfAborted();
        now += ms;
      },
      timer: (_, work) => realTime.timer(1, work),
    },
    ...options,
  });
  const pass = (ms: number): void => {
    now += ms;
  };
  return { watch, stop, lines, starts, pass, run: () => watch.run(stop.signal) };
}

const drift = async () =>
  report([finding(), finding({ path: "/label" }), deleted("Domain", "zone", ["shop/prod/DomainRecord/www"])]);
const failing = async () => {
  throw new Error("the service could not be reached");
};

test("checks at the interval from start to start, and continues after a failure", async () => {
  const slow = async () => {
    it.pass(100_000);
    return report([]);
  };
  const it = await watched([slow, failing, drift]);
  expect(await it.run()).toBe(0);
  expect(it.starts.map((at) => at - (it.starts[0] ?? 0))).toEqual([0, 300_000, 600_000]);
  expect(it.lines).toEqual([
    "no drift (checked 12 of 12 resources in 1 stack)",
    "the check failed: the service could not be reached",
    "3 differences (checked 12 of 12 resources in 1 stack); drift.found shop/prod/Volume/data /size; " +
      "drift.found shop/prod/Volume/data /label; drift.found shop/prod/Domain/zone deleted",
  ]);
});

test("a check of all stacks in which none could be checked has failed, and one in which others were checked has not", async () => {
  const failures = ["shop/dev", "shop/prod"].map(
    (stack) => ({ stack, reason: "the service could not be reached", resources: 12, exitCode: 5 }) as const,
  );
  const outage = async () => report([], { failures, coverage: { resources: 24, checked: 0, notCompared: [] } });
  const partial = async () =>
    report([], { failures: failures.slice(1), coverage: { resources: 24, checked: 12, notCompared: [] } });
  const it = await watched([drift, outage, partial]);
  await it.run();
  expect(it.lines.slice(1)).toEqual([
    "the check failed: shop/dev: the service could not be reached; 1 other stack failed, too",
    "no drift (checked 12 of 24 resources in 1 stack; 1 stack failed)",
  ]);
  expect(it.watch.metrics()).toContain('cloudinfra_drift_checks_total{result="failure"} 1\n');
});

test("a check that takes longer than the interval is followed by the next one at once, never by two at a time", async () => {
  const slow = async () => {
    it.pass(700_000);
    return report([]);
  };
  const it = await watched([slow, slow, slow]);
  await it.run();
  expect(it.starts.map((at) => at - (it.starts[0] ?? 0))).toEqual([0, 700_000, 1_400_000]);
});

test("a fatal error ends the watch in its first check, and is logged in later ones", async () => {
  const it = await watched([failing, drift], { isFatal: () => true });
  await expect(it.run()).rejects.toThrow("the service could not be reached");
  const later = await watched([drift, failing, drift], { isFatal: () => true });
  await later.run();
  expect(later.lines.slice(1)).toEqual([
    "the check failed: the service could not be reached",
    "3 differences (checked 12 of 12 resources in 1 stack)",
  ]);
});

test("a check that does not end after the stop is left", async () => {
  const it = await watched([() => new Promise(() => {})]);
  expect(await it.run()).toBe(0);
  expect(it.lines).toEqual(["stopped: the check in progress did not end within 15 s"]);
});

test("metrics count drifted, missing and unchecked objects by stack, requests by status, and checks by result", async () => {
  const it = await watched([
    async (hooks) => {
      const received = { operation: "volumes.list", method: "GET", url: "/v4/volumes", attempt: 1, ms: 1 };
      for (const status of [200, 200, 503]) hooks.response?.({ ...received, status });
      hooks.response?.({ ...received, error: new Error("connection lost") });
      it.pass(2_500);
      return report((await drift()).findings, {
        stacks: [
          { name: "shop/prod", resources: 12, foreign: 0 },
          { name: 'od"d/dev', resources: 1, foreign: 0 },
        ],
        unread: [{ kind: "Image", reason: "missing scope", resources: ["shop/prod/Image/base"] }],
        failures: [{ stack: "web/prod", reason: "its state is truncated", resources: 0, exitCode: 1 }],
        unmanaged: {
          managed: 8,
          percent: 80,
          objects: [
            { kind: "Volume", id: "1", title: "Volume 1", adopt: "" },
            { kind: "Volume", id: "2", title: "Volume 2", adopt: "" },
          ],
        },
      });
    },
    async () => {
      it.pass(1_000);
      return failing();
    },
  ]);
  await it.run();
  const values = it.watch
    .metrics()
    .split("\n")
    .filter((line) => line && !line.startsWith("#"));
  expect(values).toEqual([
    'cloudinfra_drift_resources{stack="shop/prod"} 12',
    'cloudinfra_drift_resources{stack="od\\"d/dev"} 1',
    'cloudinfra_drift_drifted_objects{stack="shop/prod"} 1',
    'cloudinfra_drift_drifted_objects{stack="od\\"d/dev"} 0',
    'cloudinfra_drift_missing_objects{stack="shop/prod"} 2',
    'cloudinfra_drift_missing_objects{stack="od\\"d/dev"} 0',
    'cloudinfra_drift_unchecked_resources{stack="shop/prod"} 1',
    'cloudinfra_drift_unchecked_resources{stack="od\\"d/dev"} 0',
    "cloudinfra_drift_unchecked_stacks 1",
    "cloudinfra_drift_unmanaged_objects 2",
    "cloudinfra_drift_last_success_timestamp_seconds 1795554002.5",
    "cloudinfra_drift_check_duration_seconds 1",
    'cloudinfra_drift_checks_total{result="success"} 1',
    'cloudinfra_drift_checks_total{result="failure"} 1',
    'cloudinfra_api_requests_total{status="200"} 2',
    'cloudinfra_api_requests_total{status="503"} 1',
    'cloudinfra_api_requests_total{status="none"} 1',
  ]);
});

test("each metric has a help text and a type", async () => {
  const it = await watched([async () => report([])]);
  await it.run();
  expect(it.watch.metrics()).toContain(
    "# HELP cloudinfra_drift_drifted_objects Objects with differences that are not accepted.\n" +
      "# TYPE cloudinfra_drift_drifted_objects gauge\n",
  );
  expect(it.watch.metrics()).toContain("# TYPE cloudinfra_drift_checks_total counter\n");
});

test("health fails before the first check and when the last successful one is too old; the process stays live", async () => {
  const it = await watched([async () => report([])]);
  const server = await listen(it.watch, { host: "127.0.0.1", port: 0 });
  const get = async (path: string, init = {}) => {
    const response = await fetch(server.url + path, init);
    return `${response.status} ${await response.text()}`;
  };
  expect(await get("/healthz")).toBe("503 no check has succeeded yet\n");
  await it.run();
  it.pass(900_000);
  expect(await get("/healthz?verbose")).toBe("200 the last successful check ended 900 s ago; the limit is 900 s\n");
  it.pass(1);
  expect(await get("/healthz")).toBe("503 the last successful check ended 900 s ago; the limit is 900 s\n");
  expect(await get("/livez")).toBe("200 ok\n");
  expect(await get("/metrics")).toContain("200 # HELP");
  expect(await get("/")).toBe("404 not found: the paths are /metrics, /healthz and /livez\n");
  expect(await get("/metrics", { method: "POST" })).toBe("405 only GET is allowed\n");
  await server.close();
});
