import { type Client, connect } from "../client";
import { addressOf, unencrypted } from "../client/address";
import { defaultsFor } from "../client/environment";
import { printable } from "../client/printable";
import { realTime, type Time } from "../client/time";
import type { Host } from "../engine/host";
import { kinds } from "../resources";
import { accountDescription, currentAccount } from "./account";
import { ConnectionCatalogues } from "./catalogues";
import { adoptCommand } from "./handle";
import { type RawConfig, type Settings, settingsFrom } from "./settings";

export type Messages = Pick<Host, "warn" | "progress">;

const hosts = new Map<string, Host>();

/**
 * The connection to the API for a provider configuration. Each connection is created once per process, so that all
 * resources share its rate limits and cache. In commands that do not run the program, Pulumi passes the configuration
 * of the last update, so the API address in the environment takes precedence.
 */
export function hostFor(config: RawConfig, messages: Messages, fromProgram = true): Host {
  const environmentUrl = fromProgram ? undefined : otherEnvironmentUrl(config);
  // Pulumi does not always pass the settings in the same order.
  const key = JSON.stringify([
    Object.entries(config).sort(),
    defaultsFor(config["cloudinfra:dialect"]),
    environmentUrl,
  ]);
  const host = hosts.get(key) ?? connectionFor(config, messages, environmentUrl).host;
  hosts.set(key, host);
  return host;
}

/** The API address in the environment, if it is not the configured one. */
function otherEnvironmentUrl(config: RawConfig): string | undefined {
  const { url, variables } = defaultsFor(config["cloudinfra:dialect"]);
  const configured = config["cloudinfra:url"];
  return url && variables.url && configured && addressOf(url) !== addressOf(configured) ? url : undefined;
}

/**
 * Creates a separate connection, which the caller must close. `environmentUrl` is an API address that takes precedence over
 * the configured one.
 */
export function connectionFor(
  config: RawConfig,
  messages: Messages,
  environmentUrl?: string,
): { host: Host; close(): Promise<void> } {
  const settings = settingsFrom(config, Object.keys(kinds));
  const defaults = defaultsFor(settings.dialect);
  const url = environmentUrl || settings.url || defaults.url;
  // Prefers the token from the source of the address, because the token of one service should not be sent to another.
  const token = (environmentUrl && defaults.token) || settings.token || defaults.token;
  if (!url) throw new Error(missing.url);
  if (!token) throw new Error(missing.token);
  const { rate_limit: perSecond, max_retries: max } = settings;
  const { dialect, variables } = defaults;
  const settingNames = {
    url: (url !== settings.url && variables.url) || "cloudinfra:url",
    token: (token !== settings.token && variables.token) || "cloudinfra:token",
  };
  const client = connect({
    url,
    token,
    settingNames,
    dialect,
    rateLimit: { perSecond },
    retry: max === undefined ? {} : { max },
  });
  const warning = unencrypted(new URL(url));
  if (warning) messages.warn(`${settingNames.url} ${warning}`);
  const host = hostOf(client, realTime, messages, settings);
  if (environmentUrl)
    host.warn(
      `${settingNames.url} (${host.address}) is not the address in cloudinfra:url (${addressOf(settings.url ?? "")}). Refresh (also in up --refresh) and destroy use ${settingNames.url}, up and preview use cloudinfra:url`,
    );
  return { host, close: () => client.close() };
}

/** Wraps an API client with the settings and functions that resource definitions use. */
export function hostOf(
  client: Client,
  { now, timer }: Pick<Time, "now" | "timer">,
  messages: Messages,
  settings: Host["settings"] = {},
): Host {
  const { api, reads, data, serverTime, pollSchedule, address, settingNames, tokenHas, sleep } = client;
  const withDeadline: Host["withDeadline"] = (work) => work;
  const host: Host = {
    api,
    reads,
    data,
    catalogues: new ConnectionCatalogues({ api, withDeadline }, client.names),
    account: async () => accountDescription(await currentAccount(host)),
    adoptCommand: (kind) => adoptCommand(kind, { isNative: false }),
    address,
    settingNames,
    tokenHas,
    connection: client,
    settings,
    deadline: Number.POSITIVE_INFINITY,
    grace: () => host,
    withDeadline,
    now,
    timer,
    sleep,
    serverTime,
    pollSchedule,
    warn: (message) => messages.warn(printable(message)),
    progress: (message) => messages.progress(printable(message)),
  };
  return host;
}

/** Messages for required settings that neither the stack nor the environment contains. They explain how to set them. */
const missing = {
  url:
    "cloudinfra:url is not set and the service has no default address: " +
    'run "pulumi config set cloudinfra:url URL" or set CLOUDINFRA_URL. ' +
    'To try it without an account, run "npx cloudinfra emulator" and use the address that it prints.',
  token:
    'cloudinfra:token is not set: run "pulumi config set --secret cloudinfra:token", which asks for it, or set CLOUDINFRA_TOKEN. ' +
    'The emulator accepts "emulator".',
} as const;

/** The required settings that are missing, each with an explanation of how to set it. */
export function missingSettings({
  url,
  token,
  dialect,
}: Pick<Settings, "url" | "token" | "dialect">): [keyof typeof missing, string][] {
  const defaults = defaultsFor(dialect);
  return [...(url || defaults.url ? [] : ["url" as const]), ...(token || defaults.token ? [] : ["token" as const])].map(
    (name) => [name, missing[name]],
  );
}
