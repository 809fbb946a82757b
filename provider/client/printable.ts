/** CSI and OSC sequences: what a terminal would do instead of show. */
const sequences =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: those are what must not get to a terminal.
  /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]|(?:\u001b\]|\u009d)[^\u0007\u001b\u009b-\u009d]*(?:\u0007|\u001b\\|\u009c)/g;

const separators = /[\t\p{Zl}\p{Zp}]|\r(?!\n)/gu;

/** Control and format characters, lone surrogates, and characters without a glyph. */
const unseen = /(?!\n)[\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}]/gu;

/**
 * Text from elsewhere as a terminal can show it: nothing in it steers the terminal, hides or reorders what is shown.
 */
export const printable = (text: string): string =>
  text.replace(sequences, "").replace(separators, " ").replace(unseen, "");

/** The same on one line, so that it can't pass for another message, and no longer than a message should be. */
export function oneLine(text: string, most = 1000): string {
  const line = printable(text.slice(0, 4 * most)).replace(/\s+/g, " ");
  return line.length > most ? `${line.slice(0, most)}…` : line;
}

/** JSON that means the same and holds nothing that a terminal would not show. */
export const printableJson = (json: string): string =>
  json.replace(/(?!\n)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu, (char) =>
    [...Array(char.length).keys()].map((i) => `\\u${char.charCodeAt(i).toString(16).padStart(4, "0")}`).join(""),
  );
