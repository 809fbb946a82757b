import { expect, test } from "vitest";
import { connect } from "../../provider/client";
import { nightly } from "../nightly";
import { providers } from "./providers";
import { idsOf, messages, mutations, sandbox } from "./sandbox";

const program = `
  new cloudinfra.LkeCluster("apps", {
    label: "apps", region: "us-east", k8sVersion: "1.21",
    pools: { small: { type: "g6-standard-1", count: 1 }, roomy: { type: "g6-standard-2", count: "1" } },
  });
  new cloudinfra.Volume("data", { region: "us-east" });
  const zone = new cloudinfra.Domain("zone", { domain: "shop-example.com", type: "master", soaEmail: "a@example.org" });
  const record = (name, args) => new cloudinfra.DomainRecord(name, { domainId: zone.id, ...args });
  for (let i = 0; i < 12; i++) record("a" + i, { type: "A", name: "a" + i, target: "192.0.2." + i });
  const mail = new cloudinfra.Domain("mail", { domain: "mail-example.com", type: "master", soaEmail: "a@example.org" });
  new cloudinfra.DomainRecord("mx", { domainId: mail.id, type: "MX", name: "", target: "mx.example.net", priority: 10 });`;

nightly("a drift check shows drifted properties, names deleted objects, and accepts a renamed object", async () => {
  await using box = await sandbox(program);
  const { stack, emulator } = box;
  const up = await stack.up();
  const ids = idsOf(up);
  const idOf = (resource: string): number => Number(ids[resource]?.split("/").at(-1));
  const { api, close } = connect(emulator);
  const clusterId = idOf("LkeCluster apps");
  const [small] = (await api.lkePools.list({ path: { clusterId } })).data.filter(
    ({ type }) => type === "g6-standard-1",
  );
  await api.lkePools.update({ path: { clusterId, poolId: Number(small?.id) }, body: { count: 5 } });
  const added = await api.lkePools.create({ path: { clusterId }, body: { type: "g6-standard-4", count: 2 } });
  await api.volumes.update({ path: { volumeId: idOf("Volume data") }, body: { label: "by-hand" } });
  await api.domains.delete({ path: { domainId: idOf("Domain zone") } });
  await api.domainRecords.delete({ path: { domainId: idOf("Domain mail"), recordId: idOf("DomainRecord mx") } });
  await close();
  emulator.requests.clear();

  const drift = await stack.refresh(["--preview-only", "--diff", "--expect-no-changes"], { mayFail: true });
  expect(drift.code).toBe(7);
  expect(mutations(emulator)).toEqual([]);
  const deleted = Object.keys(ids).filter((resource) => /^DomainRecord |^Domain zone$/.test(resource));
  expect(deleted).toHaveLength(14);
  expect(drift.ops).toEqual({
    "LkeCluster apps": "update",
    ...Object.fromEntries(deleted.map((resource) => [resource, "delete"])),
  });
  expect(drift.stdout).toMatch(/~ pools: \{\n +~ small: \{\n +~ count: 1 => 5\n +\}\n +\}/);
  expect(drift.stdout).not.toMatch(/disks|roomy|is resized from/);
  expect(messages(drift).sort()).toEqual([
    `warning: Domain "shop-example.com" (${ids["Domain zone"]}) no longer exists: the next update creates it again`,
    `warning: MX record of mail-example.com (${ids["DomainRecord mx"]}) no longer exists: the next update creates it again`,
  ]);
  expect(drift.stderr).toContain(
    `LkeCluster "apps" (${clusterId}): pool ${added.id} (2 × g6-standard-4) is not in the input pools, so it is not managed by this resource`,
  );

  expect((await stack.up(["--refresh"])).ops).toMatchObject({ "LkeCluster apps": "update", "Domain zone": "create" });
  expect(mutations(emulator)).not.toContain("volumes.update");
  await stack.refresh(["--preview-only", "--expect-no-changes"]);
  expect(emulator.world.volumes.all()).toMatchObject([{ label: "by-hand" }]);
  expect(emulator.world.lkePools.find(added.id)).toBeDefined();
});

test.each(providers("dynamic"))(
  "docs/drift.md: a volume that was grown by hand is a warning, and the other resources are restored: %s",
  async (provider) => {
    const native = provider === "native";
    await using box = await sandbox(
      `new cloudinfra.Volume("data", { label: "data", region: "us-east", size: 20 });
      new cloudinfra.Firewall("web", { label: "web", rules: { inboundPolicy: "DROP", outboundPolicy: "ACCEPT" } });`,
      { native },
    );
    const { stack, emulator } = box;
    const ids = idsOf(await stack.up());
    const { api, close } = connect(emulator);
    await api.volumes.resize({ path: { volumeId: Number(ids["Volume data"]) }, body: { size: 40 } });
    await api.firewalls.updateRules({
      path: { firewallId: Number(ids["Firewall web"]) },
      body: { inbound_policy: "ACCEPT", outbound_policy: "ACCEPT" },
    });
    await close();
    emulator.requests.clear();
    const refresh = ["--preview-only", "--diff", "--expect-no-changes"];
    const drift = await stack.refresh(refresh, { mayFail: true });
    expect(drift.code).toBe(7);
    expect(drift.stdout).toMatch(/~ size *: 20 => 40/);
    const restored = await stack.up(["--refresh"]);
    expect(restored.ops).toEqual({ "Firewall web": "update", "Volume data": "refresh" });
    expect(restored.stdout + restored.stderr).toContain(
      "data: size is not changed from 40 to 20: it must be at least 40 (current size in GiB): volumes cannot shrink.",
    );
    expect(mutations(emulator)).toEqual(["firewalls.updateRules"]);
    expect(emulator.world.volumes.all()).toMatchObject([{ size: 40 }]);
    const again = await stack.up(["--refresh"]);
    expect(again.ops).toMatchObject({ "Volume data": "refresh" });
    expect(again.stdout + again.stderr).toContain("data: size is not changed from 40 to 20");
    expect((await stack.refresh(refresh, { mayFail: true })).code, "the program still declares 20 GiB").toBe(7);
    expect((await stack.up()).ops).toEqual({});
    await box.rewrite(`new cloudinfra.Volume("data", { label: "data", region: "us-east", size: 10 });`);
    const shrunk = await stack.up([], { mayFail: true });
    expect(shrunk.code).not.toBe(0);
    expect(shrunk.stdout + shrunk.stderr).toContain("volumes cannot shrink");
    await box.rewrite(`new cloudinfra.Volume("data", { label: "data", region: "us-east", size: 40 });`);
    await stack.up();
    await stack.refresh(refresh);
    expect(mutations(emulator)).toEqual(["firewalls.updateRules", "firewalls.delete"]);
    expect((await stack.up()).ops).toEqual({});
  },
);
