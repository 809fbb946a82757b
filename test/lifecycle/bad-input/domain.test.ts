import { describe, expect, test } from "vitest";
import type { Bag } from "../../../provider/engine/values";
import { cloud } from "../../../testing/cloud";
import { Managed } from "../../../testing/provider";
import { refusals } from "./refusals";

describe("Domain and DomainRecord", () => {
  const record = (inputs: Bag) => refusals("DomainRecord", { domainId: 1, ...inputs });

  test("requires the inputs of each type of domain", async () => {
    expect(await refusals("Domain", { domain: "example.org", type: "master" })).toMatchInlineSnapshot(
      `"soaEmail: is required for a master domain"`,
    );
    expect(await refusals("Domain", { domain: "example.org", type: "slave" })).toMatchInlineSnapshot(
      `"masterIps: must contain at least one server for a slave domain"`,
    );
    expect(
      await refusals("Domain", { domain: "no domain", type: "primary", soaEmail: "me", masterIps: ["1.2.3"] }),
    ).toMatchInlineSnapshot(`
      "domain: must be a domain name like example.org: labels of at most 63 letters, digits, dashes or underscores each, without a dash at their ends, and a top-level domain (given "no domain")
      type: must be "master" or "slave" (given "primary")
      soaEmail: must be an email address (given "me")
      masterIps[0]: must be an IPv4 or IPv6 address (given "1.2.3")"
    `);
  });

  test("rejects contradictory sources of a domain", async () => {
    const copy = (inputs: Bag) => refusals("Domain", { domain: "example.org", type: "master", ...inputs });
    expect(await copy({ cloneFrom: 1 })).toBe("");
    expect(await copy({ cloneFrom: 1, importFrom: "ns1.example.net" })).toMatchInlineSnapshot(
      `"importFrom: must be omitted if cloneFrom is set: a domain has only one source (given "ns1.example.net")"`,
    );
    expect(await copy({ type: "slave", importFrom: "ns1.example.net" })).toMatchInlineSnapshot(
      `"type: must be "master" if importFrom is set: a slave domain copies its records from its masters (given "slave")"`,
    );
    expect(await copy({ cloneFrom: "example.net" })).toMatchInlineSnapshot(
      `"cloneFrom: must be a number (given "example.net")"`,
    );
    expect(await copy({ importFrom: "" })).toMatchInlineSnapshot(`"importFrom: must not be empty (given "")"`);
  });

  test("requires valid targets for each type of record", async () => {
    expect(await record({ type: "A", target: "example.net" })).toMatchInlineSnapshot(
      `"target: must be an IPv4 address, or [remote_addr] for the address of the client (given "example.net")"`,
    );
    expect(await record({ type: "AAAA", target: "192.0.2.1" })).toMatchInlineSnapshot(
      `"target: must be an IPv6 address (given "192.0.2.1")"`,
    );
    expect(await record({ type: "SRV", target: "sip.example.net" })).toMatchInlineSnapshot(`
      "priority: is required for a record of type SRV
      weight: is required for a record of type SRV
      port: is required for a record of type SRV
      service: is required for a record of type SRV"
    `);
    expect(await record({ type: "CNAME", target: "localhost" })).toMatchInlineSnapshot(`
      "target: must be a full host name like mail.example.org (given "localhost")
      name: is required for a record of type CNAME"
    `);
    expect(await record({ type: "CAA", target: "ca.example.net" })).toMatchInlineSnapshot(
      `"tag: is required for a record of type CAA"`,
    );
    expect(await record({ type: "MX", target: "mail.example.net", port: 25 })).toMatchInlineSnapshot(
      `"port: must be omitted for a record of type MX; only SRV records have it (given 25)"`,
    );
    expect(await record({ type: "TXT" })).toMatchInlineSnapshot(`"target: is required for a record of type TXT"`);
    expect(await record({ type: "SPF", target: "v=spf1" })).toMatchInlineSnapshot(
      `"type: must be "A", "AAAA", "NS", "MX", "CNAME", "TXT", "SRV", "PTR" or "CAA" (given "SPF")"`,
    );
  });

  test("rejects inputs that do not apply to the type of the record", async () => {
    const www = { type: "A", target: "192.0.2.1" };
    expect(await record({ ...www, priority: 50 })).toMatchInlineSnapshot(
      `"priority: must be omitted for a record of type A; only MX and SRV records have it (given 50)"`,
    );
    expect(await record({ ...www, priority: 0, service: null })).toBe("");
  });

  test("rounds a time that the API does not support, with a warning", async () => {
    await using world = await cloud();
    const www = { domainId: 1, type: "A", name: "www", target: "192.0.2.1" } as const;
    const zone = { domain: "example.org", type: "master", soaEmail: "me@example.org", retrySec: 7200 } as const;
    const own = await new Managed("DomainRecord", world.host, "www").preview({ ...www, ttlSec: 0 });
    expect([own.inputs.ttlSec, world.warnings]).toEqual([0, []]);
    const record = await new Managed("DomainRecord", world.host, "www").preview({ ...www, ttlSec: 5000 });
    const domain = await new Managed("Domain", world.host, "org").preview({ ...zone, ttlSec: 301 });
    expect([record.inputs.ttlSec, domain.inputs.ttlSec, domain.inputs.retrySec]).toEqual([3600, 3600, 7200]);
    expect(world.warnings.join("\n")).toMatchInlineSnapshot(`
      "www: ttlSec 5000 will be rounded to 3600, the nearest value the service supports
      org: ttlSec 301 will be rounded to 3600, the nearest value the service supports"
    `);
  });
});
