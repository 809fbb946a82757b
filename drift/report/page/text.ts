import { oneLine, reportLine } from "../../../provider/client/printable";

export const escapeHtml = (text: string): string =>
  reportLine(text).replaceAll(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);

/** Formats the value of an HTML attribute, escaped and in double quotes. */
export const attribute = (text: string): string => `"${escapeHtml(oneLine(text))}"`;
