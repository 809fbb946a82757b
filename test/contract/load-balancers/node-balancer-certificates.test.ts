import { X509Certificate } from "node:crypto";
import { expect } from "vitest";
import { test } from "../cloud";
import { proves } from "../proves";
import { backend, balancer } from "./balancer";
import { certificate } from "./certificate";

const resource = "part 3 · Resources · Load balancer config";

test("https requires a certificate and a key, and http and tcp reject both", async (one) => {
  proves(`${resource} · rule 1`);
  const nb = await balancer(one);
  const { ssl_cert, ssl_key } = await certificate("example.org");
  const rejected = (body: object) => nb.rejected("POST /configs", body);
  const required = "Is required for the protocol https";
  expect(await rejected({ protocol: "https", ssl_key })).toEqual([`ssl_cert: ${required}`]);
  expect(await rejected({ protocol: "https", ssl_cert })).toEqual([`ssl_key: ${required}`]);
  expect(await rejected({ ssl_cert, ssl_key })).toEqual([
    "ssl_cert: Must be omitted for the protocol http: only the protocol https uses a certificate",
    "ssl_key: Must be omitted for the protocol http: only the protocol https uses a certificate",
  ]);
  expect(await rejected({ protocol: "tcp", ssl_key })).toEqual([
    "ssl_key: Must be omitted for the protocol tcp: only the protocol https uses a certificate",
  ]);
  const plain = await nb.request("POST /configs", { ssl_cert: null, ssl_key: null });
  expect(await nb.rejected(`PUT /configs/${plain.id}`, { protocol: "https" })).toHaveLength(2);
  expect(await nb.rejected(`PUT /configs/${plain.id}`, { ssl_cert, ssl_key })).toHaveLength(2);
  const path = `PUT /configs/${plain.id}` as const;
  expect(await nb.request(path, { protocol: "https", ssl_cert, ssl_key })).toMatchObject({ protocol: "https" });
  expect(await nb.rejected(path, { ssl_cert: null })).toEqual([`ssl_cert: ${required}`]);
  expect(await nb.request(path, { protocol: "tcp" })).toMatchObject({
    ssl_cert: null,
    ssl_key: null,
    ssl_commonname: "",
    ssl_fingerprint: "",
  });
  expect(await nb.rejected(path, { protocol: "https" })).toHaveLength(2);
});

test(`${resource}: responses contain name and fingerprint of the certificate, but neither certificate nor key`, async (one) => {
  const nb = await balancer(one);
  const first = await certificate("example.org");
  const created = await nb.request("POST /configs", { protocol: "https", port: 443, ...first });
  const shown = (name: string, { ssl_cert }: { ssl_cert: string }) => ({
    ssl_cert: "<REDACTED>",
    ssl_key: "<REDACTED>",
    ssl_commonname: name,
    ssl_fingerprint: new X509Certificate(ssl_cert).fingerprint,
  });
  expect(created).toMatchObject(shown("example.org", first));
  const second = await certificate("example.net");
  const chain = { ssl_cert: second.ssl_cert + first.ssl_cert, ssl_key: second.ssl_key.replaceAll("\n", "\\n") };
  expect(await nb.request(`PUT /configs/${created.id}`, chain)).toMatchObject(shown("example.net", second));
  expect((await nb.request("GET /configs")).data).toMatchObject([shown("example.net", second)]);
  expect(await nb.request(`PUT /configs/${created.id}`, { algorithm: "source" })).toMatchObject(
    shown("example.net", second),
  );
  const { body: log } = await one.send("GET /_emulator/requests");
  expect(JSON.stringify(log)).not.toContain("PRIVATE KEY");
  expect(JSON.stringify(log)).toContain("[secret]");
});

test(`${resource}: certificate and key must be in PEM format and belong together`, async (one) => {
  const nb = await balancer(one);
  const [first, second] = [await certificate("example.org"), await certificate("example.net")];
  const https = { protocol: "https", ...first };
  const rejected = (body: object) => nb.rejected("POST /configs", { ...https, ...body });
  expect(await rejected({ ssl_key: second.ssl_key })).toEqual([
    "ssl_key: Must be the private key that matches the certificate",
  ]);
  expect(await rejected({ ssl_cert: first.ssl_key })).toEqual(["ssl_cert: Must be a certificate in PEM format"]);
  expect(await rejected({ ssl_key: "secret" })).toEqual([
    "ssl_key: Must be a private key in PEM format, without a passphrase",
  ]);
  const created = await nb.request("POST /configs", https);
  expect(await nb.rejected(`PUT /configs/${created.id}`, { ssl_cert: second.ssl_cert })).toEqual([
    "ssl_key: Must be the private key that matches the certificate",
  ]);
});

test(`${resource}: sending back the placeholders of certificate and key keeps both, except in another config`, async (one) => {
  const nb = await balancer(one);
  const pair = await certificate("example.org");
  const back = { ssl_cert: "<REDACTED>", ssl_key: "<REDACTED>" };
  const { id } = await nb.request("POST /configs", { protocol: "https", port: 443, ...pair });
  const stored = () => one.world.nodeBalancerConfigs.get(id);
  await nb.request(`PUT /configs/${id}`, { ...back, algorithm: "source" });
  expect(stored()).toMatchObject({ ...pair, algorithm: "source" });
  const node = { address: (await backend(one)).ip, label: "web" };
  await nb.request(`POST /configs/${id}/rebuild`, { ...back, nodes: [node] });
  expect(stored()).toMatchObject(pair);
  expect(await nb.rejected("POST /configs", { protocol: "https", ...back })).toHaveLength(2);
  const plain = await nb.request("POST /configs", { port: 80 });
  expect(await nb.rejected(`PUT /configs/${plain.id}`, { protocol: "https", ...back })).toHaveLength(2);
  await nb.rejected(`PUT /configs/${plain.id}`, back);
});
