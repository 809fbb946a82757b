/**
 * Completes work even if the command is interrupted or its terminal is closed, because a state without the files or the
 * configuration that belong to it, or the reverse, is difficult to clean up. A Pulumi command that the signal ends is an
 * error of the work.
 */
export async function uninterrupted<T>(work: () => Promise<T>): Promise<T> {
  const ignore = (): void => {};
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  for (const signal of signals) process.on(signal, ignore);
  try {
    return await work();
  } finally {
    for (const signal of signals) process.off(signal, ignore);
  }
}
