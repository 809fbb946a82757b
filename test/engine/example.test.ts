import { join } from "node:path";
import { expect, test } from "vitest";
import { idsOf, mutations, sandbox } from "./sandbox";

const folder = join(__dirname, "../../examples/web-cluster");

/**
 * Number of objects that `up` of the example creates in each table of the emulator. Two of the instances are nodes of
 * the cluster.
 */
const holdings = {
  instances: 4,
  volumes: 1,
  firewalls: 1,
  firewallDevices: 2,
  domains: 1,
  domainRecords: 6,
  lkeClusters: 1,
};

test("the example: up, no changes three times in a row, drift, destroy", async () => {
  await using box = await sandbox({ folder }, { config: { rootPass: { secret: "Correct-Horse-42" } } });
  const { stack, emulator } = box;
  const { instances, domainRecords } = emulator.world;

  const up = await stack.up();
  expect(up.changes).toEqual({ create: 13 });
  expect(up.diagnostics.filter(({ message }) => !message.includes("in the account of"))).toEqual([]);
  expect(box.holds()).toMatchObject(holdings);

  emulator.requests.clear();
  for (let times = 0; times < 3; times++) {
    await stack.preview(["--expect-no-changes"]);
    await stack.refresh(["--preview-only", "--expect-no-changes"]);
  }
  expect(mutations(emulator)).toEqual([]);

  expect(up.outputs).toEqual({
    addresses: [expect.stringMatching(/^\d+(\.\d+){3}$/), expect.stringMatching(/^\d+(\.\d+){3}$/)],
    website: "www.example.org",
    dataPath: "/dev/disk/by-id/scsi-0Compute_Volume_web-data",
    firewallId: idsOf(up)["Firewall web"],
    clusterEndpoint: expect.stringMatching(/^https:\/\/.+:443$/),
    kubeconfig: "[secret]",
  });
  const { kubeconfig, clusterEndpoint } = await stack.outputs();
  expect(kubeconfig).toContain(`server: ${clusterEndpoint}`);
  expect(up.stdout).not.toContain("certificate-authority-data");

  instances.patch(Number(idsOf(up)["Instance web-2"]), { label: "renamed-by-hand" });
  domainRecords.remove(domainRecords.all().find(({ type }) => type === "CAA")?.id as number);
  const drift = await stack.refresh(["--preview-only", "--diff"]);
  expect(drift.ops).toEqual({ "Instance web-2": "update", "DomainRecord caa": "delete" });
  expect(drift.stdout).toMatch(/~ label *: "web-2" => "renamed-by-hand"/);
  expect(drift.stdout.match(/^ *~ \w+ *: .*$/gm)).toHaveLength(1);

  const destroyed = await stack.destroy();
  expect(destroyed.changes).toEqual({ delete: 13 });
  expect(box.holds()).toEqual({});
});
