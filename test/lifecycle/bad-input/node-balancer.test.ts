import { describe, expect, test } from "vitest";
import type { Bag } from "../../../provider/engine/values";
import { certificates } from "../kinds/certificates";
import { refusals } from "./refusals";

test("NodeBalancer", async () => {
  const balancer = (inputs: Bag) => refusals("NodeBalancer", { region: "us-east", ...inputs });
  expect(await balancer({ label: "a." })).toMatchInlineSnapshot(`
    "label: must be at least 3 characters long (given "a.")
    label: must contain only letters, digits, dashes and underscores (given "a.")"
  `);
  expect(await balancer({ clientConnThrottle: 21 })).toMatchInlineSnapshot(
    `"clientConnThrottle: must be at most 20 (given 21)"`,
  );
  expect(await balancer({ tags: ["a"] })).toMatchInlineSnapshot(
    `"tags[0]: must be at least 3 characters long (given "a")"`,
  );
  expect(await balancer({ region: "us-eats" })).toMatchInlineSnapshot(
    `"region: must be "ap-northeast", "ap-south", "ap-southeast", "ap-west", "ca-central", "eu-central", "eu-west", "us-central", "us-east", "us-southeast" or "us-west"; did you mean "us-east"? (given "us-eats")"`,
  );
  expect(await balancer({ configs: [{ port: 80 }] })).toMatchInlineSnapshot(`"["configs"]: is not a known field"`);
});

describe("NodeBalancerConfig", () => {
  const config = (inputs: Bag) => refusals("NodeBalancerConfig", { nodebalancerId: 1, ...inputs });

  test("rejects invalid ports, enum values and checks", async () => {
    expect(await config({ nodebalancerId: undefined })).toMatchInlineSnapshot(`"nodebalancerId: is required"`);
    expect(await config({ nodebalancerId: "front" })).toMatchInlineSnapshot(
      `"nodebalancerId: must be a number (given "front")"`,
    );
    expect(await config({ port: 0 })).toMatchInlineSnapshot(`"port: must be at least 1 (given 0)"`);
    expect(await config({ port: "65536" })).toMatchInlineSnapshot(`"port: must be at most 65535 (given 65536)"`);
    expect(await config({ protocol: "HTTP2" })).toMatchInlineSnapshot(
      `"protocol: must be "http", "https" or "tcp" (given "HTTP2")"`,
    );
    expect(await config({ protocol: "tcp", stickiness: "http_cookie" })).toMatchInlineSnapshot(
      `"stickiness: must not be http_cookie for the protocol tcp, which has no cookies (given "http_cookie")"`,
    );
    expect(await config({ check: "http_body" })).toMatchInlineSnapshot(
      `"checkBody: is required if check is http_body (given "")"`,
    );
    expect(await config({ checkTimeout: 31, checkAttempts: 0 })).toMatchInlineSnapshot(`
      "checkTimeout: must be at most 30 (given 31)
      checkAttempts: must be at least 1 (given 0)"
    `);
    expect(await config({ checkPath: "/a b" })).toMatchInlineSnapshot(
      `"checkPath: must contain only letters, digits and the characters / . - % ? & = (given "/a b")"`,
    );
    expect(await config({ nodes: [] })).toMatchInlineSnapshot(`"["nodes"]: is not a known field"`);
  });

  test("rejects invalid certificates and keys without showing them", async () => {
    const [pair, other] = await certificates;
    const https = (inputs: Bag) => config({ protocol: "https", ...pair, ...inputs });
    expect(await https({})).toBe("");
    expect(await https({ sslCert: undefined, sslKey: undefined })).toMatchInlineSnapshot(`
      "sslCert: is required for the protocol https
      sslKey: is required for the protocol https"
    `);
    expect(await https({ sslKey: null })).toMatchInlineSnapshot(
      `"sslKey: is required for the protocol https (given [secret])"`,
    );
    expect(await https({ protocol: "tcp" })).toMatchInlineSnapshot(`
      "["sslCert"]: must be omitted for the protocol tcp: only the protocol https uses a certificate (given [secret])
      ["sslKey"]: must be omitted for the protocol tcp: only the protocol https uses a certificate (given [secret])"
    `);
    expect(await https({ sslCert: "<REDACTED>", sslKey: "<REDACTED>" })).toMatchInlineSnapshot(`
      "["sslCert"]: must be a certificate in PEM format (given [secret])
      ["sslKey"]: must be a private key in PEM format, without a passphrase (given [secret])"
    `);
    expect(await https({ sslCert: pair.sslKey, sslKey: pair.sslCert })).toMatchInlineSnapshot(`
      "["sslCert"]: must be a certificate in PEM format (given [secret])
      ["sslKey"]: must be a private key in PEM format, without a passphrase (given [secret])"
    `);
    expect(await https({ sslKey: other.sslKey })).toMatchInlineSnapshot(
      `"["sslKey"]: must be the private key that matches the certificate (given [secret])"`,
    );
  });
});

test("NodeBalancerNode", async () => {
  const node = (inputs: Bag) =>
    refusals("NodeBalancerNode", {
      nodebalancerId: 1,
      configId: 2,
      label: "web",
      address: "192.168.1.2:80",
      ...inputs,
    });
  expect(await node({})).toBe("");
  expect(await node({ configId: "1/2/" })).toMatchInlineSnapshot(`"configId: must be a number (given "1/2/")"`);
  expect(await node({ label: "a" })).toMatchInlineSnapshot(`"label: must be at least 3 characters long (given "a")"`);
  expect(await node({ label: undefined })).toMatchInlineSnapshot(`"label: is required"`);
  expect(await node({ address: "203.0.113.1:80" })).toMatchInlineSnapshot(
    `"address: must be a private IPv4 address, with or without a port, like 192.168.130.4:8080 (given "203.0.113.1:80")"`,
  );
  expect(await node({ address: "192.168.1.2:http" })).toMatchInlineSnapshot(
    `"address: must be a private IPv4 address, with or without a port, like 192.168.130.4:8080 (given "192.168.1.2:http")"`,
  );
  expect(await node({ weight: 256 })).toMatchInlineSnapshot(`"weight: must be at most 255 (given 256)"`);
  expect(await node({ mode: "off" })).toMatchInlineSnapshot(
    `"mode: must be "accept", "reject", "drain" or "backup" (given "off")"`,
  );
});
