import { describe, expect, test } from "vitest";
import { nativeProvider } from "../../../testing/native-provider";
import { Managed } from "../../../testing/provider";
import { dynamicProvider } from "../../../testing/resource-provider";
import { account } from "./accounts";

const main = { type: "g6-standard-1", count: 2 };
const extra = { type: "g6-standard-2", count: 1 };
const k8s = { label: "k8s", region: "us-east", k8sVersion: "1.21", pools: { main } };
const pools = (it: Managed<"LkeCluster">) => it.outs.poolIds as Record<string, number>;

test("a name that could be that of a pool which a failed update has left is rejected", async () => {
  await using world = await account();
  const it = new Managed("LkeCluster", world.host);
  expect(await it.failures({ ...k8s, pools: { main, "main#2": extra } })).toEqual([
    {
      property: '["pools"]',
      reason: expect.stringMatching(
        /^must not contain the name "main#2", because names with # mark pools that a failed update has left: choose another name for this pool/,
      ),
    },
  ]);
});

describe.each([
  ["dynamic", dynamicProvider],
  ["native", nativeProvider],
] as const)("names of pools (%s)", (_, provider) => {
  test.each(["constructor", "toString", "hasOwnProperty", "valueOf", "a.b/c~d", "0", " "])(
    'the pool "%s" is managed like every other one',
    async (name) => {
      await using world = await account();
      const it = new Managed("LkeCluster", world.host, "k8s", provider);
      await it.up(k8s);
      await it.up({ ...k8s, pools: { main, [name]: extra } });
      const { [name]: added, ...others } = pools(it);
      expect([typeof added, Object.keys(others)]).toEqual(["number", ["main"]]);
      expect(await it.refresh()).toBe("same");
      world.calls();
      await it.up({ ...k8s, pools: { main, [name]: { ...extra, count: 2 } } });
      expect(world.calls()).toEqual(["lkePools.update"]);
      expect(await it.refresh()).toBe("same");
      await it.up(k8s);
      expect(world.calls()).toEqual(["lkePools.delete"]);
      expect(world.world.lkePools.all().map(({ id }) => String(id))).toEqual([String(pools(it).main)]);
      await it.destroy();
      const created = new Managed("LkeCluster", world.host, "k8s", provider);
      await created.up({ ...k8s, pools: { [name]: extra } });
      expect(Object.keys(pools(created))).toEqual([name]);
      expect(await created.refresh()).toBe("same");
      await created.destroy();
      expect(world.world.lkePools.all()).toEqual([]);
    },
  );
});

test('names of pools: "__proto__" is rejected', async () => {
  await using world = await account();
  const it = new Managed("LkeCluster", world.host);
  const failures = await it.failures({ ...k8s, pools: JSON.parse(`{ "__proto__": ${JSON.stringify(main)} }`) });
  expect(failures.map(({ reason }) => reason).join()).toContain("choose another name for this pool");
});
