import { expect, test, vi } from "vitest";
import { run } from "../cli/command";
import { sandbox } from "./sandbox";

test("after a double Ctrl-C, --import-pending-creates of Pulumi imports nothing, and cloudinfra adopt does", async () => {
  await using box = await sandbox(`new cloudinfra.Volume("data", { region: "us-east", label: "data" });`);
  const { stack, emulator } = box;
  emulator.faults.add({ path: "volumes.create", kind: "delay", delay: 15_000 });
  const up = stack.start(["up", "--yes"]);
  await vi.waitUntil(() => emulator.requests.counts()["volumes.create"] === 1, { timeout: 60_000 });
  up.kill("SIGINT");
  await up.until("^C received; cancelling");
  up.kill("SIGINT");
  expect((await up.done).code).not.toBe(0);
  const [creating] = (await stack.export()).deployment.pending_operations ?? [];
  expect(creating).toMatchObject({ type: "creating", resource: { type: expect.stringMatching(/:Volume$/) } });
  // The service carries out the request, because it was sent before the interruption.
  await vi.waitUntil(() => emulator.world.volumes.size === 1, { timeout: 60_000 });
  const id = String(emulator.world.volumes.all()[0]?.id);

  const urn = creating?.resource.urn ?? "";
  emulator.requests.clear();
  await stack.refresh(["--import-pending-creates", urn, "--import-pending-creates", id]);
  const dropped = (await stack.export()).deployment;
  expect(dropped.pending_operations).toBeUndefined();
  expect(dropped.resources?.map((resource) => resource.urn)).not.toContain(urn);
  expect(emulator.requests.list(), "Pulumi does not ask the provider").toEqual([]);

  const adopted = await run(["adopt", "Volume", "data", id, "--stack", "test", "--project", stack.dir], {
    env: stack.env,
  });
  expect(adopted, adopted.stderr).toMatchObject({ code: 0 });
  await stack.refresh();
  await stack.preview(["--expect-no-changes"]);
  expect(emulator.world.volumes.size).toBe(1);
  await stack.run(["state", "unprotect", urn, "--yes"]);
  await stack.destroy();
  expect(box.holds()).toEqual({});
});
