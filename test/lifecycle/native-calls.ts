import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import * as pb from "@pulumi/pulumi/proto/provider_pb";
import { test as vitest } from "vitest";
import type { Settings } from "../../provider/engine/host";
import { Journal } from "../../provider/plugin/journal";
import { Service } from "../../provider/plugin/service";
import { type Secrets, toStruct } from "../../provider/plugin/values";
import { cloud } from "../../testing/cloud";
import { emptyJournal, pluginFor, responseTo } from "../../testing/native-plugin";
import { fresh } from "../fresh";

export const urnOf = (kind: string, name: string): string => `urn:pulumi:test::test::cloudinfra:index:${kind}::${name}`;

export const volume = { label: "data", region: "us-east", size: 20 };

export const create = (
  client: ResourceProviderClient,
  kind: string,
  inputs: object,
  { preview = false, secrets = {} as Secrets, name = "data" } = {},
) => {
  const request = new pb.CreateRequest().setUrn(urnOf(kind, name)).setPreview(preview);
  request.setProperties(toStruct({ ...inputs }, secrets));
  return responseTo<pb.CreateResponse>((response) => client.create(request, response));
};

export const read = (client: ResourceProviderClient, kind: string, id: string) =>
  responseTo<pb.ReadResponse>((response) =>
    client.read(new pb.ReadRequest().setUrn(urnOf(kind, "data")).setId(id), response),
  );

export const check = (client: ResourceProviderClient, kind: string, inputs: object, secrets: Secrets = {}) => {
  const request = new pb.CheckRequest().setUrn(urnOf(kind, "data")).setNews(toStruct({ ...inputs }, secrets));
  return responseTo<pb.CheckResponse>((response) => client.check(request, response));
};

export const diff = (
  client: ResourceProviderClient,
  id: string,
  { kind = "Volume", name = "data", inputs = volume as object, news = undefined as object | undefined } = {},
) => {
  const state = () => toStruct({ ...inputs });
  const request = new pb.DiffRequest().setUrn(urnOf(kind, name)).setId(id).setOlds(state());
  request.setNews(toStruct({ ...(news ?? inputs) }));
  return responseTo<pb.DiffResponse>((response) => client.diff(request.setOldInputs(state()), response));
};

/** A plugin that connects to the service of its configuration, and shows no messages. */
export const unconfigured = (): Service =>
  new Service(
    () => ({ messagesFor: () => ({ warn: () => {}, progress: () => {} }), inform: () => {} }),
    undefined,
    emptyJournal,
  );

/**
 * Starts an emulator, and returns functions to start native plugins with empty caches, as new processes would. All
 * plugins use one journal, a folder with a file for each create request that is not yet confirmed, which names the
 * account by its `accountId`.
 */
export async function stage(settings: Settings = {}) {
  const account = await cloud({ settings });
  const folder = await mkdtemp(join(tmpdir(), "journal-"));
  return {
    ...account,
    folder,
    entries: () => readdir(folder),
    journal: () => new Journal(folder),
    accountId: String(account.world.account.all()[0]?.euuid),
    start: async (more: object = {}) => {
      const host = account.reconnect();
      const client = await pluginFor(() => host, new Journal(folder));
      const settings = toStruct({ url: account.emulator.url, token: account.emulator.token, ...more });
      await responseTo((response) => client.configure(new pb.ConfigureRequest().setArgs(settings), response));
      return client;
    },
    async [Symbol.asyncDispose]() {
      await account[Symbol.asyncDispose]();
      await rm(folder, { recursive: true });
    },
  };
}

/** Tests that each have an account of their own, `it`, and a folder for the journal of its plugins. */
export const test = vitest.extend("it", fresh(stage));
