import { printable, withoutCommands } from "../provider/client/printable";

/** Prints a message to the standard error, separate from the output of a command. CI systems do not execute it. */
export const printMessage = (message: string): void => void process.stderr.write(`${withoutCommands(message)}\n`);

export function printError(error: unknown): void {
  const message = printable(error instanceof Error ? error.message : String(error));
  printMessage(`cloudinfra:${message.startsWith("\n") ? "" : " "}${message}`);
}
