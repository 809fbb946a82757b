import { type Client, type ConnectOptions, connect } from "./client";
import { printable } from "./client/printable";
import type { Host } from "./engine";
import { Catalogues } from "./engine/catalogues";
import { kinds } from "./kinds";
import { type RawConfig, type Settings, settingsFrom } from "./settings";

/** How a head talks to the user. */
export type Talk = Pick<Host, "warn" | "progress">;

const hosts = new Map<string, Host>();

/** The connection that the configuration asks for, made once a process: all resources share its limits and reads. */
export function hostFor(config: RawConfig, talk: Talk): Host {
  const key = JSON.stringify([config, process.env.CLOUDINFRA_URL, process.env.CLOUDINFRA_TOKEN]);
  const host = hosts.get(key) ?? connectionFor(config, talk).host;
  hosts.set(key, host);
  return host;
}

/** A connection of its own, which its user closes. */
export function connectionFor(config: RawConfig, talk: Talk): { host: Host; close(): Promise<void> } {
  const settings = settingsFrom(config, Object.keys(kinds));
  const url = settings.url || process.env.CLOUDINFRA_URL;
  const token = settings.token || process.env.CLOUDINFRA_TOKEN;
  if (!url) throw new Error(NO_URL);
  if (!token) throw new Error(NO_TOKEN);
  const { rate_limit: perSecond, max_retries: max } = settings;
  const client = connect({ url, token, rateLimit: { perSecond }, retry: max === undefined ? {} : { max } });
  return { host: hostOf(client, { now: Date.now }, talk, settings), close: () => client.close() };
}

/** What the engine needs, over a client. */
export const hostOf = (
  client: Client,
  { now }: Required<Pick<ConnectOptions, "now">>,
  talk: Talk,
  settings: Settings = {},
): Host => ({
  api: client.api,
  reads: client.reads,
  serverOffset: client.serverOffset,
  ticks: client.ticks,
  catalogues: new Catalogues(client.api),
  settings,
  now,
  warn: (message) => talk.warn(printable(message)),
  progress: (message) => talk.progress(printable(message)),
});

const NO_URL =
  "cloudinfra:url is not set and the service has no default address: " +
  'run "pulumi config set cloudinfra:url URL" or set CLOUDINFRA_URL. ' +
  'To try it without an account, run "npx cloudinfra emulator" and use the address that it prints.';

const NO_TOKEN =
  'cloudinfra:token is not set: run "pulumi config set --secret cloudinfra:token TOKEN" or set CLOUDINFRA_TOKEN. ' +
  'The emulator takes "emulator".';
