import { describe, expect } from "vitest";
import type { Settings } from "../../../provider/pulumi/settings";
import { Managed } from "../../../testing/provider";
import type { Account } from "./accounts";
import { test } from "./tests";

const configured = (world: Account, settings: Settings) => ({ ...world.host, settings });
const volume = { label: "data", region: "us-east" };

describe("default tags", () => {
  test("are added to the resource's own regardless of case, without a difference afterwards", async ({ world }) => {
    const host = configured(world, { default_tags: ["Team-A", "prod"] });
    const it = new Managed("Volume", host);
    await it.up({ ...volume, tags: ["PROD", "db1"] });
    expect(it.outs.tags).toEqual(["PROD", "db1", "Team-A"]);
    expect((await it.preview({ ...volume, tags: ["PROD", "db1"] })).op).toBe("same");
    expect(await it.refresh()).toBe("same");
  });

  test("apply to resources without tags, follow the configuration, and skip kinds without tags", async ({ world }) => {
    const it = new Managed("Volume", configured(world, { default_tags: ["team-a"] }));
    await it.up(volume);
    expect(it.outs.tags).toEqual(["team-a"]);
    it.reconnect(configured(world, { default_tags: ["team-b"] }));
    expect((await it.up(volume)).op).toBe("update");
    expect(it.outs.tags).toEqual(["team-b"]);
    const domain = await world.api.domains.create({
      body: { domain: "example.org", type: "master", soa_email: "a@example.org" },
    });
    const record = new Managed("DomainRecord", configured(world, { default_tags: ["team-a"] }));
    await record.up({ domainId: domain.id, type: "TXT", target: "x" });
    expect(record.outs.tag).toBeFalsy();
  });
});

test("time limits of the resource are kept in state for its deletion", async ({ world }) => {
  const it = new Managed("Volume", world.host);
  const limits = { __timeouts: { delete: "30s" } };
  await it.up({ ...volume, ...limits });
  expect(it.state?.outs).toMatchObject(limits);
  expect(await it.refresh()).toBe("same");
  expect(it.state).toMatchObject({ outs: limits, inputs: limits });
});

test("other time limits of a resource are stored by an update, which sends no change", async ({ world }) => {
  const it = new Managed("Volume", world.host);
  const [first, other] = [{ __timeouts: { delete: "30s" } }, { __timeouts: { delete: "1h" } }];
  await it.up({ ...volume, ...first });
  world.calls();
  expect((await it.preview({ ...volume, ...other })).op).toBe("update");
  await it.up({ ...volume, ...other });
  expect(world.calls()).toEqual([]);
  expect(it.state?.outs).toMatchObject(other);
  expect((await it.preview({ ...volume, ...other })).op).toBe("same");
});

test("the label prefix applies only to generated names", async ({ world }) => {
  const host = configured(world, { label_prefix: "shop-" });
  const named = new Managed("Volume", host, "data");
  await named.up({ region: "us-east" });
  expect(named.outs.label).toMatch(/^shop-data-[0-9a-f]{7}$/);
  const declared = new Managed("Volume", host, "logs");
  await declared.up({ label: "logs", region: "us-east" });
  expect(declared.outs.label).toBe("logs");
});

test("a resource must allow reboots if the stack forbids them", async ({ world }) => {
  const base = { label: "web", region: "us-east", image: "compute/debian11", rootPass: "Correct-Horse-42" };
  const it = new Managed("Instance", configured(world, { allow_reboot: "forbid" }));
  await it.up({ ...base, type: "g6-nanode-1" });
  world.calls();
  await expect(it.up({ ...base, type: "g6-standard-1" })).rejects.toThrow("allowReboot");
  expect(world.calls()).toEqual([]);
  await it.up({ ...base, type: "g6-standard-1", allowReboot: true });
  expect(it.outs.type).toBe("g6-standard-1");
});
