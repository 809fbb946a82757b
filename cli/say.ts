import { printable, withoutCommands } from "../provider/client/printable";
import { traces } from "../provider/pulumi/report";

/** Prints a message to the standard error, separate from the output of a command. CI systems do not execute it. */
export const printMessage = (message: string): void => void process.stderr.write(`${withoutCommands(message)}\n`);

export function printError(error: unknown): void {
  const lines = [
    error instanceof Error ? error.message : String(error),
    ...(process.env.CLOUDINFRA_DEBUG ? traces(error) : []),
  ];
  const message = printable(lines.join("\n"));
  printMessage(`cloudinfra:${message.startsWith("\n") ? "" : " "}${message}`);
}
