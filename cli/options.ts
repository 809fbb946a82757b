/** Collects the values of an option that can be given several times. */
export const collect = (value: string, before: readonly string[]): string[] => [...before, value];

/**
 * The option for the project's folder. It is named `--cwd` as in the Pulumi CLI, and also `--project`, because unlike
 * Pulumi's `--cwd` it does not affect relative paths in other options.
 */
export const projectFolder = ["--cwd, --project <folder>", "folder of the Pulumi project", "."] as const;

export const timeLimitOf = (duration: string) =>
  ["--timeout <duration>", "time limit, such as 90s, 20m or 1h30m", duration] as const;

/** The option of the commands that read an account or a stack. */
export const timeLimit = timeLimitOf("10m");
