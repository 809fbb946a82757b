/** Errors of writes to the standard output that the command itself reports. */
const reported = new WeakSet<Error>();

/** Writes to the standard output, and waits until it is written. Throws the error of a write that failed. */
export const written = (text: string): Promise<void> =>
  new Promise((done, reject) => {
    process.stdout.write(text, (error) => {
      if (!error) return done();
      reported.add(error);
      reject(error);
    });
  });

/**
 * Ends the command if its output cannot be written. A program that reads the output, such as `head`, may close the pipe
 * early, and a user the terminal: that is not an error.
 */
export function endWithoutOutput(): void {
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (reported.has(error)) return;
    if (error.code === "EPIPE" || error.code === "EIO") process.exit();
    process.stderr.write(
      `cloudinfra: the standard output cannot be written (${error.code}); what the command did before is not undone\n`,
    );
    process.exit(1);
  });
}
