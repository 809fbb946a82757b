/** CSI and OSC escape sequences, which a terminal executes instead of displaying. */
const sequences =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: those are what must not get to a terminal.
  /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]|(?:\u001b\]|\u009d)[^\u0007\u001b\u009b-\u009d]*(?:\u0007|\u001b\\|\u009c)/g;

const separators = /[\t\p{Zl}\p{Zp}]|\r(?!\n)/gu;

/** Control and format characters, lone surrogates, and characters without a glyph. */
const unseen = /(?!\n)[\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}]/gu;

/**
 * Makes text from other sources safe for a terminal: nothing in it can control the terminal, or hide or reorder text.
 */
export const printable = (text: string): string =>
  text.replace(sequences, "").replace(separators, " ").replace(unseen, "");

/** The same on one line and with a maximum length, so that the text cannot imitate another message. */
export function oneLine(text: string, most = 1000): string {
  const line = printable(text.slice(0, 4 * most)).replace(/\s+/g, " ");
  return line.length > most ? `${line.slice(0, most)}…` : line;
}

/** Equivalent JSON in which all characters that a terminal would not display are escaped. */
export const printableJson = (json: string): string =>
  json.replace(/(?!\n)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu, (char) =>
    [...Array(char.length).keys()].map((i) => `\\u${char.charCodeAt(i).toString(16).padStart(4, "0")}`).join(""),
  );
