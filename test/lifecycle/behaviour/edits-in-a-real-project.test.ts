import { expect } from "vitest";
import { Managed } from "../../../testing/provider";
import { machine } from "./accounts";
import { test } from "./tests";

const web = { label: "web", region: "us-east", type: "g6-nanode-1", image: "compute/debian11" };
const rootPass = "Correct-Horse-42";

test("removing rootPass from the program of an existing instance changes nothing", async ({ world }) => {
  const it = new Managed("Instance", world.host);
  await it.up({ ...web, rootPass });
  world.calls();
  expect((await it.up(web)).op).toBe("same");
  expect((await it.up({ ...web, tags: ["production"] })).op).toBe("update");
  expect(world.calls()).toEqual(["instances.update"]);
});

test("a new instance, and one that is replaced, still requires rootPass", async ({ world }) => {
  // The error has no `property`, because Pulumi prints the value of a property that an error names, and `rootPass` is
  // secret.
  const reason = "is required to deploy the image compute/debian11";
  expect(await new Managed("Instance", world.host).failures(web)).toEqual([{ property: "rootPass", reason }]);
  const it = new Managed("Instance", world.host);
  await it.up({ ...web, rootPass });
  const [failure] = await it.failures({ ...web, image: "compute/debian10" });
  expect(failure?.reason).toBe("is required to deploy the image compute/debian10");
});

test("a volume without a region is not detached if its instance moves to another region", async ({ world }) => {
  const [here, existing] = [await machine(world, "here"), await machine(world, "there")];
  world.world.instances.patch(existing, { region: "eu-west" });
  const it = new Managed("Volume", world.host);
  await it.up({ label: "data", computeId: here });
  world.calls();
  const [failure] = await it.failures({ label: "data", computeId: existing });
  expect(failure?.property).toBe("computeId");
  expect(failure?.reason).toBe(
    `must be an instance in us-east, the region of the volume: instance ${existing} is in eu-west, and volumes cannot ` +
      `change regions. Set region to "eu-west" to replace the volume, which does not copy its data (given ${existing})`,
  );
  expect(world.calls()).toEqual([]);
  expect(it.outs).toMatchObject({ computeId: here });
});

test.for([
  ["Volume", "computeId", { label: "data", computeId: "12/34" }],
  ["DomainRecord", "domainId", { domainId: "12/34", type: "A", name: "www", target: "192.0.2.1" }],
  ["FirewallDevice", "entityId", { firewallId: 7, entityId: "12/34" }],
] as const)("%s rejects a compound id as %s", async ([kind, property, inputs], { world }) => {
  const failures = await new Managed(kind, world.host).failures(inputs);
  expect(failures).toEqual([{ property, reason: 'must be a number (given "12/34")' }]);
});

test("accepts the id of a nested resource that contains the ids of its parents", async ({ world }) => {
  const computeId = await machine(world, "web");
  const [config] = world.world.instanceConfigs.by("compute_id", computeId);
  const it = new Managed("Volume", world.host);
  const plan = await it.preview({ label: "data", computeId, configId: `${computeId}/${config?.id}` as never });
  expect(plan.inputs).toMatchObject({ computeId, configId: config?.id });
});

test("the error about a label in use names the object that has it, in updates and creates", async ({ world }) => {
  const other = new Managed("Volume", world.host, "other");
  await other.up({ label: "logs", region: "us-east" });
  const it = new Managed("Volume", world.host);
  await it.up({ label: "data", region: "us-east" });
  const hint =
    `Volume ${other.id} already has this label. Choose another label, or omit it to generate one. ` +
    "If you renamed the resource in the program, add the resource option aliases";
  await expect(it.up({ label: "logs", region: "us-east" })).rejects.toThrow(hint);
  await expect(new Managed("Volume", world.host, "third").up({ label: "logs", region: "us-east" })).rejects.toThrow(
    hint,
  );
});
