/** Whether an address is this machine's own: nothing that is sent there can be read on the way. */
export const isLoopback = ({ hostname }: URL): boolean =>
  /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);

/** What a user should know of an address whose connections anyone on the way can read. */
export const unencrypted = (url: URL): string | undefined =>
  url.protocol === "https:" || isLoopback(url)
    ? undefined
    : `${url.origin} is not encrypted: the token and all data can be read on the way. Use https.`;

/** An address that was refused, where it can be shown: of one with an @, any part may be a password. */
export function shownAddress(text: string): string {
  if (/@|%40/.test(text)) return "it is not shown, since a password may be part of it";
  return `"${text.replace(/([?#]).*/s, "$1…")}"`;
}
