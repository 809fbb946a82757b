import { X509Certificate } from "node:crypto";
import { describe, expect } from "vitest";
import { diff } from "../../../provider/engine/diff";
import { read } from "../../../provider/engine/observe";
import { kinds } from "../../../provider/resources";
import { certificates, rewritten } from "../kinds/certificates";
import { listening } from "./load-balancers";
import { test } from "./tests";

const fingerprint = (pem: string): string => new X509Certificate(pem).fingerprint;

describe("NodeBalancer, NodeBalancerConfig and NodeBalancerNode", () => {
  test("a redacted certificate is not a diff", async ({ world }) => {
    const [pair] = await certificates;
    const https = { port: 443, protocol: "https", ...pair } as const;
    const { config, declared, path } = await listening(world, https);
    expect(await world.api.nodeBalancerConfigs.view({ path })).toMatchObject({ ssl_cert: "<REDACTED>" });
    for (let times = 0; times < 3; times++) expect(await config.refresh()).toBe("same");
    expect((await config.preview(declared)).op).toBe("same");
    expect(config.outs).toMatchObject({ ...pair, sslFingerprint: fingerprint(pair.sslCert) });
    await config.up({ ...declared, algorithm: "source" });
    const sent = world.emulator.requests.list().find(({ method }) => method === "PUT");
    expect(Object.keys(sent?.body ?? {})).toEqual(["algorithm"]);
  });

  test("a certificate replaced outside Pulumi is drift, and is restored with its key", async ({ world }) => {
    const [pair, other] = await certificates;
    const https = { port: 443, protocol: "https", ...pair } as const;
    const { config, declared, path } = await listening(world, https);
    const body = { ssl_cert: other.sslCert, ssl_key: other.sslKey };
    await world.api.nodeBalancerConfigs.update({ path, body });
    expect(await config.refresh()).toBe("changed");
    const now = { sslCommonname: "example.net", sslFingerprint: fingerprint(other.sslCert) };
    expect(config.outs).toMatchObject({ ...now, sslCert: now.sslFingerprint, sslKey: now.sslFingerprint });
    expect(await config.preview(declared)).toMatchObject({ op: "update", replaces: [] });
    world.calls();
    await config.up(declared);
    expect(world.calls()).toEqual(["nodeBalancerConfigs.update"]);
    expect(world.world.nodeBalancerConfigs.get(path.configId)).toMatchObject({
      ssl_cert: pair.sslCert,
      ssl_key: pair.sslKey,
    });
    expect(await config.refresh()).toBe("same");
    // Another client replaces the certificate. If the program then declares the same new certificate, there is no
    // difference.
    await world.api.nodeBalancerConfigs.update({ path, body });
    expect(await config.refresh()).toBe("changed");
    expect((await config.preview({ ...declared, ...other })).op).toBe("same");
    expect((await config.preview({ ...declared, ...other, sslKey: rewritten(other.sslKey) })).op).toBe("same");
  });

  test("an imported config shows no certificate, and accepts one with its fingerprint", async ({ world }) => {
    const [pair, other] = await certificates;
    const { config, path } = await listening(world, { port: 443, protocol: "https", ...pair });
    const found = await read(kinds.NodeBalancerConfig, world.reconnect(), config.id, {});
    expect(found?.inputs).toMatchObject({ nodebalancer_id: path.nodeBalancerId, port: 443, protocol: "https" });
    expect(Object.keys(found?.inputs ?? {}).filter((name) => name.startsWith("ssl_"))).toEqual([]);
    const changed = ({ sslCert, sslKey }: typeof pair) =>
      diff(kinds.NodeBalancerConfig, found?.outs ?? {}, { ...found?.inputs, ssl_cert: sslCert, ssl_key: sslKey })
        .changed;
    expect(changed(pair)).toEqual([]);
    expect(changed(other)).toEqual(["ssl_cert", "ssl_key"]);
  });

  test("renews a certificate in place, or only its chain", async ({ world }) => {
    const [pair, other] = await certificates;
    const https = { port: 443, protocol: "https", ...pair } as const;
    const { config, declared, path } = await listening(world, https);
    await config.up({ ...declared, ...other });
    expect(config.outs).toMatchObject({ sslCommonname: "example.net", ...other });
    const chain = other.sslCert + pair.sslCert;
    expect(await config.up({ ...declared, ...other, sslCert: chain })).toMatchObject({ op: "update", replaces: [] });
    expect(world.world.nodeBalancerConfigs.get(path.configId)).toMatchObject({ ssl_cert: chain });
    expect(await config.refresh()).toBe("same");
  });

  test("changing from https removes certificate and key", async ({ world }) => {
    const [pair] = await certificates;
    const { config, declared } = await listening(world, { port: 443, protocol: "https", ...pair });
    const plain = { nodebalancerId: declared.nodebalancerId, port: 443, protocol: "http" } as const;
    await config.up(plain);
    expect(config.outs).toMatchObject({ sslCert: null, sslKey: null, sslFingerprint: "" });
    expect(await config.refresh()).toBe("same");
    expect((await config.preview(plain)).op).toBe("same");
  });

  test("neither a response nor an error contains a key", async ({ world }) => {
    const [pair, other] = await certificates;
    const { config, declared } = await listening(world, { port: 443, protocol: "https", ...pair });
    const wrong = { ...declared, sslKey: other.sslKey };
    const failures = await config.failures(wrong);
    expect(failures).toEqual([
      { property: '["sslKey"]', reason: "must be the private key that matches the certificate (given [secret])" },
    ]);
    expect(JSON.stringify([world.warnings, world.waits, world.emulator.requests.list()])).not.toContain("PRIVATE KEY");
  });
});
