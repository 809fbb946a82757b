import { expect, test, vi } from "vitest";
import { sandbox } from "./sandbox";

test("P16: after a double Ctrl-C Pulumi's --import-pending-creates imports nothing; the state takes the object by its id", async () => {
  await using box = await sandbox(`new cloudinfra.Volume("data", { region: "us-east", label: "data" });`);
  const { stack, emulator } = box;
  emulator.faults.add({ path: "volumes.create", kind: "delay", delay: 15_000 });
  const up = stack.start(["up", "--yes", "--skip-preview"]);
  await vi.waitUntil(() => emulator.requests.counts()["volumes.create"] === 1, { timeout: 60_000 });
  up.kill("SIGINT");
  await up.until("^C received; cancelling");
  up.kill("SIGINT");
  expect((await up.done).code).not.toBe(0);
  const { deployment, ...state } = await stack.export();
  const { resources = [], pending_operations: [creating] = [], ...rest } = deployment;
  expect(creating).toMatchObject({ type: "creating", resource: { type: expect.stringMatching(/:Volume$/) } });
  // The request was sent, so the service carries it out.
  await vi.waitUntil(() => emulator.world.volumes.size === 1, { timeout: 60_000 });
  const id = String(emulator.world.volumes.all()[0]?.id);

  const urn = creating?.resource.urn ?? "";
  emulator.requests.clear();
  await stack.refresh(["--import-pending-creates", urn, "--import-pending-creates", id]);
  const dropped = (await stack.export()).deployment;
  expect(dropped.pending_operations).toBeUndefined();
  expect(dropped.resources?.map((resource) => resource.urn)).not.toContain(urn);
  expect(emulator.requests.list(), "Pulumi does not ask the provider").toEqual([]);

  const resource = (creating?.resource ?? {}) as { urn: string; type: string; inputs?: { __provider: string } };
  const own = { __provider: resource.inputs?.__provider };
  const known = { ...resource, id, inputs: own, outputs: own };
  await stack.import({ ...state, deployment: { ...rest, resources: [...resources, known] } });
  await stack.refresh();
  await stack.preview(["--expect-no-changes"]);
  expect(emulator.world.volumes.size).toBe(1);
  await stack.destroy();
  expect(box.holds()).toEqual({});
});
