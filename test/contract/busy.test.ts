import { expect, test } from "vitest";
import { namedOperations, operations } from "../../api";
import { entity } from "../../emulator/core/events";
import { debian, machine } from "./compute/instance";
import { type Account, freshAccount, type Plan } from "./matrix/plan";
import { plans } from "./matrix/plans";
import { type Input, request } from "./matrix/request";

/** Operations that require an idle instance. */
const idle = [
  "instanceBackups.cancel",
  "instanceBackups.snapshot",
  "instanceDisks.clone",
  "instanceDisks.create",
  "instanceDisks.delete",
  "instanceDisks.resetPassword",
  "instanceDisks.resize",
  "instances.boot",
  "instances.clone",
  "instances.migrate",
  "instances.mutate",
  "instances.reboot",
  "instances.rebuild",
  "instances.rescue",
  "instances.resetPassword",
  "instances.resize",
  "instances.shutdown",
];

/**
 * Operations on an instance that the service allows while a job of the instance runs. For a restore, only the target of
 * the restore must be idle.
 */
const any = [
  "instanceAddresses.allocate",
  "instanceAddresses.delete",
  "instanceAddresses.list",
  "instanceAddresses.update",
  "instanceAddresses.view",
  "instanceBackups.enable",
  "instanceBackups.list",
  "instanceBackups.view",
  "instanceConfigs.create",
  "instanceConfigs.delete",
  "instanceConfigs.list",
  "instanceConfigs.update",
  "instanceConfigs.view",
  "instanceDisks.list",
  "instanceDisks.update",
  "instanceDisks.view",
  "instances.delete",
  "instances.firewalls",
  "instances.monthStats",
  "instances.monthTransfer",
  "instances.nodeBalancers",
  "instances.stats",
  "instances.transfer",
  "instances.update",
  "instances.view",
  "instances.volumes",
  "managedComputeSettings.update",
  "managedComputeSettings.view",
  "volumes.attach",
  "volumes.detach",
];

/** Starts a job on the instance that never ends and changes nothing. */
function occupy({ world }: Account, compute: number): void {
  const task = world.tasks.get("volumes.settled");
  const about = entity("compute", world.instances.get(compute));
  world.jobs.start({ entity: about, action: "compute_reboot", seconds: 3600, compute, task, args: { id: 0 } });
}

/** Prepares a valid request for the operation, starts a job on the request's instance, and sends the request. */
async function sentWhileBusy(name: string) {
  const [area, key] = name.split(".") as ["instances", "boot"];
  const created = await freshAccount();
  const input = (await (plans[area][key] as Plan<never>)(created)) as Input;
  const [first] = created.world.instances.all();
  const compute = input.path?.computeId ?? (input.body as { compute_id?: number })?.compute_id ?? first?.id;
  occupy(created, Number(compute));
  const response = await request(created, operations[area][key], input);
  await created.close();
  return response;
}

const busy = { status: 400, body: { errors: [{ reason: "Compute busy." }] } };

test.each(idle)("rejects %s on a busy instance", async (name) => {
  expect(await sentWhileBusy(name)).toMatchObject(busy);
});

test.each(any)("%s on a busy instance succeeds", async (name) => {
  const { status, body } = await sentWhileBusy(name);
  expect([status, body.errors]).toEqual([200, undefined]);
});

test("every operation on an instance is either rejected or accepted while it is busy", () => {
  const all = namedOperations(operations).filter(({ operation }) => operation.path.includes("{computeId}"));
  const listed = new Set([...idle, ...any, "instanceBackups.restore"]);
  expect(all.map(({ name }) => name).filter((name) => !listed.has(name))).toEqual([]);
});

test("an instance must be idle to be restored to, cloned to, captured or transferred", async () => {
  await using one = await freshAccount();
  const { send } = one;
  const web = await machine(one, { ...debian, type: "g6-standard-4", backups_enabled: true });
  const target = await machine(one, { region: debian.region, type: "g6-standard-8" });
  const backup = await web.request("POST /backups", { label: "first" });
  const [disk] = await web.list("disks");
  const restore = () =>
    send(`POST ${web.path}/backups/${backup.id}/restore`, { body: { compute_id: target.id, overwrite: true } });
  occupy(one, target.id);
  expect(await restore()).toMatchObject(busy);
  expect(await send(`POST ${web.path}/clone`, { body: { compute_id: target.id } })).toMatchObject(busy);
  const transfer = { body: { entities: { computes: [target.id] } } };
  expect(await send("POST /account/entity-transfers", transfer)).toMatchObject(busy);
  expect(await send("POST /account/service-transfers", transfer)).toMatchObject(busy);
  occupy(one, web.id);
  expect(await send("POST /images", { body: { disk_id: disk.id } })).toMatchObject(busy);
  one.advance(3_600_000);
  occupy(one, web.id);
  // A restore requires only an idle target. The instance that was backed up can be busy.
  expect((await restore()).status).toBe(200);
});
