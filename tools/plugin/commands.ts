/** A command on the executable, whose file is its last argument. */
export interface Command {
  program: string;
  args: readonly string[];
  /** Effect on the executable if the command fails. If undefined, the build fails instead. */
  without?: string;
}

/** The commands before and after the plugin is added to a copy of the machine's Node.js binary. */
export interface Commands {
  before: readonly Command[];
  after: readonly Command[];
}

/**
 * macOS does not start executables with an invalid signature, nor unsigned ones on Apple silicon, and adding the plugin
 * makes Node's own signature invalid. On other systems, debug symbols are removed, which are a seventh of the binary.
 */
export const commandsFor = (platform: NodeJS.Platform): Commands =>
  platform === "darwin"
    ? {
        before: [{ program: "codesign", args: ["--remove-signature"] }],
        after: [{ program: "codesign", args: ["--sign", "-"] }],
      }
    : { before: [{ program: "strip", args: [], without: "the executable keeps its debug symbols" }], after: [] };
