import { describe, expect, test } from "vitest";
import type { Bag } from "../../../provider/engine/values";
import { refusals } from "./refusals";

describe("Instance", () => {
  const good = { region: "us-east", type: "g6-nanode-1", image: "compute/debian11", rootPass: "correct horse" };
  const web = (inputs: Bag) => refusals("Instance", { ...good, ...inputs });

  test("rejects invalid labels", async () => {
    expect(await web({ label: "ab" })).toMatchInlineSnapshot(
      `"label: must be at least 3 characters long (given "ab")"`,
    );
    expect(await web({ label: "a".repeat(33) })).toMatchInlineSnapshot(
      `"label: must be at most 32 characters long (given "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa")"`,
    );
    expect(await web({ label: "1-web" })).toMatchInlineSnapshot(
      `"label: must start with a letter and contain only letters, digits, single dashes, single underscores and single periods (given "1-web")"`,
    );
    expect(await web({ label: "web--1" })).toMatchInlineSnapshot(
      `"label: must start with a letter and contain only letters, digits, single dashes, single underscores and single periods (given "web--1")"`,
    );
  });

  test("rejects invalid root passwords without showing them", async () => {
    expect(await web({ rootPass: undefined })).toMatchInlineSnapshot(
      `"rootPass: is required to deploy the image compute/debian11"`,
    );
    expect(await web({ rootPass: "abcdefgh" })).toMatchInlineSnapshot(
      `"["rootPass"]: must contain at least two of lower case letters, upper case letters, digits and other characters (given [secret])"`,
    );
    expect(await web({ rootPass: "Ab1" })).toMatchInlineSnapshot(
      `"["rootPass"]: must be at least 7 characters long (given [secret])"`,
    );
    expect(await web({ rootPass: 12345678 })).toMatchInlineSnapshot(
      `"["rootPass"]: must be a string (given [secret])"`,
    );
  });

  test("rejects invalid interfaces", async () => {
    const vlan = (n: number) => ({ purpose: "vlan", label: `net${n}`, ipamAddress: `10.0.${n}.1/24` });
    expect(await web({ interfaces: [vlan(1), vlan(2), vlan(3), vlan(4)] })).toMatchInlineSnapshot(
      `"["interfaces"]: must have at most 3 entries (given [{"purpose":"vlan","label":"net1","ipamAddress":"10.0.1.1/24"},{"purpose":"vlan","label":"net2","ipa…)"`,
    );
    expect(await web({ interfaces: [{ purpose: "vlan", ipamAddress: "10.0.0.1" }] })).toMatchInlineSnapshot(`
      "interfaces[0].label: is required for an interface of purpose vlan (given "")
      interfaces[0].ipamAddress: must be an IP address with a prefix length, such as 10.0.0.1/24 (given "10.0.0.1")"
    `);
    expect(await web({ interfaces: [{ purpose: "public", label: "net" }] })).toMatchInlineSnapshot(
      `"interfaces[0].label: must be empty for a public interface (given "net")"`,
    );
  });

  test("rejects unknown inputs", async () => {
    expect(await web({ taggs: ["web"] })).toMatchInlineSnapshot(
      `"["taggs"]: is not a known field; did you mean "tags"?"`,
    );
    expect(await web({ root_pass: "correct horse" })).toMatchInlineSnapshot(
      `"["root_pass"]: is not a known field; did you mean "rootPass"?"`,
    );
    expect(await web({ alerts: { cpus: 1 } })).toMatchInlineSnapshot(
      `"alerts.cpus: is not a known field; did you mean "cpu"?"`,
    );
    expect(await web({ alerts: { network_in: 1 } })).toMatchInlineSnapshot(
      `"alerts.network_in: is not a known field; did you mean "networkIn"?"`,
    );
    expect(await web({ rootPas: "planted" })).toMatchInlineSnapshot(
      `"["rootPas"]: is not a known field; did you mean "rootPass"?"`,
    );
    expect(await web({ somethingElse: 1 })).toMatchInlineSnapshot(`"["somethingElse"]: is not a known field"`);
  });
});
