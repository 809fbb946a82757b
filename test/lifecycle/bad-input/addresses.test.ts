import { expect, test } from "vitest";
import { refusals } from "./refusals";

test("ReverseDns", async () => {
  const named = (rdns: string) => refusals("ReverseDns", { address: "192.0.2.1", rdns });
  for (const rdns of ["", "mail", "192.0.2.1", "a b.example.org"])
    expect(await named(rdns)).toBe(
      `rdns: must be a full host name, such as mail.example.org (given ${JSON.stringify(rdns)})`,
    );
  expect(await refusals("ReverseDns", { address: "192.0.2.256", rdns: "mail.example.org" })).toMatchInlineSnapshot(
    `"address: must be an IPv4 or IPv6 address (given "192.0.2.256")"`,
  );
  expect(await refusals("ReverseDns", { address: "192.0.2.1" })).toMatchInlineSnapshot(`"rdns: is required"`);
});

test("InstanceIp", async () => {
  const ip = (inputs: object) => refusals("InstanceIp", { computeId: 7, ...inputs });
  expect(await ip({ type: "ipv6" })).toMatchInlineSnapshot(
    `"type: Only addresses of type ipv4 are currently supported. (given "ipv6")"`,
  );
  expect(await ip({ public: false, rdns: "mail.example.org" })).toMatchInlineSnapshot(
    `"rdns: must be omitted for a private address, which does not have reverse DNS (given "mail.example.org")"`,
  );
  expect(await ip({ rdns: "mail" })).toMatchInlineSnapshot(
    `"rdns: must be a full host name, such as mail.example.org (given "mail")"`,
  );
  expect(await ip({ computeId: "web" })).toMatchInlineSnapshot(`"computeId: must be a number (given "web")"`);
});

test("IpAssignment and IpSharing", async () => {
  const assigned = (...assignments: object[]) => refusals("IpAssignment", { region: "us-east", assignments });
  expect(await assigned()).toMatchInlineSnapshot(`"["assignments"]: must have at least 1 entry (given [])"`);
  expect(await assigned({ address: "2001:db8::1", computeId: 7 })).toMatchInlineSnapshot(
    `"assignments[0].address: must be an IPv4 address (given "2001:db8::1")"`,
  );
  expect(
    await assigned({ address: "192.0.2.1", computeId: 7 }, { address: "192.0.2.1", computeId: 8 }),
  ).toMatchInlineSnapshot(`"assignments[1].address: must not be listed twice: 192.0.2.1 (given "192.0.2.1")"`);
  expect(
    await refusals("IpAssignment", { region: "us-esat", assignments: [{ address: "192.0.2.1", computeId: 7 }] }),
  ).toMatchInlineSnapshot(
    `"region: must be "ap-northeast", "ap-south", "ap-southeast", "ap-west", "ca-central", "eu-central", "eu-west", "us-central", "us-east", "us-southeast" or "us-west"; did you mean "us-east"? (given "us-esat")"`,
  );
  expect(await refusals("IpSharing", { computeId: 7, ips: ["2001:db8::1"] })).toMatchInlineSnapshot(
    `"ips[0]: must be an IPv4 address (given "2001:db8::1")"`,
  );
  expect(await refusals("IpSharing", { computeId: 7 })).toMatchInlineSnapshot(`"ips: is required"`);
});

test("Ipv6Range", async () => {
  for (const range of ["192.0.2.0", "2001:db8:0:1::5", "2001:db8:0:1::/56", "2001:db8:0:1::/64/64"])
    expect(await refusals("Ipv6Range", { range })).toBe(
      `range: must be the first address of a /64, such as 2001:db8:0:100:: or 2001:db8:0:100::/64 (given "${range}")`,
    );
});

test("VolumeAttachment", async () => {
  expect(await refusals("VolumeAttachment", { volumeId: 0 })).toMatchInlineSnapshot(`
    "volumeId: must be at least 1 (given 0)
    computeId: is required"
  `);
});
