import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import * as pb from "@pulumi/pulumi/proto/provider_pb";
import { expect, test as vitest } from "vitest";
import { UNKNOWN } from "../../provider/engine/values";
import { fromStruct, toStruct } from "../../provider/plugin/values";
import { cloud } from "../../testing/cloud";
import { pluginFor, responseTo } from "../../testing/native-plugin";
import { fresh } from "../fresh";
import { create, urnOf } from "./native-calls";

const test = vitest.extend("it", fresh(plugin));

async function plugin() {
  const account = await cloud();
  const client = await pluginFor(() => account.host);
  return { ...account, client };
}

const call = async (client: ResourceProviderClient, tok: string, id: string) => {
  const self = {
    "4dabf18193072939515e22adb298388d": "5cf8f73096256a8f31e491e813e4eb8e",
    urn: urnOf("LkeCluster", "apps"),
    id,
  };
  const request = new pb.CallRequest().setTok(tok).setArgs(toStruct({ __self__: self }));
  return fromStruct((await responseTo<pb.CallResponse>((callback) => client.call(request, callback))).getReturn());
};

test("ids that the state has as numbers show no change in a diff, and stay numbers in a refresh", async ({ it }) => {
  const domain = await it.api.domains.create({
    body: { domain: "example.org", type: "master", soa_email: "a@example.org" },
  });
  const inputs = { domainId: domain.id, type: "A", name: "www", target: "192.0.2.1" };
  const created = await create(it.client, "DomainRecord", inputs);
  const outs = fromStruct(created.getProperties()).bag;
  expect(outs.domainId).toBe(String(domain.id));
  for (const domainId of [domain.id, String(domain.id)]) {
    const state = { ...outs, domainId };
    const about = { urn: urnOf("DomainRecord", "data"), id: created.getId() };
    const diff = new pb.DiffRequest().setUrn(about.urn).setId(about.id).setOlds(toStruct(state));
    diff.setOldInputs(toStruct({ ...inputs, domainId })).setNews(toStruct({ ...inputs, domainId: String(domain.id) }));
    const { DIFF_NONE } = pb.DiffResponse.DiffChanges;
    expect((await responseTo<pb.DiffResponse>((callback) => it.client.diff(diff, callback))).getChanges()).toBe(
      DIFF_NONE,
    );
    const read = new pb.ReadRequest().setUrn(about.urn).setId(about.id).setProperties(toStruct(state));
    const found = await responseTo<pb.ReadResponse>((callback) =>
      it.client.read(read.setInputs(toStruct({ ...inputs, domainId })), callback),
    );
    expect(fromStruct(found.getProperties()).bag).toEqual(state);
    expect(fromStruct(found.getInputs()).bag.domainId).toBe(domainId);
  }
});

test("the plugin returns the package's schema with its version", async ({ it }) => {
  const response = await responseTo<pb.GetSchemaResponse>((callback) =>
    it.client.getSchema(new pb.GetSchemaRequest(), callback),
  );
  const [schema, { version }] = ["schema.json", "package.json"].map((file) =>
    JSON.parse(readFileSync(join(__dirname, "../..", file), "utf8")),
  );
  expect(JSON.parse(response.getSchema())).toEqual({ ...schema, version });
});

test("ids in the results of functions are strings", async ({ it }) => {
  const { id } = await it.api.volumes.create({ body: { label: "data", region: "us-east", size: 20 } });
  const request = new pb.InvokeRequest().setTok("cloudinfra:index:listVolumes").setArgs(toStruct({}));
  const result = await responseTo<pb.InvokeResponse>((callback) => it.client.invoke(request, callback));
  expect(fromStruct(result.getReturn()).bag).toMatchObject({ volumes: [{ id: String(id), size: 20 }] });
});

test("a method returns the same as the function with the object's id", async ({ it }) => {
  const { id } = await it.api.firewalls.create({
    body: { label: "web", rules: { inbound_policy: "DROP", outbound_policy: "ACCEPT" } },
  });
  const method = "cloudinfra:index:Firewall/getRules";
  expect((await call(it.client, method, String(id))).bag).toMatchObject({ inboundPolicy: "DROP", inbound: [] });
  await expect(call(it.client, method, "4711")).rejects.toThrow("getFirewallRules: no object with firewallId 4711");
  await expect(call(it.client, "cloudinfra:index:Firewall/getNothing", "1")).rejects.toThrow("has no method");
});

test("a preview does not call methods of new resources, and keeps their secrets secret", async ({ it }) => {
  const found = await call(it.client, "cloudinfra:index:LkeCluster/getKubeconfig", UNKNOWN);
  expect(found.bag).toMatchObject({ kubeconfig: UNKNOWN });
  expect(found.secrets).toMatchObject({ kubeconfig: true });
});
