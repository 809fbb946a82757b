import { describe, expect, test } from "vitest";
import { read } from "../../../provider/engine/observe";
import { kinds } from "../../../provider/resources";
import { Managed } from "../../../testing/provider";
import { addressed } from "../kinds/needs";
import { account } from "./accounts";

async function things() {
  const world = await account();
  const [web, sql] = [await addressed(world, "web"), await addressed(world, "sql")];
  world.calls();
  const own = (id: number) => world.world.instances.get(id).ipv4;
  return Object.assign(world, { web, sql, own });
}

describe("InstanceIp", () => {
  test("two of an instance are two addresses, and neither reboots it", async () => {
    await using it = await things();
    const [one, other] = [new Managed("InstanceIp", it.host), new Managed("InstanceIp", it.host)];
    await Promise.all([one.up({ computeId: it.web.id }), other.up({ computeId: it.web.id })]);
    expect(one.id).not.toBe(other.id);
    expect(one.outs).toMatchObject({ public: true, type: "ipv4", region: "us-east", computeId: it.web.id });
    expect(it.own(it.web.id)).toHaveLength(4);
    expect(it.calls()).toEqual(["instanceAddresses.allocate", "instanceAddresses.allocate"]);
    await Promise.all([one.destroy(), other.destroy()]);
    expect(it.own(it.web.id)).toEqual(it.web.addresses);
  });

  test("E18: a private address has no reverse name, which is neither an input nor a difference", async () => {
    await using it = await things();
    const ip = new Managed("InstanceIp", it.host);
    await ip.up({ computeId: it.web.id, public: false });
    expect(ip.outs).toMatchObject({ rdns: null });
    expect(ip.state?.inputs).not.toHaveProperty("rdns");
    expect(await ip.refresh()).toBe("same");
    const found = await read(kinds.InstanceIp, it.host, ip.id, {});
    expect(found?.inputs).not.toHaveProperty("rdns");
  });

  test.each(["cut-before", "cut-after"] as const)(
    "of two at once, one whose answer is lost (%s) is not the other",
    async (kind) => {
      await using it = await things();
      const ips = [new Managed("InstanceIp", it.host, "one"), new Managed("InstanceIp", it.host, "other")];
      it.emulator.faults.add({ kind, path: "instanceAddresses.allocate", nth: 1 });
      const ended = await Promise.allSettled(ips.map((ip) => ip.up({ computeId: it.web.id })));
      expect(ended.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled"]);
      expect(new Set(ips.map(({ id }) => id)).size).toBe(2);
      expect(it.own(it.web.id)).toHaveLength(4);
    },
  );

  test("an instance that support has not enabled gets none, which the service says", async () => {
    await using it = await things();
    it.world.instances.patch(it.web.id, { extra_addresses: false });
    const ip = new Managed("InstanceIp", it.host);
    await expect(ip.up({ computeId: it.web.id })).rejects.toThrow("that takes a support request");
    expect(ip.state).toBeUndefined();
  });

  test("the platform's own name is told from another once it was asked for", async () => {
    await using it = await things();
    const ip = new Managed("InstanceIp", it.host);
    await ip.up({ computeId: it.web.id });
    const { rdns: own, address } = ip.outs;
    // What is not stated is anybody's.
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

  test("it is gone with its instance, and when its address moves to another one", async () => {
    await using it = await things();
    const [one, other] = [new Managed("InstanceIp", it.host), new Managed("InstanceIp", it.host)];
    await one.up({ computeId: it.web.id });
    await other.up({ computeId: it.sql.id });
    const assignments = [{ address: String(one.outs.address), compute_id: it.sql.id }];
    await it.api.networkingIps.assign({ body: { region: "us-east", assignments } });
    expect(await one.refresh()).toBe("gone");
    await it.api.instances.delete({ path: { computeId: it.sql.id } });
    it.emulator.settle();
    expect(await other.refresh()).toBe("gone");
  });

  test("the last public address is not given back, which the service says", async () => {
    await using it = await things();
    const ip = new Managed("InstanceIp", it.host);
    await ip.up({ computeId: it.web.id });
    for (const address of it.web.addresses)
      await it.api.instanceAddresses.delete({ path: { computeId: it.web.id, address } });
    await expect(ip.destroy()).rejects.toThrow("is the instance's last public address; it must keep one");
    expect(ip.state).toBeDefined();
  });
});

test("E2: deleting the resource of a private address leaves the address, and a new resource adopts it", async () => {
  await using it = await things();
  const [ip, next] = [new Managed("InstanceIp", it.host, "inner"), new Managed("InstanceIp", it.host, "next")];
  const inputs = { computeId: it.web.id, public: false };
  await ip.up(inputs);
  const address = String(ip.outs.address);
  expect(it.calls()).toEqual(["instanceAddresses.allocate"]);
  await ip.destroy();
  expect(it.calls()).toEqual([]);
  expect(it.told()).toEqual([
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

describe("ReverseDns", () => {
  test("a deletion gives the address the platform's own name back, unless somebody has named it since", async () => {
    await using it = await things();
    const [address = ""] = it.web.addresses;
    const name = () => it.world.addresses.get(address).rdns;
    const rdns = new Managed("ReverseDns", it.host);
    await rdns.up({ address, rdns: "Mail.example.org." });
    expect(name()).toBe("mail.example.org");
    expect(rdns.id).toBe(address);
    await it.api.networkingIps.update({ path: { address }, body: { rdns: "other.example.org" } });
    expect(await rdns.refresh()).toBe("changed");
    await rdns.up({ address, rdns: "Mail.example.org." });
    await rdns.destroy();
    expect(name()).toBeNull();
    await rdns.up({ address, rdns: "mail.example.org" });
    await it.api.networkingIps.update({ path: { address }, body: { rdns: "other.example.org" } });
    await rdns.destroy();
    expect(name()).toBe("other.example.org");
  });

  test("it is gone with its address", async () => {
    await using it = await things();
    const [, address = ""] = it.web.addresses;
    const rdns = new Managed("ReverseDns", it.host);
    await rdns.up({ address, rdns: "mail.example.org" });
    await it.api.instanceAddresses.delete({ path: { computeId: it.web.id, address } });
    expect(await rdns.refresh()).toBe("gone");
  });

  test("a name that does not lead to the address is refused with what to do; with its record it is taken", async () => {
    await using it = await things();
    const [address = ""] = it.web.addresses;
    const zone = new Managed("Domain", it.host);
    await zone.up({ domain: "example.org", type: "master", soaEmail: "a@example.org" });
    const rdns = new Managed("ReverseDns", it.host);
    await expect(rdns.up({ address, rdns: "mail.example.org" })).rejects.toThrow(
      "networkingIps.update: 400 rdns: Domain is not valid. (a name must resolve to its address before it is set: " +
        "where a DomainRecord of the same program says so, name that in dependsOn",
    );
    expect(rdns.state).toBeUndefined();
    const record = new Managed("DomainRecord", it.host);
    await record.up({ domainId: Number(zone.id), type: "A", name: "mail", target: address });
    await rdns.up({ address, rdns: "mail.example.org" });
    expect(await rdns.refresh()).toBe("same");
  });
});

describe("IpAssignment", () => {
  test("addresses change places in one call, and only what has to move is named", async () => {
    await using it = await things();
    const { web, sql, own } = it;
    const [a = "", b = ""] = web.addresses;
    const [c = "", d = ""] = sql.addresses;
    const all = (first: number, second: number) => ({
      region: "us-east",
      assignments: [
        { address: a, computeId: first },
        { address: b, computeId: first },
        { address: c, computeId: second },
        { address: d, computeId: second },
      ],
    });
    const it1 = new Managed("IpAssignment", it.host);
    await it1.up(all(web.id, sql.id));
    expect(it.calls(), "all is in its place").toEqual([]);
    await it1.up(all(sql.id, web.id));
    expect(it.calls()).toEqual(["networkingIps.assign"]);
    expect(own(web.id).toSorted()).toEqual([c, d].toSorted());
    // Somebody moves one back.
    const back = { region: "us-east", assignments: [{ address: a, compute_id: web.id }] };
    await it.api.networkingIps.assign({ body: back });
    expect(await it1.refresh()).toBe("changed");
    it.emulator.requests.clear();
    await it1.up(all(sql.id, web.id));
    const [sent] = it.emulator.requests.list().filter(({ operation }) => operation === "networkingIps.assign");
    expect(sent?.body).toEqual({ region: "us-east", assignments: [{ address: a, compute_id: sql.id }] });
    it.calls();
    await it1.destroy();
    expect(it.calls(), "each address stays where it is").toEqual([]);
  });

  test("an instance can't be left without a public address, which the service says", async () => {
    await using it = await things();
    const assignments = it.web.addresses.map((address) => ({ address, computeId: it.sql.id }));
    const assignment = new Managed("IpAssignment", it.host);
    await expect(assignment.up({ region: "us-east", assignments })).rejects.toThrow(
      `Instance ${it.web.id} would have no public address left`,
    );
    expect(assignment.state).toBeUndefined();
  });

  test("an address that nobody has any more is a difference; with the last one the resource is gone", async () => {
    await using it = await things();
    const [, b = ""] = it.web.addresses;
    const [, d = ""] = it.sql.addresses;
    const inputs = {
      region: "us-east",
      assignments: [
        { address: b, computeId: it.web.id },
        { address: d, computeId: it.web.id },
      ],
    };
    const assignment = new Managed("IpAssignment", it.host);
    await assignment.up(inputs);
    const path = { computeId: it.web.id };
    await it.api.instanceAddresses.delete({ path: { ...path, address: d } });
    expect(await assignment.refresh()).toBe("changed");
    await expect(assignment.up(inputs)).rejects.toThrow(`There is no address ${d} on the account's instances`);
    await it.api.instanceAddresses.delete({ path: { ...path, address: b } });
    expect(await assignment.refresh()).toBe("gone");
  });
});

describe("IpSharing", () => {
  test("what is shared besides is a difference, and a deletion ends all sharing", async () => {
    await using it = await things();
    const [a = "", b = ""] = it.web.addresses;
    const sharing = new Managed("IpSharing", it.host);
    await sharing.up({ computeId: it.sql.id, ips: [a] });
    await it.api.networkingIps.share({ body: { compute_id: it.sql.id, ips: [b, a] } });
    expect(await sharing.refresh()).toBe("changed");
    await sharing.up({ computeId: it.sql.id, ips: [a] });
    expect(it.world.addressShares.all()).toMatchObject([{ address: a, compute_id: it.sql.id }]);
    await sharing.destroy();
    expect(it.world.addressShares.all()).toEqual([]);
  });

  test("nothing shared is a statement as well, and it is gone with its instance", async () => {
    await using it = await things();
    const [a = ""] = it.web.addresses;
    const sharing = new Managed("IpSharing", it.host);
    await sharing.up({ computeId: it.sql.id, ips: [] });
    expect(await sharing.refresh()).toBe("same");
    await it.api.networkingIps.share({ body: { compute_id: it.sql.id, ips: [a] } });
    expect(await sharing.refresh()).toBe("changed");
    await it.api.instances.delete({ path: { computeId: it.sql.id } });
    it.emulator.settle();
    expect(await sharing.refresh()).toBe("gone");
    await sharing.destroy();
  });
});

describe("Ipv6Range", () => {
  const support = (it: { emulator: { url: string } }, computeId: number) =>
    fetch(`${new URL(it.emulator.url).origin}/_emulator/support`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ request: "ipv6_range", compute_id: computeId }),
    }).then((answer) => answer.json() as Promise<{ id: number; range: string }>);

  test("a range is referred to, checked and watched, and stays when its resource goes", async () => {
    await using it = await things();
    const { range } = await support(it, it.web.id);
    const adopted = new Managed("Ipv6Range", it.host);
    const slaac = String((await it.api.instances.view({ path: { computeId: it.web.id } })).ipv6).replace("/128", "");
    await adopted.up({ range: `${range.toUpperCase()}/64`, computeId: it.web.id });
    expect(adopted.id).toBe(range);
    expect(adopted.outs).toMatchObject({ prefix: 64, region: "us-east", routeTarget: slaac, computeId: it.web.id });
    await adopted.destroy();
    expect(it.world.ipv6Ranges.all()).toHaveLength(1);
    expect(it.calls()).toEqual([]);
  });

  test("a range that is routed elsewhere, or that there is none of, is refused", async () => {
    await using it = await things();
    const { range } = await support(it, it.web.id);
    const adopted = new Managed("Ipv6Range", it.host);
    await expect(adopted.up({ range, computeId: it.sql.id })).rejects.toThrow(
      `of instance ${it.web.id}, not to instance ${it.sql.id}; to move it takes a support request`,
    );
    await expect(adopted.up({ range: "2001:db8:ffff:1::" })).rejects.toThrow(
      "there is no IPv6 range 2001:db8:ffff:1:: on the account; ranges come by a support request",
    );
    expect(adopted.state).toBeUndefined();
  });

  test("support moves it: that is a difference; with its instance it is gone", async () => {
    await using it = await things();
    const { id, range } = await support(it, it.web.id);
    const adopted = new Managed("Ipv6Range", it.host);
    await adopted.up({ range, computeId: it.web.id });
    const { ipv6 } = it.world.instances.get(it.sql.id);
    it.world.ipv6Ranges.patch(id, { compute_id: it.sql.id, route_target: String(ipv6).replace("/128", "") });
    expect(await adopted.refresh()).toBe("changed");
    expect((await adopted.up({ range, computeId: it.sql.id })).op).toBe("same");
    await it.api.instances.delete({ path: { computeId: it.sql.id } });
    it.emulator.settle();
    expect(await adopted.refresh()).toBe("gone");
  });
});
