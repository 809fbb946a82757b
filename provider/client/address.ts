/** Whether an address belongs to this machine. Unencrypted requests to it cannot be intercepted on the network. */
export const isLoopback = ({ hostname }: URL): boolean =>
  /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);

/** Whether an address, which may be invalid, belongs to this machine. */
export const isLocal = (address: string): boolean => URL.canParse(address) && isLoopback(new URL(address));

/**
 * A warning that connections to the address are not encrypted. Undefined for https, and for addresses of this machine.
 */
export const unencrypted = (url: URL): string | undefined =>
  url.protocol === "https:" || isLoopback(url)
    ? undefined
    : `${url.origin} is not encrypted: the token and all data can be intercepted. Use https.`;

/**
 * A text that describes an invalid address in an error message. An address with an @ is not shown, because any part of
 * it could be a password.
 */
export function shownAddress(text: string): string {
  if (/@|%40/.test(text)) return "the value is not shown, because it could contain a password";
  return `it is "${text.replace(/([?#]).*/s, "$1…")}"`;
}

/** An API address without credentials and query, so that two notations of the same address are equal. */
export function addressOf(text: string): string {
  if (!URL.canParse(text)) return "not an address";
  const { origin, pathname } = new URL(text);
  return `${origin}${pathname.replace(/\/+$/, "")}`;
}
