import { existsSync } from "node:fs";
import { mkdir, readdir, rm } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { isImported, type ProviderType, projectIn } from "../../import";
import { CommandError, UnknownOutcomeError, UsageError } from "../../stack/errors";
import { requireFolder } from "../../stack/pulumi";
import { MAX_INPUT_BYTES, replaceFile, requiredBytes, textIfExists, utf8Problem } from "../../stack/text-file";

export class ProjectFolder {
  /** The texts of the files that were read, by name. */
  readonly files: ReadonlyMap<string, string>;

  private constructor(
    readonly path: string,
    /** The files of an imported project, or those of another folder to which an import adds lines. By name. */
    private readonly contents: ReadonlyMap<string, Buffer>,
    readonly name: string,
    /** The kind of resources that an existing project uses. Undefined for a new project. */
    readonly provider: ProviderType | undefined,
    /** Whether the folder did not exist, or had no files. */
    readonly wasEmpty: boolean,
  ) {
    this.files = textsOf(contents);
  }

  /** Reads a folder. Throws if its files belong to neither an imported project nor a new one. */
  static async at(out: string): Promise<ProjectFolder> {
    const path = resolve(out);
    const existing = existingFolder(path);
    requireFolder("--out", existing === path ? out : existing);
    const names = existsSync(path) ? await readdir(path) : [];
    const read = async (own: readonly string[]): Promise<Map<string, Buffer>> =>
      new Map(
        await Promise.all(
          own.map(async (name) => [name, await requiredBytes(join(path, name), MAX_INPUT_BYTES)] as const),
        ),
      );
    const contents = await read(
      names.filter((name) => /^(?:[\w-]+\.ts|README\.md|Pulumi\.yaml|package\.json)$/.test(name)),
    );
    const files = textsOf(contents);
    if (isImported(files)) {
      const { name, provider } = await projectIn(files);
      return new ProjectFolder(path, contents, name, provider, false);
    }
    const others = names.filter((name) => !isNeutral(name));
    if (others.length)
      throw new UsageError(
        `--out ${out}: the folder must be empty, created by this command, or have no program yet, but has files (${others.slice(0, 3).join(", ")}); name an empty folder, or use "cloudinfra adopt" to bring objects into an existing program`,
      );
    const extended = await read(names.filter((name) => ["package.json", "README.md", ".gitignore"].includes(name)));
    return new ProjectFolder(path, extended, validName(basename(path)), undefined, !names.length);
  }

  get isNew(): boolean {
    return this.provider === undefined;
  }

  /** Throws if one of the files to write is not UTF-8, because its text would be damaged. Other files can be. */
  requireUtf8(changed: Iterable<string>): void {
    const problems = [...changed].flatMap((name) => {
      const content = this.contents.get(name);
      const problem = content && utf8Problem(content);
      return problem === undefined ? [] : [`${join(this.path, name)}, ${problem}`];
    });
    if (problems.length)
      throw new CommandError(
        [...problems, "nothing was imported, because these files must be changed; convert them to UTF-8 first"].join(
          "\n",
        ),
        1,
      );
  }

  /**
   * Writes files, either all or none, and none if a file of the project has changed since it was read. If a file cannot
   * be written, or if the given callback fails, the previous contents are restored, except for files that have
   * been changed since. The error names files that were not restored. After an `UnknownOutcomeError` of the callback, the
   * files stay, because the state can need their declarations.
   */
  async write(changed: ReadonlyMap<string, string>, work: () => Promise<void>): Promise<void> {
    await this.#rejectChanges([...new Set([...this.files.keys(), ...changed.keys()])]);
    const written = new Map<string, string>();
    try {
      await mkdir(this.path, { recursive: true }).catch(({ code }: NodeJS.ErrnoException) => {
        throw new CommandError(`${this.path} cannot be created (${code}); nothing was imported`, 1);
      });
      for (const [name, text] of changed) {
        // Again, because another import can have begun to write since.
        await this.#rejectChanges([name]);
        await replaceFile(join(this.path, name), text).catch((error: NodeJS.ErrnoException) => {
          throw new CommandError(`${join(this.path, name)} cannot be written (${error.code}); nothing was imported`, 1);
        });
        written.set(name, text);
      }
      await work();
    } catch (error) {
      if (error instanceof UnknownOutcomeError) {
        error.message +=
          ". The files that this command has written stay, because the state needs them if it was changed";
        throw error;
      }
      const problems: string[] = [];
      // In reverse order, because a folder from which the last file is not removed counts as imported.
      for (const [name, text] of [...written].reverse()) problems.unshift(...(await this.#restore(name, text)));
      if (problems.length) throw new CommandError([(error as Error).message, ...problems].join("\n"), 1);
      throw error;
    }
  }

  /** Throws if files differ from what was read, because the import would overwrite edits, or was made from old files. */
  async #rejectChanges(names: readonly string[]): Promise<void> {
    const problems: string[] = [];
    for (const name of names) {
      const change = await this.#changeOf(name, this.files.get(name));
      if (change) problems.push(`${join(this.path, name)} was ${change} while this command ran`);
    }
    if (problems.length)
      throw new CommandError([...problems, "nothing was imported; run the command again"].join("\n"), 1);
  }

  /** How a file differs from the text that this command has read or written, which is undefined for a missing file. */
  async #changeOf(name: string, known: string | undefined): Promise<"created" | "changed" | "deleted" | undefined> {
    // Null for what is there but cannot be read, such as a folder.
    const now = await textIfExists(join(this.path, name)).catch(() => null);
    if (now === known) return undefined;
    return known === undefined ? "created" : now === undefined ? "deleted" : "changed";
  }

  /** Restores the previous content of a file with the text that was written. Returns the problem if that is not possible. */
  async #restore(name: string, written: string): Promise<string[]> {
    const [file, before] = [join(this.path, name), this.files.get(name)];
    const change = await this.#changeOf(name, written);
    if (change) {
      const advice = change === "deleted" ? "" : "; remove what the import has added";
      return [`${file} was ${change} after this command had written it, so it was not restored${advice}`];
    }
    return (before === undefined ? rm(file, { force: true }) : replaceFile(file, before)).then(
      () => [],
      ({ code }: NodeJS.ErrnoException) => [
        `${file} has declarations of this import, because it could not be restored (${code})`,
      ],
    );
  }
}

const textsOf = (contents: ReadonlyMap<string, Buffer>): Map<string, string> =>
  new Map([...contents].map(([name, content]) => [name, content.toString()]));

/** The folder itself or, before it is created, the one in which it will be. */
export const existingFolder = (path: string): string =>
  existsSync(path) || path === dirname(path) ? path : existingFolder(dirname(path));

/** Converts a text to a valid project name, which contains only letters, digits, dashes, underscores and periods. */
const validName = (folder: string): string =>
  folder
    .replaceAll(/[^a-zA-Z0-9_.-]+/g, "-")
    .replace(/^-+/, "")
    .slice(0, 100) || "account";

/**
 * Whether the file can be in the folder of a new project: those of package managers and of git, settings of tools, and
 * what Pulumi and earlier imports write for a stack.
 */
const isNeutral = (name: string): boolean =>
  /^(?:\..+|package\.json|package-lock\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?|node_modules|README\.md|LICENSE.*|.+\.tgz|Pulumi\..+\.yaml|.+\.before-import\..+\.json)$/.test(
    name,
  );
