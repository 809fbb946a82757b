/** `ttl_sec` as programs write it: `ttlSec`. */
export const camel = (name: string): string =>
  name.replace(/(?<=.)_+([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

/** `inbound_policy` and `lkePools` as names of types: `InboundPolicy`, `LkePools`. */
export const pascal = (name: string): string =>
  name.replace(/(?:^|[^a-zA-Z0-9]+)([a-zA-Z0-9]?)/g, (_, letter: string) => letter.toUpperCase());

/**
 * `lkeClusters`, `compute_id` and `OAuthClient` as files and command lines write them: `lke-clusters`, `compute-id`,
 * `oauth-client`.
 */
export const kebab = (name: string): string =>
  name
    .replace(/(?<=[a-z0-9])[A-Z]/g, (letter) => `-${letter}`)
    .replaceAll("_", "-")
    .toLowerCase();

/** `policies`, `addresses` and `volumes` for one of them: `policy`, `address`, `volume`. */
export const singular = (name: string): string =>
  name
    .replace(/ies$/, "y")
    .replace(/sses$/, "ss")
    .replace(/(?<!s)s$/, "");
