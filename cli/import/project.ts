import { constants, existsSync } from "node:fs";
import { access, chmod, mkdir, readdir, realpath, rename, rm, stat, writeFile } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { isImported, type ProviderType, projectIn } from "../../import";
import { CommandError, UsageError } from "../../stack/errors";
import { MAX_INPUT_BYTES, readText } from "../../stack/text-file";

export class ProjectFolder {
  private constructor(
    readonly path: string,
    /** The files of an imported project, or those of another folder to which an import adds lines. By name. */
    readonly files: ReadonlyMap<string, string>,
    readonly name: string,
    /** The kind of resources that an existing project uses. Undefined for a new project. */
    readonly provider: ProviderType | undefined,
    /** Whether the folder did not exist, or had no files. */
    readonly wasEmpty: boolean,
  ) {}

  /** Reads a folder. Throws if its files belong to neither an imported project nor a new one. */
  static async at(out: string): Promise<ProjectFolder> {
    const path = resolve(out);
    const names = existsSync(path) ? await readdir(path) : [];
    const texts = async (own: readonly string[]): Promise<Map<string, string>> =>
      new Map(
        await Promise.all(own.map(async (name) => [name, await readText(join(path, name), MAX_INPUT_BYTES)] as const)),
      );
    const files = await texts(names.filter((name) => /^(?:[\w-]+\.ts|README\.md|Pulumi\.yaml)$/.test(name)));
    if (isImported(files)) {
      const { name, provider } = await projectIn(files);
      return new ProjectFolder(path, files, name, provider, false);
    }
    const others = names.filter((name) => !isNeutral(name));
    if (others.length)
      throw new UsageError(
        `--out ${out}: the folder must be empty, created by this command, or have no program yet, but has files (${others.slice(0, 3).join(", ")}); name an empty folder, or use "cloudinfra adopt" to bring objects into an existing program`,
      );
    const extended = await texts(names.filter((name) => ["package.json", "README.md", ".gitignore"].includes(name)));
    return new ProjectFolder(path, extended, validName(basename(path)), undefined, !names.length);
  }

  get isNew(): boolean {
    return this.provider === undefined;
  }

  /**
   * Writes files, either all or none. If a file cannot be written, or if the given callback fails, the previous
   * contents are restored. The error names files that could not be restored.
   */
  async write(changed: ReadonlyMap<string, string>, work: () => Promise<void>): Promise<void> {
    const written: string[] = [];
    try {
      await mkdir(this.path, { recursive: true });
      for (const [name, text] of changed) {
        await replaceFile(join(this.path, name), text).catch((error: NodeJS.ErrnoException) => {
          throw new CommandError(`${join(this.path, name)} cannot be written (${error.code}); nothing was imported`, 1);
        });
        written.push(name);
      }
      await work();
    } catch (error) {
      const problems: string[] = [];
      for (const name of written) {
        const before = this.files.get(name);
        const file = join(this.path, name);
        await (before === undefined ? rm(file, { force: true }) : replaceFile(file, before)).catch(
          ({ code }: NodeJS.ErrnoException) =>
            problems.push(`${file} has declarations of this import, because it could not be restored (${code})`),
        );
      }
      if (problems.length) throw new CommandError([(error as Error).message, ...problems].join("\n"), 1);
      throw error;
    }
  }
}

/** Writes a file as a whole, so that neither a kill nor a full disk leaves a part of it. */
async function replaceFile(file: string, text: string): Promise<void> {
  // A link, for example of a package manager, stays a link.
  const target = await realpath(file).catch(() => file);
  const part = `${target}.${process.pid}.part`;
  try {
    const mode = await stat(target).then(
      (known) => known.mode,
      () => undefined,
    );
    if (mode !== undefined) await access(target, constants.W_OK);
    await writeFile(part, text, { flag: "wx" });
    if (mode !== undefined) await chmod(part, mode);
    await rename(part, target);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
}

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
