/** CSI and OSC escape sequences, which a terminal executes instead of displaying. */
const sequences =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters must be removed
  /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]|(?:\u001b\]|\u009d)[^\u0007\u001b\u009b-\u009d]*(?:\u0007|\u001b\\|\u009c)/g;

const separators = /[\t\p{Zl}\p{Zp}]|\r(?!\n)/gu;

/** Characters that cannot be seen, except line feeds: control, format and ignorable characters, and lone surrogates. */
const invisible = /(?!\n)[\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}]/gu;

/**
 * Makes text from other sources safe for a terminal, so that it cannot control the terminal or hide or reorder text.
 */
export const printable = (text: string): string =>
  text.replace(sequences, "").replace(separators, " ").replace(invisible, "");

/** Makes text safe for a terminal, on one line and with a maximum length, so that it cannot imitate another message. */
export function oneLine(text: string, maxLength = 1000): string {
  const line = printable(text.slice(0, 4 * maxLength)).replace(/\s+/g, " ");
  return line.length > maxLength ? `${line.slice(0, maxLength)}…` : line;
}

/**
 * Makes text safe for a line of a report: it stays on one line, and CI systems do not execute it. GitHub Actions runs
 * lines that begin with `::`, and Azure Pipelines, TeamCity and older runners run `##[…]` and `##vso[…]` anywhere.
 */
export const reportLine = (text: string): string => withoutCommands(printable(text).replace(/\s*\n\s*/g, " "));

/** Defuses commands of CI systems in text of several lines. */
export const withoutCommands = (text: string): string =>
  text.replace(/^(\s*):(?=:)/gm, "$1: ").replace(/#(?=#(?:vso|teamcity)?\[)/gi, "# ");

/** Escapes all characters in JSON text that a terminal would not display, and commands of CI systems. */
export const printableJson = (json: string): string =>
  json
    .replace(/#(?=#(?:vso|teamcity)?\[)/gi, "\\u0023")
    .replace(/(?!\n)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu, (char) =>
      [...Array(char.length).keys()].map((i) => `\\u${char.charCodeAt(i).toString(16).padStart(4, "0")}`).join(""),
    );
