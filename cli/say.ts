/** Prints a message to the standard error, separate from the output of a command. */
export const say = (message: string): void => void process.stderr.write(`${message}\n`);
