import { describe, expect, test } from "vitest";
import { fieldsOf, innerOf, type Operation, operations } from "../../api";
import { detectDrift } from "../../drift";
import type { Bag } from "../../provider/engine/values";
import type { KindName } from "../../provider/resources";
import { Managed, type State } from "../../testing/provider";
import { exported } from "./exported";
import { type AnyManaged, inputsOf, objects, type Scenario, scenario } from "./scenario";

/**
 * For each table of the emulator, the statuses that last until a user changes the object. In all others, a job of the
 * service is in progress, and the object's other values are those from before or after it. Statuses that an input sets,
 * such as that of a domain, are not listed.
 */
const lasting: Readonly<Record<string, { area: string; statuses: readonly string[] }>> = {
  instances: { area: "instances", statuses: ["running", "offline", "booting", "rebooting", "shutting_down"] },
  disks: { area: "instanceDisks", statuses: ["ready"] },
  backups: { area: "instanceBackups", statuses: ["successful", "failed", "userAborted"] },
  volumes: { area: "volumes", statuses: ["active", "contact_support"] },
  images: { area: "images", statuses: ["available"] },
  lkeNodes: { area: "lkeNodes", statuses: ["ready"] },
  managedServices: { area: "managedServices", statuses: ["ok", "problem", "disabled"] },
};

/** The contract's statuses during which a job is in progress, by table. */
const transitional = Object.entries(lasting).flatMap(([table, { area, statuses }]) =>
  statusesOf(area).flatMap((status) => (statuses.includes(status) ? [] : [{ table, status }])),
);

function statusesOf(area: string): string[] {
  const { view } = operations[area as keyof typeof operations] as Partial<Record<string, Operation>>;
  const { status } = fieldsOf((view as Operation).result);
  return Object.values((innerOf(status as Operation["result"]) as unknown as { enum: Record<string, string> }).enum);
}

test("the contract has statuses of jobs in progress", () => {
  const ofInstances = transitional.flatMap(({ table, status }) => (table === "instances" ? [status] : []));
  expect(ofInstances.sort()).toEqual(
    ["cloning", "deleting", "migrating", "provisioning", "rebuilding", "restoring", "stopped"].sort(),
  );
});

describe.each(objects)("%s", (name) => {
  test.each(programsOf(name))(
    "%j: while a job of the service is in progress, a refresh and a drift check find nothing, and an import declares nothing that the job changes",
    async (more) => {
      await using it = await scenario(name);
      const inputs = { ...it.fixture.base, ...more };
      await it.managed.up(inputs);
      it.emulator.settle();
      const settled = await importedBy(it);
      for (const { table, status } of transitional) {
        const back = setStatuses(it, table, status);
        if (!back) continue;
        const state = it.managed.state as State;
        expect(await findings(it, state), status).toEqual([]);
        it.anew();
        expect(await it.managed.refresh(), status).toBe("same");
        expect(settled).toEqual({ ...settled, ...(await importedBy(it)) });
        back();
        it.anew();
        expect((await it.managed.preview(inputs)).op, status).toBe("same");
      }
    },
  );
});

/** The base program of a kind, and for kinds with a power state also programs that declare it. */
function programsOf(name: KindName): Bag[] {
  return [{}, ...(inputsOf(name).includes("booted") ? [{ booted: true }, { booted: false }] : [])];
}

/** Sets the status of all rows of a table. Returns a function that restores them, or undefined if there is no row. */
function setStatuses({ world }: Scenario, table: string, status: string): (() => void) | undefined {
  const rows = world.tables.get(table);
  const before = rows?.all().map((row) => ({ ...row })) ?? [];
  if (!rows || !before.length) return undefined;
  for (const { id } of before) rows.patch(id, { status });
  return () => {
    for (const row of before) rows.patch(row.id, row);
  };
}

async function importedBy(it: Scenario): Promise<Bag> {
  const managed = new Managed(it.kind.name as KindName, it.reconnect(), "imported") as AnyManaged;
  return (await managed.adopt(it.managed.id)).program;
}

async function findings(it: Scenario, state: State) {
  const kind = it.kind.name as KindName;
  const report = await detectDrift({ states: [exported([{ kind, ...state }])], account: { host: it.reconnect() } });
  return report.findings.filter(({ bucket }) => bucket === "drift");
}
