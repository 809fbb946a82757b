/** Prints a message next to the output of a command. */
export const say = (message: string): void => void process.stderr.write(`${message}\n`);
