import { oneLine, printable } from "../../../provider/client/printable";

export const escapeHtml = (text: string): string =>
  printable(text).replaceAll(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);

/** Formats an HTML attribute, with the value escaped and in quotes. */
export const attribute = (text: string): string => `"${escapeHtml(oneLine(text))}"`;
