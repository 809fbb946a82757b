import { oneLine, printable } from "../../../provider/client/printable";

/** Escapes text for HTML. */
export const escapeHtml = (text: string): string =>
  printable(text).replaceAll(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);

/** An HTML attribute with its value escaped and in quotes. */
export const attribute = (text: string): string => `"${escapeHtml(oneLine(text))}"`;
