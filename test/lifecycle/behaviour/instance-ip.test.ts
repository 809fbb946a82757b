import { describe, expect } from "vitest";
import { read } from "../../../provider/engine/observe";
import { kinds } from "../../../provider/resources";
import { Managed } from "../../../testing/provider";
import { type Things, test } from "./addresses";

describe("InstanceIp", () => {
  test("two resources of an instance have two addresses, and neither reboots the instance", async ({ it }) => {
    const [one, other] = [new Managed("InstanceIp", it.host), new Managed("InstanceIp", it.host)];
    await Promise.all([one.up({ computeId: it.web.id }), other.up({ computeId: it.web.id })]);
    expect(one.id).not.toBe(other.id);
    expect(one.outs).toMatchObject({ public: true, type: "ipv4", region: "us-east", computeId: it.web.id });
    expect(it.own(it.web.id)).toHaveLength(4);
    expect(it.calls()).toEqual(["instanceAddresses.allocate", "instanceAddresses.allocate"]);
    await Promise.all([one.destroy(), other.destroy()]);
    expect(it.own(it.web.id)).toEqual(it.web.addresses);
  });

  test("a private address has no reverse DNS name, which is neither an input nor a difference", async ({ it }) => {
    const ip = new Managed("InstanceIp", it.host);
    await ip.up({ computeId: it.web.id, public: false });
    expect(ip.outs).toMatchObject({ rdns: null });
    expect(ip.state?.inputs).not.toHaveProperty("rdns");
    expect(await ip.refresh()).toBe("same");
    const found = await read(kinds.InstanceIp, it.host, ip.id, {});
    expect(found?.inputs).not.toHaveProperty("rdns");
  });

  test.for(["cut-before", "cut-after"] as const)(
    "of two concurrent creates, the one whose response is lost (%s) does not adopt the other one's address",
    async (kind, { it }) => {
      const ips = [new Managed("InstanceIp", it.host, "one"), new Managed("InstanceIp", it.host, "other")];
      it.emulator.faults.add({ kind, path: "instanceAddresses.allocate", nth: 1 });
      const ended = await Promise.allSettled(ips.map((ip) => ip.up({ computeId: it.web.id })));
      expect(ended.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled"]);
      expect(new Set(ips.map(({ id }) => id)).size).toBe(2);
      expect(it.own(it.web.id)).toHaveLength(4);
    },
  );

  test("shows the API's error for an instance that may not have additional addresses", async ({ it }) => {
    it.world.instances.patch(it.web.id, { extra_addresses: false });
    const ip = new Managed("InstanceIp", it.host);
    await expect(ip.up({ computeId: it.web.id })).rejects.toThrow("without a support request");
    expect(ip.state).toBeUndefined();
  });

  test("distinguishes a default reverse DNS name from a custom one after the first read", async ({ it }) => {
    const ip = new Managed("InstanceIp", it.host);
    await ip.up({ computeId: it.web.id });
    const { rdns: own, address } = ip.outs;
    // An omitted reverse DNS name is not managed.
    await it.api.networkingIps.update({ path: { address: String(address) }, body: { rdns: "other.example.org" } });
    expect(await ip.refresh()).toBe("same");
    await ip.up({ computeId: it.web.id, rdns: null });
    expect(it.world.addresses.get(String(address)).rdns).toBeNull();
    expect(ip.outs).toMatchObject({ rdns: null, defaultRdns: own });
    expect(await ip.refresh()).toBe("same");
    await it.api.networkingIps.update({ path: { address: String(address) }, body: { rdns: "other.example.org" } });
    expect(await ip.refresh()).toBe("changed");
    await ip.up({ computeId: it.web.id, rdns: null });
    expect(await ip.refresh()).toBe("same");
  });

  test("the resource is deleted with its instance", async ({ it }) => {
    const ip = new Managed("InstanceIp", it.host);
    await ip.up({ computeId: it.sql.id });
    await it.api.instances.delete({ path: { computeId: it.sql.id } });
    it.emulator.settle();
    expect(await ip.refresh()).toBe("gone");
  });

  describe("an address that an IpAssignment has moved to another instance", () => {
    async function moved(it: Things) {
      const [ip, assignment] = [new Managed("InstanceIp", it.host), new Managed("IpAssignment", it.host)];
      await ip.up({ computeId: it.web.id });
      const address = String(ip.outs.address);
      const assignments = [{ address, computeId: it.sql.id }];
      await assignment.up({ region: "us-east", assignments });
      const holder = () => it.world.addresses.find(address)?.compute_id;
      it.calls();
      return { ip, assignment, address, assignments, holder };
    }

    test("belongs to its resource, and no other address is allocated", async ({ it }) => {
      const { ip, assignment, assignments, holder } = await moved(it);
      expect(await ip.refresh()).toBe("same");
      expect(await assignment.refresh()).toBe("same");
      expect(ip.outs).toMatchObject({ computeId: it.web.id });
      expect((await ip.up({ computeId: it.web.id })).op).toBe("same");
      expect((await assignment.up({ region: "us-east", assignments })).op).toBe("same");
      expect(it.calls()).toEqual([]);
      expect(holder()).toBe(it.sql.id);
    });

    test("gets its reverse DNS name, and stays when the resource is deleted, because another instance uses it", async ({
      it,
    }) => {
      const { ip, address, holder } = await moved(it);
      await ip.up({ computeId: it.web.id, rdns: "mail.example.org" });
      expect(ip.outs).toMatchObject({ rdns: "mail.example.org" });
      await ip.destroy();
      expect(holder()).toBe(it.sql.id);
      expect(it.calls()).toEqual(["instanceAddresses.update"]);
      expect(it.messages()).toEqual([
        `${address} was not deleted, because it has moved from instance ${it.web.id} to ${it.sql.id}. ` +
          `Unless you need it there, delete it: npx cloudinfra api instance-addresses delete ${it.sql.id} ${address}`,
      ]);
    });

    test("is replaced if the program declares another instance", async ({ it }) => {
      const { ip, address, holder } = await moved(it);
      expect((await ip.up({ computeId: it.sql.id })).op).toBe("replace");
      expect(ip.outs.address).not.toBe(address);
      expect(holder()).toBe(it.sql.id);
    });

    test("is missing if the token cannot read the addresses of the account", async ({ it }) => {
      const { ip } = await moved(it);
      it.emulator.faults.add({ path: "networkingIps.view", kind: "status", status: 401, times: 10 });
      expect(await ip.refresh()).toBe("gone");
    });

    test("does not exist any more after its former instance was deleted", async ({ it }) => {
      const { ip, holder } = await moved(it);
      await it.api.instances.delete({ path: { computeId: it.web.id } });
      it.emulator.settle();
      expect(await ip.refresh()).toBe("gone");
      expect(holder()).toBe(it.sql.id);
    });
  });

  test("shows the API's error for removing the last public address", async ({ it }) => {
    const ip = new Managed("InstanceIp", it.host);
    await ip.up({ computeId: it.web.id });
    for (const address of it.web.addresses)
      await it.api.instanceAddresses.delete({ path: { computeId: it.web.id, address } });
    await expect(ip.destroy()).rejects.toThrow(
      "is the last public address of the instance, which must keep at least one",
    );
    expect(ip.state).toBeDefined();
  });
});

test("deleting the resource of a private address keeps the address, and a new resource adopts it", async ({ it }) => {
  const [ip, next] = [new Managed("InstanceIp", it.host, "inner"), new Managed("InstanceIp", it.host, "next")];
  const inputs = { computeId: it.web.id, public: false };
  await ip.up(inputs);
  const address = String(ip.outs.address);
  expect(it.calls()).toEqual(["instanceAddresses.allocate"]);
  await ip.destroy();
  expect(it.calls()).toEqual([]);
  expect(it.messages()).toEqual([
    `${address} stays on instance ${it.web.id} until the instance is deleted: private addresses cannot be removed`,
  ]);
  expect(it.own(it.web.id)).toContain(address);
  await next.up(inputs);
  expect(next.outs).toMatchObject({ address, public: false });
  expect(it.calls()).toEqual([]);
  expect(await next.refresh()).toBe("same");
  await it.api.instances.delete({ path: { computeId: it.web.id } });
  it.emulator.settle();
  expect(await next.refresh()).toBe("gone");
  await next.destroy();
});
