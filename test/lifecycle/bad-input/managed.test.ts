import { describe, expect, test } from "vitest";
import type { Bag } from "../../../provider/engine/values";
import { cloud } from "../../../testing/cloud";
import { Managed } from "../../../testing/provider";
import { refusals } from "./refusals";

describe("ManagedContact", () => {
  test("rejects invalid names, addresses and phone numbers", async () => {
    const contact = (inputs: Bag) => refusals("ManagedContact", inputs);
    expect(await contact({ name: "x", email: "unknown", group: "g" })).toMatchInlineSnapshot(`
      "name: must be at least 2 characters long (given "x")
      email: must be an email address (given "unknown")
      group: must be at least 2 characters long (given "g")"
    `);
    expect(await contact({ name: "<b>" })).toMatchInlineSnapshot(
      `"name: must contain only letters, digits, spaces, dashes and underscores (given "<b>")"`,
    );
    expect(await contact({ phone: { primary: "call me", third: "+1" } })).toMatchInlineSnapshot(`
      "phone.primary: must be a phone number such as +1 555 123 4567 (given "call me")
      phone.third: is not a known field"
    `);
  });
});

describe("ManagedCredential", () => {
  test("no message shows user name and password", async () => {
    const login = (inputs: Bag) => refusals("ManagedCredential", { label: "root", ...inputs });
    expect(await login({ username: "u".repeat(5001), password: "" })).toMatchInlineSnapshot(`
      "["password"]: must not be empty (given [secret])
      ["username"]: must be at most 5000 characters long (given [secret])"
    `);
    expect(await login({})).toMatchInlineSnapshot(`"password: is required"`);
    expect(await login({ passwrd: "Planted-1!" })).toMatchInlineSnapshot(`
      "password: is required
      ["passwrd"]: is not a known field; did you mean "password"?"
    `);
    expect(await login({ password: ["Planted-1!"] })).toMatchInlineSnapshot(
      `"["password"]: must be a string (given [secret])"`,
    );
  });

  test("an error of the API does not show user name and password either", async () => {
    await using world = await cloud();
    await world.api.managedCredentials.create({ body: { label: "root", password: "theirs" } });
    const it = new Managed("ManagedCredential", world.host);
    const rejected = it.up({ label: "root", username: "Planted-User", password: "Planted-1!" });
    await expect(rejected).rejects.toThrowErrorMatchingInlineSnapshot(
      `[ApiError: managedCredentials.create: 400 label: Label must be unique (ManagedCredential 135916 already has this label. Choose another label, or omit it to generate one. If you renamed the resource in the program, add the resource option aliases. If no resource manages that object yet, "npx cloudinfra adopt ManagedCredential NAME 135916" brings it into this stack)]`,
    );
  });
});

describe("ManagedService", () => {
  const site = { label: "site", serviceType: "url", address: "https://www.example.org/", timeout: 10 };
  const service = (inputs: Bag) => refusals("ManagedService", { ...site, ...inputs });

  test("rejects invalid addresses, limits and regions", async () => {
    expect(await service({ address: "not a host" })).toMatchInlineSnapshot(
      `"address: must be a URL or a host with or without a port (given "not a host")"`,
    );
    expect(await service({ address: "https://10.1.2.3/" })).toMatchInlineSnapshot(
      `"region: is required, because the address to monitor is a private IP address"`,
    );
    expect(await service({ region: "us-east" })).toMatchInlineSnapshot(
      `"region: must be omitted, because the address to monitor is not a private IP address (given "us-east")"`,
    );
    expect(await service({ address: "https://10.1.2.3/", region: "us-esat" })).toMatchInlineSnapshot(
      `"region: must be "ap-northeast", "ap-south", "ap-southeast", "ap-west", "ca-central", "eu-central", "eu-west", "us-central", "us-east", "us-southeast" or "us-west"; did you mean "us-east"? (given "us-esat")"`,
    );
    expect(await service({ label: "<b>", serviceType: "icmp", timeout: 256 })).toMatchInlineSnapshot(`
      "label: must contain only letters, digits, spaces, periods, dashes and underscores (given "<b>")
      serviceType: must be "url" or "tcp" (given "icmp")
      timeout: must be at most 255 (given 256)"
    `);
    expect(await service({ consultationGroup: null, credentials: [0], enabled: "yes" })).toMatchInlineSnapshot(`
      "consultationGroup: must be a string (given null)
      credentials[0]: must be at least 1 (given 0)
      enabled: must be true or false (given "yes")"
    `);
  });
});

describe("ManagedComputeSettings", () => {
  test("rejects invalid addresses and ports", async () => {
    const ssh = (inputs: Bag) => refusals("ManagedComputeSettings", { computeId: 1, ssh: inputs });
    expect(await ssh({ ip: "web", port: 0, user: "u".repeat(33), acess: true })).toMatchInlineSnapshot(`
      "ssh.user: must be at most 32 characters long (given "uuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuu")
      ssh.ip: must be an IP address or "any" (given "web")
      ssh.port: must be at least 1 (given 0)
      ssh.acess: is not a known field; did you mean "access"?"
    `);
    expect(await refusals("ManagedComputeSettings", {})).toMatchInlineSnapshot(`
      "ssh: is required
      computeId: is required"
    `);
  });
});
