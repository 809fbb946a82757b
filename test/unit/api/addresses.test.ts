import fc from "fast-check";
import { describe, expect, test } from "vitest";
import * as api from "../../../api";

describe("addresses", () => {
  test.each([
    ["2001:0db8::00/32", "2001:db8::/32"],
    ["2001:DB8::1/32", "2001:db8::/32"],
    ["0:0:0:0:0:0:0:0f88/128", "::f88/128"],
    ["::/0", "::/0"],
    ["::1", "::1/128"],
    ["192.0.2.17/24", "192.0.2.0/24"],
    ["192.0.2.17", "192.0.2.17/32"],
    ["0.0.0.0/0", "0.0.0.0/0"],
    ["192.0.2.0/33", undefined],
    ["192.0.2.0/024", undefined],
    ["192.0.2.0/", undefined],
    ["192.0.2.0/24/1", undefined],
    ["192.0.2", undefined],
    ["192.0.02.1", undefined],
    ["0x7f.1", undefined],
    ["fe80::1%eth0", undefined],
    ["::g/64", undefined],
    ["", undefined],
  ])("network %j becomes %j", (text, expected) => {
    expect(api.canonicalNetwork(text)).toBe(expected);
  });

  test("a canonical network stays unchanged", () => {
    const network = fc.oneof(
      fc.tuple(fc.ipV4(), fc.integer({ min: 0, max: 32 })),
      fc.tuple(fc.ipV6(), fc.integer({ min: 0, max: 128 })),
    );
    fc.assert(
      fc.property(network, ([ip, bits]) => {
        const once = api.canonicalNetwork(`${ip}/${bits}`);
        expect(once).toBeDefined();
        expect(api.canonicalNetwork(once as string)).toBe(once);
        expect(api.addressKind(ip)).toBe(ip.includes(":") ? "ipv6" : "ipv4");
      }),
    );
  });
});
