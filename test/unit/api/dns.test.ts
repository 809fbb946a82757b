import fc from "fast-check";
import { describe, expect, test } from "vitest";
import * as api from "../../../api";

describe("DNS times", () => {
  test.each([
    [0, 0],
    [1, 300],
    [300, 300],
    [301, 3600],
    [86401, 172800],
    [2419200, 2419200],
    [9999999, 2419200],
  ])("of a domain: %i becomes %i", (value, stored) => {
    expect(api.roundTtlUp(value)).toBe(stored);
  });

  test.each([
    [0, 0],
    [30, 300],
    [1949, 300],
    [1950, 3600],
    [1951, 3600],
    [5400, 7200],
    [5399, 3600],
    [100000, 86400],
    [9999999, 2419200],
  ])("of a record: %i becomes %i", (value, stored) => {
    expect(api.roundTtl(value)).toBe(stored);
  });

  test("a rounded time stays unchanged", () => {
    fc.assert(
      fc.property(fc.nat(), (seconds) => {
        for (const round of [api.roundTtl, api.roundTtlUp]) expect(round(round(seconds))).toBe(round(seconds));
      }),
    );
  });
});

describe("DNS names", () => {
  test.each([
    ["", ""],
    ["@", ""],
    ["example.org", ""],
    ["Example.ORG.", ""],
    ["www", "www"],
    ["WWW.example.org", "www"],
    ["www.example.org.", "www"],
    ["a.b", "a.b"],
    ["notexample.org", "notexample.org"],
    ["*.dev", "*.dev"],
    ["www.example.com.", "www.example.com."],
  ])("%j in example.org becomes %j", (name, expected) => {
    expect(api.canonicalName(name, "example.org")).toBe(expected);
    expect(api.canonicalName(expected, "example.org.")).toBe(expected);
  });

  test.each([
    ["", undefined],
    ["*", undefined],
    ["*.dev", undefined],
    ["_dmarc", undefined],
    ["www.example.org.", undefined],
    ["www.example.com.", /must be a name in example\.org/],
    ["a..b", /must consist of labels/],
    ["-a", /must consist of labels/],
    ["a b", /must consist of labels/],
    ["a".repeat(64), /must consist of labels/],
  ])("%j in example.org: %s", (name, problem) => {
    const reason = api.nameProblem(name, "example.org");
    if (problem) expect(reason).toMatch(problem);
    else expect(reason).toBeUndefined();
  });

  test.each([
    ["sip", null, "_sip._tcp"],
    ["_sip", "udp", "_sip._udp"],
    ["_SIP.", "_UDP", "_sip._udp"],
  ])("service %j over %j becomes %j", (service, protocol, expected) => {
    expect(api.srvName(service, protocol)).toBe(expected);
  });

  test.each([
    ["A", "192.0.2.1", "192.0.2.1"],
    ["A", "[remote_addr]", "[remote_addr]"],
    ["AAAA", "2001:0DB8::0:1", "2001:db8::1"],
    ["CNAME", "WWW.Example.com.", "www.example.com"],
    ["MX", "", ""],
    ["SRV", "sip", "sip.example.org"],
    ["SRV", "sip.example.com.", "sip.example.com"],
    ["TXT", "V=SPF1 -all.", "V=SPF1 -all."],
    ["CAA", "https://CA.example/", "https://CA.example/"],
  ])("target of %s: %j becomes %j", (type, target, expected) => {
    expect(api.canonicalTarget(type, target, "example.org")).toBe(expected);
    expect(api.canonicalTarget(type, expected, "example.org")).toBe(expected);
  });
});
