import type { Dispatcher } from "undici";
import Pool from "undici/lib/dispatcher/pool.js";
import { isLoopback } from "./address";
import { SettingError } from "./errors";

/** More would only wait at the service's rate limit. */
const CONNECTIONS = 16;

/** With one shared connection, as in HTTP/2, one cut would lose the responses of all calls in progress. */
const limits = { connections: CONNECTIONS, allowH2: false };

/** Where the environment names a proxy. */
const proxies = ["HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy"];

/** The connections to an address: by way of the proxy that the environment names, if any, except on this machine. */
export function dispatcherFor(url: URL): Dispatcher {
  if (isLoopback(url) || !proxies.some((name) => process.env[name])) return new Pool(url.origin, limits);
  // Loaded only for a proxy: it takes twice as long as a pool.
  const { EnvHttpProxyAgent } = require("undici") as typeof import("undici");
  try {
    return new EnvHttpProxyAgent({
      ...limits,
      factory: (origin, options) => new Pool(origin, { ...options, ...limits }),
    });
  } catch {
    // The error itself quotes the address, which may hold a password.
    throw new SettingError(
      "url",
      "cannot be reached: HTTP_PROXY and HTTPS_PROXY must be addresses like http://proxy.example.com:3128",
    );
  }
}
