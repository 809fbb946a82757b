import { table } from "../../core/store";
import type { World } from "../../core/world";
import type { Part } from "../../http/handlers";

/** The account's object storage, while it is enabled. */
export interface ObjectAccountRow {
  id: "account";
  /** Names the owner of objects and buckets. */
  owner: string;
  /** Signs URLs and seals what is stored encrypted; 32 bytes in hex. */
  secret: string;
}

/** Outbound traffic in a month. */
export interface ObjectTransferRow {
  /** `2022-01` */
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

/** The account's part of object storage, which is turned on if it was off. */
export const turnedOn = (world: World): Readonly<ObjectAccountRow> =>
  world.objectStorageAccount.find("account") ??
  world.objectStorageAccount.insert({ id: "account", owner: world.random.hex(32), secret: world.random.hex(64) });

/** Bytes that went out this month. */
export const transferred = (world: World): number => world.objectStorageTransfers.find(month(world))?.used ?? 0;

export function countTransfer(world: World, bytes: number): void {
  world.objectStorageTransfers.insert({ id: month(world), used: transferred(world) + bytes });
}

const month = ({ clock }: World): string => clock.time().slice(0, "2022-01".length);
