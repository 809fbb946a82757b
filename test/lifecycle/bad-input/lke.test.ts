import { describe, expect, test } from "vitest";
import type { Bag } from "../../../provider/engine/values";
import { cloud } from "../../../testing/cloud";
import { Managed } from "../../../testing/provider";
import { lines, refusals } from "./refusals";

describe("LkeCluster and LkeNodePool", () => {
  const main = { type: "g6-standard-1", count: 3 };
  const good = { label: "k8s", region: "us-east", k8sVersion: "1.21", pools: { main } };
  const cluster = (inputs: Bag) => refusals("LkeCluster", { ...good, ...inputs });

  test("rejects invalid versions, labels and pools", async () => {
    expect(await cluster({ k8sVersion: "1.25" })).toMatchInlineSnapshot(
      `"k8sVersion: must be "1.20", "1.21" or "1.22" (given "1.25")"`,
    );
    expect(await cluster({ k8sVersion: "1.21.3" })).toMatchInlineSnapshot(
      `"k8sVersion: must be a version of the form major.minor, like 1.22 (given "1.21.3")"`,
    );
    expect(await cluster({ k8sVersion: 1.21 })).toMatchInlineSnapshot(`"k8sVersion: must be a string (given 1.21)"`);
    expect(await cluster({ label: "🚀" })).toMatchInlineSnapshot(
      `"label: must not contain characters of four bytes in UTF-8, such as emoji (given "🚀")"`,
    );
    expect(await cluster({ pools: { main: { ...main, type: "g6-standard-3" } } })).toMatchInlineSnapshot(
      `"pools.main.type: must be "g1-gpu-rtx6000-1", "g1-gpu-rtx6000-2", "g5-nanode-1", "g5-standard-1", "g5-standard-2", "g6-dedicated-16", "g6-dedicated-2", "g6-dedicated-4", "g6-dedicated-8", "g6-nanode-1", "g6-standard-1", "g6-standard-2", "g6-standard-4", "g6-standard-6", "g6-standard-8", "g7-highmem-1", "g7-highmem-2" or "g7-highmem-4"; did you mean "g6-standard-1"? (given "g6-standard-3")"`,
    );
    expect(await cluster({ pools: { main: { ...main, count: 0 } } })).toMatchInlineSnapshot(
      `"pools.main.count: must be at least 1 (given 0)"`,
    );
    expect(
      await cluster({ pools: { main: { ...main, autoscaler: { enabled: true, min: 5, max: 3 } } } }),
    ).toMatchInlineSnapshot(`"pools.main.autoscaler.min: must not exceed max (3) (given 5)"`);
    expect(
      await cluster({ pools: { main: { ...main, autoscaler: { enabled: true, min: 5 } } } }),
    ).toMatchInlineSnapshot(`"pools.main.autoscaler.max: is required if min is set (5)"`);
    expect(await cluster({ pools: { main: { ...main, size: 3 } } })).toMatchInlineSnapshot(
      `"pools.main.size: is not a known field"`,
    );
    expect(await refusals("LkeNodePool", { clusterId: 1, type: "g6-standard-1", count: 101 })).toMatchInlineSnapshot(
      `"count: must be at most 100 (given 101)"`,
    );
  });

  test("rejects changes that the API does not support", async () => {
    await using own = await cloud();
    const k8s = new Managed("LkeCluster", own.host);
    const old = { ...good, k8sVersion: "1.20", controlPlane: { highAvailability: true } };
    await k8s.up(old);
    expect(lines(await k8s.failures({ ...old, k8sVersion: "1.22" }))).toMatchInlineSnapshot(
      `"k8sVersion: must be "1.20" (current) or "1.21": clusters are upgraded one minor version at a time and cannot be downgraded (given "1.22")"`,
    );
    expect(lines(await k8s.failures({ ...old, controlPlane: { highAvailability: false } }))).toMatchInlineSnapshot(
      `"controlPlane.highAvailability: must stay true: high availability cannot be disabled (given false)"`,
    );
    await k8s.up({ ...old, k8sVersion: "1.21" });
    expect(lines(await k8s.failures(old))).toMatchInlineSnapshot(
      `"k8sVersion: must be "1.21" (current) or "1.22": clusters are upgraded one minor version at a time and cannot be downgraded (given "1.20")"`,
    );
  });
});
