import { table } from "../../core/store";
import type { World } from "../../core/world";
import type { Part } from "../../http/handlers";

/** The account's object storage settings. They are stored only while object storage is enabled. */
export interface ObjectAccountRow {
  id: "account";
  /** Id under which S3 responses name the account as the owner of buckets and objects. */
  owner: string;
  /** Key with which URLs are signed and stored secrets are encrypted: 32 bytes in hex. */
  secret: string;
}

/** Outbound object storage traffic of one month. */
export interface ObjectTransferRow {
  /** Year and month, such as `2022-01`. */
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

/** The account's object storage settings. Enables object storage if it is not enabled yet. */
export const turnedOn = (world: World): Readonly<ObjectAccountRow> =>
  world.objectStorageAccount.find("account") ??
  world.objectStorageAccount.insert({ id: "account", owner: world.random.hex(32), secret: world.random.hex(64) });

/** Outbound traffic of the current month in bytes. */
export const transferred = (world: World): number => world.objectStorageTransfers.find(month(world))?.used ?? 0;

export function countTransfer(world: World, bytes: number): void {
  world.objectStorageTransfers.insert({ id: month(world), used: transferred(world) + bytes });
}

const month = ({ clock }: World): string => clock.time().slice(0, "2022-01".length);
