/** Converts the API's name of a field to the property name in Pulumi programs: `ttl_sec` becomes `ttlSec`. */
export const camel = (name: string): string =>
  name.replace(/(?<=.)_+([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

/** Converts a name to the name of a type: `inbound_policy` and `lkePools` become `InboundPolicy` and `LkePools`. */
export const pascal = (name: string): string =>
  name.replace(/(?:^|[^a-zA-Z0-9]+)([a-zA-Z0-9]?)/g, (_, letter: string) => letter.toUpperCase());

/**
 * Converts a name to kebab case, as in file names and on command lines: `lkeClusters` and `OAuthClient` become
 * `lke-clusters` and `oauth-client`.
 */
export const kebab = (name: string): string =>
  name
    .replace(/(?<=[a-z0-9])[A-Z]/g, (letter) => `-${letter}`)
    .replaceAll("_", "-")
    .toLowerCase();

/** The singular of a name: `policies`, `addresses` and `volumes` become `policy`, `address` and `volume`. */
export const singular = (name: string): string =>
  name
    .replace(/ies$/, "y")
    .replace(/sses$/, "ss")
    .replace(/(?<!s)s$/, "");
