import { test as vitest } from "vitest";
import { fresh } from "../../fresh";
import { addressed } from "../kinds/needs";
import { account } from "./accounts";

/** An account with two instances for which customer support has allowed additional addresses. */
async function things() {
  const world = await account();
  const [web, sql] = [await addressed(world, "web"), await addressed(world, "sql")];
  world.calls();
  const own = (id: number) => world.world.instances.get(id).ipv4;
  return Object.assign(world, { web, sql, own });
}

export type Things = Awaited<ReturnType<typeof things>>;

/** Tests that each have the account `it` with two instances. */
export const test = vitest.extend("it", fresh(things));
