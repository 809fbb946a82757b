import { type Client, type ConnectOptions, connect } from "./client";
import type { Host } from "./engine";
import { Catalogues } from "./engine/catalogues";

/** Where settings come from: Pulumi's configuration as a head sees it. */
export interface Settings {
  get(key: string): string | undefined;
}

/** How a head talks to the user. */
export type Talk = Pick<Host, "warn" | "progress">;

const hosts = new Map<string, Host>();

/** The connection that the settings name, made once a process: all resources share its limits and reads. */
export function hostFor(settings: Settings | undefined, talk: Talk): Host {
  const url = setting(settings, "url", "CLOUDINFRA_URL", NO_URL);
  const token = setting(settings, "token", "CLOUDINFRA_TOKEN", NO_TOKEN);
  const key = JSON.stringify([url, token]);
  const host = hosts.get(key) ?? hostOf(connect({ url, token }), { now: Date.now }, talk);
  hosts.set(key, host);
  return host;
}

/** What the engine needs, over a client. */
export const hostOf = (client: Client, { now }: Required<Pick<ConnectOptions, "now">>, talk: Talk): Host => ({
  api: client.api,
  reads: client.reads,
  serverOffset: client.serverOffset,
  ticks: client.ticks,
  catalogues: new Catalogues(client.api),
  now,
  ...talk,
});

function setting(settings: Settings | undefined, name: string, env: string, missing: string): string {
  const value = settings?.get(`cloudinfra:${name}`) || process.env[env];
  if (!value) throw new Error(missing);
  return value;
}

const NO_URL =
  "cloudinfra:url is not set and the service has no default address: " +
  'run "pulumi config set cloudinfra:url URL" or set CLOUDINFRA_URL. ' +
  'To try it without an account, run "npx cloudinfra emulator" and use the address that it prints.';

const NO_TOKEN =
  'cloudinfra:token is not set: run "pulumi config set --secret cloudinfra:token TOKEN" or set CLOUDINFRA_TOKEN. ' +
  'The emulator takes "emulator".';
