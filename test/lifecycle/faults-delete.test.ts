import { describe, expect, test } from "vitest";
import type { Kind } from "../../provider/engine/definition";
import { pathOf } from "../../provider/engine/identity";
import { kinds } from "../../provider/resources";
import { interrupted } from "./changed-responses";
import { attempt, callsOf, expectOnlyAccount, faultCases, leavesObject, tryEach } from "./fault-cases";
import { names, type Scenario, scenario } from "./scenario";

/**
 * Deletes the object that contains others, by the input that refers to it and with their path. A volume is detached
 * instead, because the service deletes no attached volume.
 */
const containers: Record<string, (it: Scenario, path: never) => Promise<unknown>> = {
  compute_id: ({ api }, path) => api.instances.delete({ path }),
  domain_id: ({ api }, path) => api.domains.delete({ path }),
  firewall_id: ({ api }, path) => api.firewalls.delete({ path }),
  nodebalancer_id: ({ api }, path) => api.nodeBalancers.delete({ path }),
  cluster_id: ({ api }, path) => api.lkeClusters.delete({ path }),
  cluster: ({ api }, path) => api.objectStorageBuckets.delete({ path, query: { force: true } }),
  volume_id: ({ api }, path) => api.volumes.detach({ path }),
};

const up = (it: Scenario) => it.managed.up(it.fixture.base);

/** Deletes an object without faults, to learn which API calls a deletion sends. */
async function undisturbed(name: (typeof names)[number]) {
  await using it = await scenario(name);
  await up(it);
  it.anew();
  await it.managed.destroy();
  return callsOf(it);
}

describe.each(names)("%s: faults while it is deleted", (name) => {
  test("stays in state until it is deleted, and the next deletion completes", async () => {
    const calls = await undisturbed(name);
    if (leavesObject(kinds[name])) return expectOnlyAccount(calls);
    const cases = faultCases(calls);
    await tryEach(cases, async ({ fault }) => {
      await using it = await scenario(name);
      await up(it);
      it.anew();
      it.emulator.faults.add(fault);
      const failure = await attempt(() => it.managed.destroy());
      expect(it.managed.state === undefined, "state drops only deleted objects").toBe(failure === undefined);
      it.emulator.faults.clear();
      it.anew();
      await it.managed.destroy();
      expect(it.created()).toEqual({});
    });
  });

  test("succeeds if the object is deleted between the read and the delete request", async () => {
    await using first = await scenario(name);
    const { finish, remove } = first.fixture;
    const ends = {
      "it is deleted": remove !== null && ((it: Scenario) => it.removeNow()),
      "`finish` of the fixture ends it": finish && (async (it: Scenario) => it.fixture.finish?.(it.managed.id)),
    };
    for (const [what, end] of Object.entries(ends)) {
      if (!end || leavesObject(kinds[name])) continue;
      let hasEnded = false;
      await using it = await scenario(name);
      await up(it);
      it.anew();
      const ended = async () => {
        hasEnded = true;
        await end(it);
      };
      it.managed.reconnect(interrupted({ ...it, host: it.reconnect() }, ended));
      const failure = await attempt(() => it.managed.destroy());
      expect(
        failure,
        `the deletion if ${what} first: \`delete.run\` of ${name} handles a rejected request by reading the object again, and throws only if it still has to be deleted`,
      ).toBeUndefined();
      expect(hasEnded, `${what} before the delete request`).toBe(true);
      if (what === "it is deleted") expect(it.created()).toEqual({});
    }
  });
});

const containerInput = ({ identity }: Kind): string => Object.keys(identity.parents ?? {})[0] ?? "";
const contained = names.filter((name) => containerInput(kinds[name]) in containers && !leavesObject(kinds[name]));

test.each(contained)(
  "the deletion of %s succeeds if the object that contains it has been deleted, before the command or before the delete request",
  async (name) => {
    for (const when of ["before the command", "before the delete request"]) {
      await using it = await scenario(name);
      await up(it);
      it.anew();
      const remove = async () => {
        await containers[containerInput(it.kind)]?.(it, pathOf(it.kind, it.managed.id) as never);
        it.emulator.settle();
      };
      if (when === "before the command") await remove();
      else it.managed.reconnect(interrupted({ ...it, host: it.reconnect() }, remove));
      const failure = await attempt(() => it.managed.destroy());
      expect(failure, when).toBeUndefined();
      expect(it.managed.state).toBeUndefined();
    }
  },
);
