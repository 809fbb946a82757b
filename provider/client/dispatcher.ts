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

type Variable = readonly [lowerCase: string, upperCase: string];

const forHttp: Variable = ["http_proxy", "HTTP_PROXY"];
/** The variables with the proxy for a protocol, in the order in which undici reads them. */
const proxies: Readonly<Record<string, readonly Variable[]>> = {
  "http:": [forHttp],
  "https:": [["https_proxy", "HTTPS_PROXY"], forHttp],
};

/** The name that counts: an empty value in lower case hides the variable in upper case. */
const nameOf = ([lowerCase, upperCase]: Variable): string =>
  process.env[lowerCase] === undefined ? upperCase : lowerCase;

/** The environment variable with the proxy for an address. Undefined if requests to the address use none. */
export const proxyVariable = (url: URL): string | undefined =>
  isLoopback(url) || isExcepted(url) ? undefined : proxies[url.protocol]?.map(nameOf).find((name) => process.env[name]);

/** Whether NO_PROXY lists the address. The rules are those of undici, which does not export them. */
function isExcepted({ hostname, protocol, port }: URL): boolean {
  const host = hostname.replace(/^\[(.+)\]$/, "$1").replace(/(.)\.$/, "$1");
  const entries = (process.env.no_proxy ?? process.env.NO_PROXY ?? "").toLowerCase().split(/[,\s]/).filter(Boolean);
  return entries.some((entry) => {
    const [, named = entry, ownPort] = /^(\[.+\]|[^:]+):(\d+)$/.exec(entry) ?? [];
    const name = named
      .replace(/^\[(.+)\]$/, "$1")
      .replace(/^\*?\./, "")
      .replace(/(.)\.$/, "$1");
    if (ownPort && Number(ownPort) !== Number(port || (protocol === "https:" ? 443 : 80))) return false;
    return name === "*" || (host === name && !entry.startsWith("*")) || host.endsWith(`.${name}`);
  });
}

/**
 * The connections to an address. They use the proxy that the environment configures, unless the address is on this
 * machine.
 */
export function dispatcherFor(url: URL): Dispatcher {
  if (!proxyVariable(url)) return new Pool(url.origin, limits);
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
