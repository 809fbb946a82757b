import type { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import * as pb from "@pulumi/pulumi/proto/provider_pb";
import type { Emulator, Snapshot } from "../../emulator";
import type { Host } from "../../provider/engine/host";
import type { Bag } from "../../provider/engine/values";
import { fromStruct, toStruct } from "../../provider/plugin/values";
import { type Cloud, cloud } from "../../testing/cloud";
import { pluginFor, responseTo } from "../../testing/native-plugin";

export const otherId = "7f1c2d3e-0a1b-4c2d-9e3f4a5b6c7d8e9f";

/** The `euuid` of an emulated account. */
export const idOf = ({ world }: Pick<Emulator, "world">): string => String(world.account.all()[0]?.euuid);

/** The objects of an emulated account as a snapshot of another account, in which they have the same ids. */
export async function asAnother({ url }: Pick<Emulator, "url">, euuid = otherId): Promise<Snapshot> {
  const response = await fetch(new URL("/_emulator/state", url));
  const state = (await response.json()) as Snapshot & { tables: { account: { rows: Bag[] } } };
  const [account] = state.tables.account.rows;
  Object.assign(account ?? {}, { euuid });
  return state;
}

/**
 * Starts an emulator of another account whose objects have the same ids. With `at: "same address"`, its connections
 * show the address of the first one, as if only the token had changed.
 */
export async function otherAccount(
  first: Pick<Cloud, "emulator" | "host">,
  at: "same address" | "other address",
  euuid?: string,
): Promise<Cloud> {
  const other = await cloud({ load: await asAnother(first.emulator, euuid) });
  const shown = (host: Host): Host => (at === "same address" ? { ...host, address: first.host.address } : host);
  other.emulator.requests.clear();
  return { ...other, host: shown(other.host), reconnect: () => shown(other.reconnect()) };
}

/**
 * Starts a native plugin as Pulumi does for the commands that run the program: `up` and `preview`. `name` is that of the
 * provider, which the program has created unless it is a default one.
 */
export async function withProgram(
  host: Host,
  olds: Bag,
  name = "default",
): Promise<{ plugin: ResourceProviderClient; inputs: Bag; failures: string[] }> {
  const plugin = await pluginFor(() => host);
  const request = new pb.CheckRequest().setUrn(urnOf(name)).setOlds(toStruct(olds)).setNews(toStruct(settings));
  const response = await responseTo<pb.CheckResponse>((callback) => plugin.checkConfig(request, callback));
  const failures = response.getFailuresList().map((failure) => failure.getReason());
  const inputs = fromStruct(response.getInputs()).bag;
  if (!failures.length) await configure(plugin, inputs);
  return { plugin, inputs, failures };
}

/** Starts a native plugin as Pulumi does for `refresh` and `destroy`. `error` is that of its configuration. */
export async function withoutProgram(
  host: Host,
  inputs: Bag,
): Promise<{ plugin: ResourceProviderClient; error: string | undefined }> {
  const plugin = await pluginFor(() => host);
  const error = await configure(plugin, inputs).then(
    () => undefined,
    ({ details }: { details: string }) => details,
  );
  return { plugin, error };
}

const urnOf = (name: string): string => `urn:pulumi:test::test::pulumi:providers:cloudinfra::${name}`;
/** The settings of the provider. The connection of the tests does not depend on them. */
const settings = { url: "http://127.0.0.1:4108/v4", token: "emulator" };

const configure = (plugin: ResourceProviderClient, inputs: Bag): Promise<pb.ConfigureResponse> =>
  responseTo((callback) => plugin.configure(new pb.ConfigureRequest().setArgs(toStruct(inputs)), callback));
