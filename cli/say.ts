import { printable } from "../provider/client/printable";

/** Prints a message to the standard error, separate from the output of a command. */
export const say = (message: string): void => void process.stderr.write(`${message}\n`);

export function sayError(error: unknown): void {
  const message = printable(error instanceof Error ? error.message : String(error));
  say(`cloudinfra:${message.startsWith("\n") ? "" : " "}${message}`);
}
