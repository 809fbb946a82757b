import { describe, expect } from "vitest";
import { read } from "../../../provider/engine/observe";
import { kinds } from "../../../provider/resources";
import { Managed } from "../../../testing/provider";
import { test as accountTest } from "./tests";

const zone = { domain: "example.org", type: "master", soaEmail: "me@example.org" } as const;

const test = accountTest
  .extend("domain", async ({ world }) => {
    const domain = new Managed("Domain", world.host);
    await domain.up(zone);
    return domain;
  })
  .extend("domainId", async ({ domain }) => Number(domain.id));

describe("Domain and DomainRecord", () => {
  test("a record has the id of its domain and its full name as outputs", async ({ world, domainId }) => {
    const www = new Managed("DomainRecord", world.host);
    await www.up({ domainId, type: "A", name: "www.example.org.", target: "198.51.100.1" });
    expect(www.outs).toMatchObject({ name: "www.example.org.", zone: "example.org", fqdn: "www.example.org" });
    expect(world.world.domainRecords.all()).toMatchObject([{ name: "www" }]);
    const apex = new Managed("DomainRecord", world.host);
    await apex.up({ domainId, type: "MX", name: "@", target: "mail.example.net.", priority: 10 });
    expect(apex.outs).toMatchObject({ fqdn: "example.org", target: "mail.example.net." });
    const srv = new Managed("DomainRecord", world.host);
    const service = { service: "sip", protocol: "udp", priority: 1, weight: 1, port: 5060 };
    await srv.up({ domainId, type: "SRV", target: "sip", ...service });
    expect(srv.outs).toMatchObject({ name: "_sip._udp", fqdn: "_sip._udp.example.org", target: "sip" });
    expect(world.world.domainRecords.get(Number(srv.id.split("/")[1])).target).toBe("sip.example.org");
    for (const record of [www, apex, srv]) expect(await record.refresh()).toBe("same");
  });

  test("the error about a domain that exists names it, also if the program writes it with capitals", async ({
    world,
    domainId,
  }) => {
    const again = new Managed("Domain", world.host, "again");
    await expect(again.up({ ...zone, domain: "Example.ORG" })).rejects.toThrow(
      `Domain ${domainId} already has this domain. Choose another domain.`,
    );
  });

  test("a record of a domain that was deleted is an error that says how to go on", async ({ world, domainId }) => {
    await world.api.domains.delete({ path: { domainId } });
    const www = new Managed("DomainRecord", world.host);
    await expect(www.up({ domainId, type: "A", name: "www", target: "198.51.100.1" })).rejects.toThrow(
      `domainRecords.create: 404 Not found (domain ${domainId}). If this object was deleted outside this program, run "pulumi up --refresh" to create it again`,
    );
    expect(www.state).toBeUndefined();
  });

  test("a name that ends with that of the domain twice is not made relative twice", async ({ world, domainId }) => {
    const it = new Managed("DomainRecord", world.host);
    const www = { domainId, type: "A", name: "www.example.org.example.org", target: "198.51.100.1" } as const;
    await it.up(www);
    expect(world.world.domainRecords.all()).toMatchObject([{ name: "www.example.org" }]);
    expect(await it.refresh()).toBe("same");
    expect(await it.preview(www)).toMatchObject({ op: "same" });
    const path = { domainId, recordId: Number(it.id.split("/")[1]) };
    await world.api.domainRecords.update({ path, body: { name: "www" } });
    expect(await it.refresh()).toBe("changed");
    await it.up(www);
    expect(world.world.domainRecords.all()).toMatchObject([{ name: "www.example.org" }]);
  });

  test("a record of another type than A has the text [remote_addr]", async ({ world, domainId }) => {
    const it = new Managed("DomainRecord", world.host);
    const text = { domainId, type: "TXT", name: "home" } as const;
    await it.up({ ...text, target: "hello" });
    expect(await it.up({ ...text, target: "[remote_addr]" })).toMatchObject({ op: "update" });
    expect(world.world.domainRecords.all()).toMatchObject([{ target: "[remote_addr]" }]);
  });

  test("a record that becomes an A record with the target [remote_addr] gets the address of the client", async ({
    world,
    domainId,
  }) => {
    const it = new Managed("DomainRecord", world.host);
    await it.up({ domainId, type: "AAAA", name: "home", target: "2001:db8::1" });
    const home = { domainId, type: "A", name: "home", target: "[remote_addr]" } as const;
    world.calls();
    expect((await it.up(home)).op).toBe("update");
    expect(world.calls()).toEqual(["domainRecords.update"]);
    expect(world.world.domainRecords.all()).toMatchObject([{ type: "A", target: "127.0.0.1" }]);
    expect((await it.preview(home)).op).toBe("same");
    expect(await it.refresh()).toBe("same");
  });

  test("a record that is created with the target [remote_addr] is not updated after it", async ({
    world,
    domainId,
  }) => {
    const it = new Managed("DomainRecord", world.host);
    const home = { domainId, type: "A", name: "home", target: "[remote_addr]" } as const;
    world.calls();
    await it.up(home);
    expect(world.calls()).toEqual(["domainRecords.create"]);
    expect(it.outs).toMatchObject({ target: "[remote_addr]" });
  });

  test("a record whose target becomes [remote_addr] gets the address of the client once", async ({
    world,
    domainId,
  }) => {
    const it = new Managed("DomainRecord", world.host, "home");
    const home = { domainId, type: "A", name: "home", target: "198.51.100.1" } as const;
    const here = { ...home, target: "[remote_addr]" };
    const targets = () => world.world.domainRecords.all().map(({ target }) => target);
    await it.up(home);
    world.messages();
    expect((await it.preview(here)).op).toBe("update");
    expect(world.messages()).toEqual([
      `DomainRecord ${it.id}: its target 198.51.100.1 becomes the IPv4 address of the client`,
    ]);
    await it.up(here);
    expect(targets()).toEqual(["127.0.0.1"]);
    world.calls();
    it.reconnect(world.reconnect());
    expect(await it.refresh()).toBe("same");
    expect((await it.up(here)).op).toBe("same");
    await it.up({ ...here, ttlSec: 300 });
    expect(world.calls()).toEqual(["domainRecords.update"]);
    await it.up({ ...home, target: "127.0.0.1" });
    expect((await it.up({ ...home, target: "127.0.0.1" })).op).toBe("same");
    await it.up(home);
    expect(targets()).toEqual(["198.51.100.1"]);
    await it.destroy();

    world.emulator.faults.add({ kind: "cut-after", path: "domainRecords.create" });
    await it.up(here);
    expect(targets()).toEqual(["127.0.0.1"]);
    world.calls();
    expect((await it.up(here)).op).toBe("same");
    expect(world.calls()).toEqual([]);
  });

  test.for([
    [null, null],
    ["", ""],
    ["", null],
  ])(
    "a record of another type than SRV does not differ with a service of %j and a protocol of %j",
    async ([service, protocol], { world, domainId }) => {
      const it = new Managed("DomainRecord", world.host);
      const www = { domainId, type: "A", name: "www", target: "198.51.100.1", service, protocol } as const;
      await it.up(www);
      it.reconnect(world.reconnect());
      world.calls();
      expect(await it.refresh()).toBe("same");
      expect((await it.up(www)).op).toBe("same");
      expect(world.calls()).toEqual([]);
    },
  );

  test("a changed record is drift; equal values keep the program's notation", async ({ world, domainId }) => {
    const it = new Managed("DomainRecord", world.host);
    const www = { domainId, type: "A", name: "WWW", target: "198.51.100.1", ttlSec: 3600 } as const;
    await it.up(www);
    const path = { domainId, recordId: Number(it.id.split("/")[1]) };
    await world.api.domainRecords.update({ path, body: { name: "www.example.org" } });
    expect(await it.refresh()).toBe("same");
    await world.api.domainRecords.update({ path, body: { target: "198.51.100.2" } });
    expect(await it.refresh()).toBe("changed");
    expect(it.state?.inputs).toMatchObject({ name: "WWW", target: "198.51.100.2" });
    await it.up(www);
    expect(world.world.domainRecords.all()).toMatchObject([{ name: "www", target: "198.51.100.1" }]);
  });

  test("a renamed domain keeps its records", async ({ world, domain, domainId }) => {
    const it = new Managed("DomainRecord", world.host);
    const www = { domainId, type: "A", name: "www", target: "198.51.100.1" } as const;
    await it.up(www);
    expect((await domain.up({ ...zone, domain: "example.com" })).op).toBe("update");
    expect(await it.refresh()).toBe("same");
    expect(it.outs).toMatchObject({ fqdn: "www.example.com" });
  });

  test("a TTL of 0 means the domain's default, and an omitted TTL is not managed", async ({ world, domainId }) => {
    const it = new Managed("DomainRecord", world.host, "www");
    const www = { domainId, type: "A", name: "www", target: "198.51.100.1" } as const;
    await it.up({ ...www, ttlSec: 3600 });
    await it.up({ ...www, ttlSec: 0 });
    expect(it.outs).toMatchObject({ ttlSec: 0 });
    expect(await it.refresh()).toBe("same");
    const path = { domainId, recordId: Number(it.id.split("/")[1]) };
    await world.api.domainRecords.update({ path, body: { ttl_sec: 300 } });
    expect((await it.up(www)).op).toBe("same");
    expect(await it.refresh()).toBe("same");
    expect(it.outs).toMatchObject({ ttlSec: 300 });
    expect(world.messages()).toEqual([]);
  });

  test("creates a domain as a copy of another one, and then sets the declared values", async ({ world }) => {
    const { id } = await world.api.domains.create({
      body: {
        domain: "example.net",
        type: "master",
        soa_email: "a@example.net",
        ttl_sec: 300,
        retry_sec: 300,
        tags: ["shop"],
      },
    });
    const record = { type: "A", name: "www", target: "198.51.100.1" } as const;
    await world.api.domainRecords.create({ path: { domainId: id }, body: record });
    const it = new Managed("Domain", world.host);
    world.calls();
    await it.up({ domain: "example.org", type: "master", cloneFrom: id, retrySec: 0 });
    expect(world.calls()).toEqual(["domains.clone", "domains.update"]);
    expect(it.outs).toMatchObject({ soaEmail: "a@example.net", ttlSec: 300, retrySec: 0, tags: ["shop"] });
    expect(await it.refresh()).toBe("same");
    const records = () => world.world.domainRecords.by("domain_id", Number(it.id));
    expect(records()).toMatchObject([record]);
    const [copied] = records();
    await it.destroy();
    expect(world.world.domainRecords.all().map(({ id }) => id)).not.toContain(copied?.id);
    expect(world.world.domains.all()).toHaveLength(1);
  });

  test.for(["cloneFrom", "importFrom"] as const)(
    "a copied domain keeps its status and its times if %s is removed",
    async (input, { world }) => {
      const body = { domain: "example.net", type: "master", soa_email: "a@example.net" } as const;
      const { id } = await world.api.domains.create({ body: { ...body, status: "disabled", ttl_sec: 300 } });
      const remote = { nameserver: "ns1.example.net", domain: "example.org", soa_email: "b@example.org", records: [] };
      world.world.remoteZones.insert(remote);
      const it = new Managed("Domain", world.host);
      await it.up({ ...zone, [input]: input === "cloneFrom" ? id : "ns1.example.net" });
      await world.api.domains.update({ path: { domainId: Number(it.id) }, body: { status: "disabled", ttl_sec: 300 } });
      it.reconnect(world.reconnect());
      await it.refresh();
      world.calls();
      for (let times = 0; times < 2; times++) expect((await it.up(zone)).op).toBe("same");
      expect((await it.up({ ...zone, description: "Ours" })).op).toBe("update");
      expect((await it.up({ ...zone, description: "Ours" })).op).toBe("same");
      expect(world.calls()).toEqual(["domains.update"]);
      expect(it.outs).toMatchObject({ status: "disabled", ttlSec: 300 });
      expect((await it.up({ ...zone, status: "active" })).op).toBe("update");
    },
  );

  test("imports a domain from another name server", async ({ world }) => {
    const record = { type: "A", name: "www", target: "198.51.100.1" } as const;
    const place = { nameserver: "ns1.example.net", domain: "example.org" };
    world.world.remoteZones.insert({ ...place, soa_email: "b@example.org", records: [record] });
    const it = new Managed("Domain", world.host);
    await it.up({ ...zone, importFrom: "NS1.example.net" });
    expect(world.calls()).toEqual(["domains.import", "domains.update"]);
    expect(it.outs).toMatchObject({ soaEmail: "me@example.org", status: "active", ttlSec: 0 });
    expect(world.world.domainRecords.all()).toMatchObject([record]);
    expect((await it.up({ ...zone, importFrom: "ns2.example.net" })).op).toBe("same");
    expect(world.messages().join()).toContain("importFrom changed: the value is used only when the domain is created");
    const rejected = new Managed("Domain", world.host).up({
      domain: "example.com",
      type: "master",
      importFrom: "ns1.example.net",
    });
    await expect(rejected).rejects.toThrow("The name server rejected the transfer of example.com");
  });

  test.for(["clone", "import"])("finds a copy whose response was lost: %s", async (operation, { world }) => {
    const { id } = await world.api.domains.create({
      body: { domain: "example.net", type: "master", soa_email: "a@example.net" },
    });
    world.world.remoteZones.insert({
      nameserver: "ns",
      domain: "example.org",
      soa_email: "b@example.org",
      records: [],
    });
    const it = new Managed("Domain", world.host);
    world.emulator.faults.add({ kind: "cut-after", path: `domains.${operation}` });
    await it.up({ ...zone, ...(operation === "clone" ? { cloneFrom: id } : { importFrom: "ns" }) });
    expect(world.world.domains.all()).toHaveLength(2);
    expect(it.outs).toMatchObject({ soaEmail: "me@example.org" });
  });

  test("a record whose create response was lost is not mistaken for one with another target", async ({
    world,
    domainId,
  }) => {
    const body = { type: "A", name: "www", target: "198.51.100.2" } as const;
    const { id } = await world.api.domainRecords.create({ path: { domainId }, body });
    world.emulator.faults.add({ kind: "cut-before", path: "domainRecords.create" });
    const it = new Managed("DomainRecord", world.host);
    await it.up({ domainId, type: "A", name: "www", target: "198.51.100.1" });
    expect(it.id).not.toBe(`${domainId}/${id}`);
    expect(world.world.domainRecords.all().map(({ target }) => target)).toEqual(["198.51.100.2", "198.51.100.1"]);
  });

  test("sip and _sip are the same service in the API and in programs", async ({ world, domainId }) => {
    const record = {
      domainId,
      type: "SRV",
      target: "sip",
      priority: 1,
      weight: 1,
      port: 5060,
    } as const;
    const it = new Managed("DomainRecord", world.host);
    await it.up({ ...record, service: "sip", protocol: "udp" });
    expect(world.world.domainRecords.all()).toMatchObject([{ service: "_sip", protocol: "_udp" }]);
    expect(it.outs).toMatchObject({ service: "sip", protocol: "udp" });
    world.world.domainRecords.patch(Number(it.id.split("/")[1]), { service: "sip", protocol: "udp" });
    world.emulator.advance(60_000);
    expect(await it.refresh()).toBe("same");
    expect((await it.preview({ ...record, service: "_sip", protocol: "_udp" })).op).toBe("same");
  });

  test("a refresh reports a deleted domain in one line", async ({ world, domain, domainId }) => {
    const mx = new Managed("DomainRecord", world.host);
    await mx.up({ domainId, type: "MX", name: "", target: "mail.example.net", priority: 10 });
    const www = new Managed("DomainRecord", world.host);
    await www.up({ domainId, type: "A", name: "www", target: "198.51.100.1" });
    const recordId = Number(mx.id.split("/")[1]);
    await world.api.domainRecords.delete({ path: { domainId, recordId } });
    mx.reconnect(world.reconnect());
    expect(await mx.refresh()).toBe("gone");
    expect(world.messages()).toEqual([
      `MX record of example.org (${domainId}/${recordId}) no longer exists: the next update creates it again`,
    ]);

    await mx.up({ domainId, type: "MX", name: "", target: "mail.example.net", priority: 10 });
    await world.api.domains.delete({ path: { domainId } });
    const host = world.reconnect();
    for (const each of [domain, mx, www]) each.reconnect(host);
    world.messages();
    expect(await Promise.all([domain.refresh(), mx.refresh(), www.refresh()])).toEqual(["gone", "gone", "gone"]);
    expect(world.messages()).toEqual([
      `Domain "example.org" (${domainId}) no longer exists: the next update creates it again`,
    ]);
  });

  test("unset outputs are empty, and clearing them is not a difference", async ({ world }) => {
    const it = new Managed("Domain", world.host);
    await it.up(zone);
    expect(it.outs).toMatchObject({ description: "", group: "" });
    expect(it.state?.inputs).not.toHaveProperty("description");
    expect(await it.refresh()).toBe("same");
    await it.up({ ...zone, description: "Ours" });
    world.world.domains.patch(Number(it.id), { description: "" });
    world.emulator.advance(60_000);
    expect(await it.refresh()).toBe("changed");
    expect((await it.preview({ ...zone, description: "Ours" })).op).toBe("update");
    const slave = new Managed("Domain", world.host);
    await slave.up({ domain: "example.net", type: "slave", masterIps: ["192.0.2.1"] });
    expect(slave.outs).toMatchObject({ soaEmail: "" });
  });

  test("an imported object has no inputs for its empty outputs", async ({ world }) => {
    const { id } = await world.api.domains.create({
      body: { domain: "example.net", type: "slave", master_ips: ["192.0.2.1"] },
    });
    const domain = await read(kinds.Domain, world.host, String(id), {});
    expect(domain?.outs).toMatchObject({ description: "", group: "", soa_email: "" });
    expect(Object.keys(domain?.inputs ?? {}).sort()).toEqual(
      "axfr_ips domain expire_sec master_ips refresh_sec retry_sec status tags ttl_sec type".split(" "),
    );
    const contact = await world.api.managedContacts.create({ body: {} });
    const found = await read(kinds.ManagedContact, world.host, String(contact.id), {});
    expect(Object.keys(found?.inputs ?? {}).sort()).toEqual(["group", "phone"]);
  });

  test("a record that gets another type keeps the values that both types have", async ({ world, domainId }) => {
    const it = new Managed("DomainRecord", world.host);
    await it.up({ domainId, type: "MX", target: "mail.example.net", priority: 10 });
    const service = { service: "sip", protocol: "tcp", weight: 5, port: 5060 };
    const plan = await it.up({ domainId, type: "SRV", target: "sip.example.net", priority: 10, ...service });
    expect(plan.op).toBe("update");
    expect(world.world.domainRecords.all()).toMatchObject([{ type: "SRV", priority: 10, weight: 5, port: 5060 }]);
  });

  describe("an SRV record that gets another type", () => {
    const service = {
      type: "SRV",
      target: "sip.example.net",
      priority: 1,
      weight: 1,
      port: 5060,
      service: "sip",
    } as const;
    const address = { type: "A", target: "198.51.100.1" } as const;

    test.for([
      [{ name: "sip" }, { name: "sip" }, "sip"],
      [{ name: "sip" }, { name: "web" }, "web"],
      [{}, { name: "_sip._tcp" }, "_sip._tcp"],
      [{}, {}, ""],
    ] as const)(
      "has the name that the program declares: %j, then %j",
      async ([before, after, name], { world, domainId }) => {
        const it = new Managed("DomainRecord", world.host);
        await it.up({ domainId, ...service, ...before });
        await it.up({ domainId, ...address, ...after });
        expect(world.world.domainRecords.all()).toMatchObject([{ type: "A", name }]);
        expect(it.outs).toMatchObject({ name, fqdn: name ? `${name}.example.org` : "example.org" });
        expect(await it.refresh()).toBe("same");
      },
    );

    test.for(["cut-before", "cut-after"] as const)(
      "has the declared name if the response is lost: %s",
      async (kind, { world, domainId }) => {
        const it = new Managed("DomainRecord", world.host);
        await it.up({ domainId, ...service, name: "sip" });
        world.emulator.faults.add({ path: "domainRecords.update", kind });
        await it.up({ domainId, ...address, name: "sip" });
        expect(world.world.domainRecords.all()).toMatchObject([{ type: "A", name: "sip" }]);
      },
    );
  });

  test.for([[null], [""]])(
    "a protocol of %j is the default, and no difference",
    async ([protocol], { world, domainId }) => {
      const it = new Managed("DomainRecord", world.host);
      const sip = { domainId, type: "SRV", target: "sip", priority: 1, weight: 1, port: 5060, service: "sip" } as const;
      await it.up({ ...sip, protocol });
      expect((await it.preview({ ...sip, protocol })).op).toBe("same");
      expect(await it.refresh()).toBe("same");
      const path = { domainId, recordId: Number(it.id.split("/")[1]) };
      await world.api.domainRecords.update({ path, body: { protocol: "udp" } });
      it.reconnect(world.reconnect());
      expect(await it.refresh()).toBe("changed");
      await it.up({ ...sip, protocol });
      expect(world.world.domainRecords.all()).toMatchObject([{ protocol: "_tcp" }]);
      expect((await it.preview({ ...sip, protocol })).op).toBe("same");
    },
  );
});
