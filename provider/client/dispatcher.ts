import type { Dispatcher } from "undici";
import Pool from "undici/lib/dispatcher/pool.js";
import { isLoopback } from "./address";
import { SettingError } from "./errors";

/** Maximum number of connections. More would not be faster, because the service's rate limit delays the calls. */
const CONNECTIONS = 16;

/**
 * Disables HTTP/2, because all calls would share one connection, and its interruption would lose all their responses.
 */
const limits = { connections: CONNECTIONS, allowH2: false };

const proxies = ["HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy"];

/**
 * The connections to an address. They use the proxy that the environment configures, unless the address is on this
 * machine.
 */
export function dispatcherFor(url: URL): Dispatcher {
  if (isLoopback(url) || !proxies.some((name) => process.env[name])) return new Pool(url.origin, limits);
  // The proxy support is loaded only if there is a proxy, because loading it takes twice as long as loading the
  // connection pool.
  const { EnvHttpProxyAgent } = require("undici") as typeof import("undici");
  try {
    return new EnvHttpProxyAgent({
      ...limits,
      factory: (origin, options) => new Pool(origin, { ...options, ...limits }),
    });
  } catch {
    // The message of the original error is omitted: it contains the proxy's address, which may contain a password.
    throw new SettingError(
      "url",
      "cannot be used: HTTP_PROXY and HTTPS_PROXY must be URLs such as http://proxy.example.com:3128",
    );
  }
}
