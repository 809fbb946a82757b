import { X509Certificate } from "node:crypto";
import { expect } from "vitest";
import { parse } from "yaml";
import { type Cloud, cloud, messages, test } from "../cloud";
import { proves } from "../proves";
import { cluster, create, rule } from "./lke";

async function kubeconfig({ send }: Cloud, path: `/lke/clusters/${number}`) {
  const { body } = await send(`GET ${path}/kubeconfig`);
  const text = Buffer.from(body.kubeconfig, "base64").toString();
  const file = parse(text);
  return { text, file, server: file.clusters[0].cluster.server, token: file.users[0].user.token };
}

const authority = (file: { clusters: { cluster: Record<string, string> }[] }) =>
  new X509Certificate(Buffer.from(file.clusters[0]?.cluster["certificate-authority-data"] as string, "base64"));

test("the kubeconfig returns an error until it is available", async (one) => {
  proves(rule(1));
  const { send } = one;
  const { body } = await create(one);
  const path = `/lke/clusters/${body.id}` as const;
  const requested = () => Promise.all([send(`GET ${path}/kubeconfig`), send(`GET ${path}/api-endpoints`)]);
  one.advance(119_999);
  const [file, endpoints] = await requested();
  for (const response of [file, await send(`DELETE ${path}/kubeconfig`)]) {
    expect(messages(response, 503)).toEqual(["Cluster kubeconfig is not yet available. Please try again later."]);
  }
  expect(messages(endpoints, 503)).toEqual(["Cluster API Endpoints are not yet available. Please try again later."]);
  one.advance(1);
  expect((await requested()).map(({ status }) => status)).toEqual([200, 200]);
});

test("the kubeconfig contains the endpoint, the cluster's certificate authority and a token", async (one) => {
  const { path, id } = await cluster(one);
  const { file, server, token } = await kubeconfig(one, path);
  expect(file).toMatchObject({ apiVersion: "v1", kind: "Config", "current-context": `lke${id}-ctx` });
  expect(file.contexts[0].context).toMatchObject({ cluster: file.clusters[0].name, user: file.users[0].name });
  const endpoints = (await one.send(`GET ${path}/api-endpoints`)).body.data;
  expect(endpoints.map(({ endpoint }: { endpoint: string }) => endpoint)).toContain(server);
  expect(server).toMatch(/^https:\/\/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}\.us-east\.lke\.cloudinfra\.example:443$/);
  expect(token).toMatch(/^[\da-f]{64}$/);
  const certificate = authority(file);
  expect(certificate).toMatchObject({ ca: true, subject: `CN=lke${id}`, issuer: `CN=lke${id}` });
  expect(certificate.publicKey.asymmetricKeyType).toBe("ed25519");
  expect(certificate.verify(certificate.publicKey)).toBe(true);
  expect(certificate.checkIssued(certificate)).toBe(true);
  expect(new Date(certificate.validFrom).getTime()).toBe(Date.UTC(2022, 0, 1));
  expect(new Date(certificate.validTo).getTime()).toBe(Date.UTC(2032, 0, 1));
  const other = await cluster(one, [], { label: "other" });
  const otherFile = await kubeconfig(one, other.path);
  expect(otherFile.token).not.toBe(token);
  expect(authority(otherFile.file).fingerprint256).not.toBe(certificate.fingerprint256);
});

test("the same seed and requests produce the same kubeconfig, and another seed another one", async () => {
  const files = [];
  for (const seed of [7, 7, 8]) {
    await using one = await cloud({ seed });
    files.push((await kubeconfig(one, (await cluster(one)).path)).text);
  }
  expect(files[1]).toBe(files[0]);
  expect(files[2]).not.toBe(files[0]);
});

test("a deleted kubeconfig is replaced by one with another token and the same certificate authority", async (one) => {
  const { path } = await cluster(one);
  const before = await kubeconfig(one, path);
  expect((await kubeconfig(one, path)).text).toBe(before.text);
  expect(await one.send(`DELETE ${path}/kubeconfig`)).toMatchObject({ status: 200, body: {} });
  const after = await kubeconfig(one, path);
  expect(after.token).not.toBe(before.token);
  expect(after.text.replace(after.token, before.token)).toBe(before.text);
  const log = JSON.stringify(one.requests.list());
  for (const secret of [before.token, after.token]) expect(log).not.toContain(secret);
});
