import { z } from "zod";
import { InstanceCreate } from "../../../api";
import { Reasons } from "../../core/error-response";
import type { World } from "../../core/world";
import { action } from "../../http/control/action";
import type { Part } from "../../http/handlers";
import { accept, offered, transferOf, transferRecord } from "./entity-transfers";
import { foreignIds, type Offered } from "./transfer-computes";

const { label, region, type, image } = InstanceCreate.shape;
const Machine = z.strictObject({
  label,
  region: region.default("us-east"),
  type: type.default("g6-nanode-1"),
  image: image
    .unwrap()
    .nullable()
    .default("compute/debian11")
    .describe("Image that is deployed on the instance. Null for an instance without an image."),
  backups_enabled: z
    .boolean()
    .default(false)
    .describe("Whether the instance has a backup. A transfer of the instance includes the backup."),
});
const Offer = z.strictObject({ computes: z.array(Machine).min(1) });
const Acceptance = z.strictObject({ token: z.string() });

/** Simulates other accounts, which offer instances to this account and accept its offers. */
export const transferControl: Part = {
  control: {
    transfers: {
      POST: action(Offer, ({ world }, { computes }) => {
        rejectUnknown(world, computes);
        world.events.actor = null;
        const ids = foreignIds(world, computes.length);
        const machines = computes.map(({ label: wanted, ...rest }, at): Offered => {
          const id = ids[at] as number;
          return { id, label: wanted ?? `compute${id}`, ...rest };
        });
        return transferRecord(offered(world, machines));
      }),
    },
    "transfers/accept": {
      POST: action(Acceptance, ({ world }, { token }) => {
        world.events.actor = null;
        accept(world, token, "another");
        return transferRecord(transferOf(world, token));
      }),
    },
  },
};

function rejectUnknown(world: World, computes: readonly z.output<typeof Machine>[]): void {
  const problems = new Reasons();
  for (const [at, machine] of computes.entries()) {
    const field = `computes.${at}`;
    problems.addUnless(
      world.regions.find(machine.region) !== undefined,
      `There is no region ${machine.region}`,
      `${field}.region`,
    );
    problems.addUnless(
      world.types.find(machine.type) !== undefined,
      `There is no type ${machine.type}`,
      `${field}.type`,
    );
    const isPublic = machine.image === null || world.images.find(machine.image)?.is_public;
    problems.addUnless(isPublic === true, `There is no public image ${machine.image}`, `${field}.image`);
  }
  problems.throwIfAny();
}
