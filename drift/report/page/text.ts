import { oneLine, printable } from "../../../provider/client/printable";

/** Text from outside in HTML. */
export const escapeHtml = (text: string): string =>
  printable(text).replaceAll(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);

/** A quoted attribute. */
export const attribute = (text: string): string => `"${escapeHtml(oneLine(text))}"`;
