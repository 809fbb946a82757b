/** Whether an address is this machine's own: nothing that is sent there can be read on the way. */
export const isLoopback = ({ hostname }: URL): boolean =>
  /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);

/** A warning about an address whose connections are not encrypted. */
export const unencrypted = (url: URL): string | undefined =>
  url.protocol === "https:" || isLoopback(url)
    ? undefined
    : `${url.origin} is not encrypted: the token and all data can be read on the way. Use https.`;

/** An invalid address for a message: any part of an address with an @ may be a password. */
export function shownAddress(text: string): string {
  if (/@|%40/.test(text)) return "it is not shown, since a password may be part of it";
  return `"${text.replace(/([?#]).*/s, "$1…")}"`;
}
