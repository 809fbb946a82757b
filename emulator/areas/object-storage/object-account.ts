import { table } from "../../core/store";
import type { World } from "../../core/world";
import type { Part } from "../../http/handlers";

/** The account's object storage settings, while the service is enabled. */
export interface ObjectAccountRow {
  id: "account";
  /** Id of the account as the owner of buckets and objects. */
  owner: string;
  /** Key that signs URLs and encrypts stored secrets: 32 bytes in hex. */
  secret: string;
}

/** Outbound traffic of one month. */
export interface ObjectTransferRow {
  /** Year and month: `2022-01`. */
  id: string;
  used: number;
}

export const objectAccount: Part<{
  objectStorageAccount: ObjectAccountRow;
  objectStorageTransfers: ObjectTransferRow;
}> = {
  tables: {
    objectStorageAccount: table<ObjectAccountRow>(),
    objectStorageTransfers: table<ObjectTransferRow>(),
  },
};

/** The account's object storage settings. Enables the service if it is not enabled yet. */
export const turnedOn = (world: World): Readonly<ObjectAccountRow> =>
  world.objectStorageAccount.find("account") ??
  world.objectStorageAccount.insert({ id: "account", owner: world.random.hex(32), secret: world.random.hex(64) });

/** Outbound bytes of the current month. */
export const transferred = (world: World): number => world.objectStorageTransfers.find(month(world))?.used ?? 0;

export function countTransfer(world: World, bytes: number): void {
  world.objectStorageTransfers.insert({ id: month(world), used: transferred(world) + bytes });
}

const month = ({ clock }: World): string => clock.time().slice(0, "2022-01".length);
