/** Whether an address belongs to this machine. Unencrypted requests to it cannot be intercepted on the network. */
export const isLoopback = ({ hostname }: URL): boolean =>
  /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);

/** A warning if the connections to an address are not encrypted. */
export const unencrypted = (url: URL): string | undefined =>
  url.protocol === "https:" || isLoopback(url)
    ? undefined
    : `${url.origin} is not encrypted: the token and all data can be intercepted. Use https.`;

/**
 * An invalid address as messages can show it. An address with an @ is not shown, because any part of it could be a
 * password.
 */
export function shownAddress(text: string): string {
  if (/@|%40/.test(text)) return "the value is not shown, because it could contain a password";
  return `it is "${text.replace(/([?#]).*/s, "$1…")}"`;
}
