import { type DialectName, type Translation, translationOf } from "../../api";
import { shownAddress } from "./address";
import { dispatcherFor } from "./dispatcher";
import { dialectOf, type SettingNames } from "./environment";
import { SettingError } from "./errors";
import type { RateRules } from "./interceptors/limits";
import type { RetryRules } from "./interceptors/retry-policy";
import type { Hooks, Log } from "./options";
import { realTime, type Time } from "./time";

export interface ConnectOptions extends Partial<Time> {
  /** Base URL of the API with the version, such as `https://api.example.com/v4`. */
  url: string;
  token: string;
  /** The settings that contain the address and the token, for messages. */
  settingNames?: SettingNames | undefined;
  /** The public service at the address. If omitted, the service has the names of the API documentation. */
  dialect?: DialectName | undefined;
  /** Name of the program that uses the client. Added to the header `User-Agent`. */
  userAgent?: string;
  retry?: Partial<Settings["retry"]>;
  rateLimit?: RateRules;
  log?: Log;
  hooks?: Hooks;
  /** Opens the connections to an address; tests replace it. */
  dispatcherFor?: typeof dispatcherFor;
}

/** The validated options of `connect`, with defaults. */
export interface Settings {
  url: URL;
  token: string;
  settingNames: SettingNames;
  /** The conversion of names, if the service has other names than the contract. */
  names: Translation | undefined;
  userAgent: string | undefined;
  /**
   * Retry settings. `attemptMs` limits the time of one attempt. The deadline limits the call including all attempts.
   */
  retry: RetryRules & { attemptMs: number };
  rateLimit: RateRules;
  log: Log;
  hooks: Hooks;
  time: Time;
  dispatcherFor: typeof dispatcherFor;
}

const defaultRetry: Settings["retry"] = { max: 4, firstMs: 500, longestMs: 10_000, attemptMs: 60_000 };

export function settingsOf(options: ConnectOptions): Settings {
  const { now = realTime.now, sleep = realTime.sleep, timer = realTime.timer } = options;
  const dialect = dialectOf(options.dialect);
  const { settingNames = {} } = options;
  return {
    names: dialect && translationOf(dialect),
    url: urlOf(options.url, settingNames.url),
    token: tokenOf(options.token, settingNames.token),
    settingNames,
    userAgent: options.userAgent,
    retry: { ...defaultRetry, ...options.retry },
    rateLimit: options.rateLimit ?? {},
    log: options.log ?? {},
    hooks: options.hooks ?? {},
    time: { now, sleep, timer },
    dispatcherFor: options.dispatcherFor ?? dispatcherFor,
  };
}

function urlOf(text: string, name?: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.username || url?.password) throw new SettingError("url", "must not contain a username or a password", name);
  if (!url || !/^https?:$/.test(url.protocol) || !/\/v\d+\/*$/.test(url.pathname) || url.search || url.hash) {
    throw new SettingError(
      "url",
      `must be the http or https URL of the API with its version, such as https://host/v4; ${shownAddress(text)}`,
      name,
    );
  }
  url.pathname = url.pathname.replace(/\/+$/, "");
  return url;
}

function tokenOf(text: string, name?: string): string {
  if (!text) throw new SettingError("token", "is empty", name);
  // The token itself must not be part of the message.
  if (!/^[!-~]+$/.test(text))
    throw new SettingError(
      "token",
      "contains a space, a line break or another character that is not allowed in tokens",
      name,
    );
  return text;
}
