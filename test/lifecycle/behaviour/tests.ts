import { test as vitest } from "vitest";
import type { KindName } from "../../../provider/resources";
import { Managed } from "../../../testing/provider";
import { fresh } from "../../fresh";
import { account } from "./accounts";

/** Tests that each have an empty account, `world`. */
export const test = vitest.extend("world", fresh(account));

/**
 * Tests that each have an empty account, `world`, and in it a resource of the kind, `it`, before its creation. The message of
 * a rejected input is `property rules.inbound[0].ports has a problem: must be omitted for ICMP (given "1")` or, for an
 * input with a capital letter, `property ["privateKey"] has a problem: … (given [secret])`. That of a failed request is
 * `firewalls.updateRules: 404 Not found (firewall 404)`; tests in `test/contract/` have the messages of the service.
 *
 * `it.up` returns what Pulumi does, such as `{ op: "replace" }`, and `world.calls()` the names of the write requests since the last call:
 * those of a replacement in its order, with the deletion. `it.refresh()` returns `same`, `changed` (the next update would undo
 * something) or `gone`. `it.id` is the id in state, a text such as `12/34`, and `it.outs` are the outputs. Inputs that
 * programs can give as such an id are numbers here: `numberOf(it)` of `machines.ts` is 34.
 *
 * `world.api` sends requests as another program would: `await world.api.volumes.delete({ path: { volumeId: 12 } })`; then
 * `world.emulator.settle()` ends the jobs of the service. `machine(world, "web")` of `accounts.ts` creates an instance, and
 * `backend(world, "web")` of `../kinds/needs.ts` one with a private address. `world.world.domainRecords` is a table of the
 * emulator: `all()`, `get(id)`, `by("domain_id", id)`. Objects that each test needs first can be a part of the test's
 * context: `testsOf("NodeBalancerNode").extend("port", ({ world }) => listening(world))`.
 */
export const testsOf = <K extends KindName>(kind: K, name?: string) =>
  test.extend("it", async ({ world }) => new Managed(kind, world.host, name));
