/** Whether an address is this machine's own, so that unencrypted requests to it cannot be read on the network. */
export const isLoopback = ({ hostname }: URL): boolean =>
  /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);

/** A warning about an address whose connections are not encrypted. */
export const unencrypted = (url: URL): string | undefined =>
  url.protocol === "https:" || isLoopback(url)
    ? undefined
    : `${url.origin} is not encrypted: the token and all data can be read on the way. Use https.`;

/** An invalid address in a form that messages can show: any part of an address with an @ could be a password. */
export function shownAddress(text: string): string {
  if (/@|%40/.test(text)) return "it is not shown, since a password may be part of it";
  return `"${text.replace(/([?#]).*/s, "$1…")}"`;
}
