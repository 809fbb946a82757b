import { describe, expect } from "vitest";
import { Managed } from "../../../testing/provider";
import { test } from "./addresses";

describe("ReverseDns", () => {
  test("deletion resets the reverse DNS name, unless it was changed outside Pulumi", async ({ it }) => {
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

  test("the resource is deleted with its address", async ({ it }) => {
    const [, address = ""] = it.web.addresses;
    const rdns = new Managed("ReverseDns", it.host);
    await rdns.up({ address, rdns: "mail.example.org" });
    await it.api.instanceAddresses.delete({ path: { computeId: it.web.id, address } });
    expect(await rdns.refresh()).toBe("gone");
  });

  test("rejects a name that does not resolve to the address, until its record exists", async ({ it }) => {
    const [address = ""] = it.web.addresses;
    const zone = new Managed("Domain", it.host);
    await zone.up({ domain: "example.org", type: "master", soaEmail: "a@example.org" });
    const rdns = new Managed("ReverseDns", it.host);
    await expect(rdns.up({ address, rdns: "mail.example.org" })).rejects.toThrow(
      "networkingIps.update: 400 rdns: Domain is not valid. (the name must resolve to the address first. " +
        "If a DomainRecord of this program resolves it, add that record to dependsOn",
    );
    expect(rdns.state).toBeUndefined();
    const record = new Managed("DomainRecord", it.host);
    await record.up({ domainId: Number(zone.id), type: "A", name: "mail", target: address });
    await rdns.up({ address, rdns: "mail.example.org" });
    expect(await rdns.refresh()).toBe("same");
  });
});

describe("IpAssignment", () => {
  test("exchanges two addresses in one request, which contains only addresses that move", async ({ it }) => {
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
    // Moves one of the addresses back to its previous instance, outside Pulumi.
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

  test("shows the API's error if an instance would have no public address", async ({ it }) => {
    const assignments = it.web.addresses.map((address) => ({ address, computeId: it.sql.id }));
    const assignment = new Managed("IpAssignment", it.host);
    await expect(assignment.up({ region: "us-east", assignments })).rejects.toThrow(
      `Instance ${it.web.id} would not have a public address`,
    );
    expect(assignment.state).toBeUndefined();
  });

  test("an unassigned address is drift; without any assigned address the resource is deleted", async ({ it }) => {
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
  test("an additional shared address is drift, and deletion ends all sharing", async ({ it }) => {
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

  test("an empty list shares nothing, and the resource is deleted with its instance", async ({ it }) => {
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
    }).then((response) => response.json() as Promise<{ id: number; range: string }>);

  test("a range can be read, is checked for drift, and is kept when its resource is deleted", async ({ it }) => {
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

  test("rejects a range that is routed elsewhere or does not exist", async ({ it }) => {
    const { range } = await support(it, it.web.id);
    const adopted = new Managed("Ipv6Range", it.host);
    await expect(adopted.up({ range, computeId: it.sql.id })).rejects.toThrow(
      `of instance ${it.web.id}, not to instance ${it.sql.id}; moving it requires a support request`,
    );
    await expect(adopted.up({ range: "2001:db8:ffff:1::" })).rejects.toThrow(
      "the account does not have the IPv6 range 2001:db8:ffff:1::; request ranges from support",
    );
    expect(adopted.state).toBeUndefined();
  });

  test("a range that support has moved is drift, and the resource is deleted with its instance", async ({ it }) => {
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
