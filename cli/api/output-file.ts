import { constants, type FileHandle, open, realpath, rm, stat } from "node:fs/promises";
import { UsageError } from "../../stack/errors";

/**
 * The file of `--output`. It is opened before the call, so that nothing is created if the file cannot be written: the
 * API returns some secrets only once. After a failed call, the disposal leaves an existing file unchanged.
 */
export class OutputFile {
  readonly path: string;
  readonly #handle: FileHandle;
  readonly #isSecret: boolean;
  readonly #isNew: boolean;
  #isWritten = false;

  private constructor(path: string, handle: FileHandle, options: { isSecret: boolean; isNew: boolean }) {
    this.path = path;
    this.#handle = handle;
    this.#isSecret = options.isSecret;
    this.#isNew = options.isNew;
  }

  /** Opens a file, and keeps its contents. Only the owner can read a new file with secrets. */
  static async open(path: string, isSecret: boolean): Promise<OutputFile> {
    const isNew = await stat(path).then(
      () => false,
      () => true,
    );
    try {
      const handle = await open(path, constants.O_WRONLY | constants.O_CREAT, isSecret ? 0o600 : 0o666);
      return new OutputFile(path, handle, { isSecret, isNew });
    } catch (error) {
      throw new UsageError(`--output ${path}: cannot be written (${(error as NodeJS.ErrnoException).code})`);
    }
  }

  /** Replaces the contents. Only the owner can read a file with secrets, even if the file existed before. */
  async write(parts: Iterable<Uint8Array | string>): Promise<void> {
    if ((await this.#handle.stat()).isFile()) {
      if (this.#isSecret) await this.#handle.chmod(0o600);
      await this.#handle.truncate();
    }
    for (const part of parts) await this.#handle.writeFile(part);
    // Some network file systems report a full disk only here.
    await this.#handle.close();
    this.#isWritten = true;
  }

  /** Closes the file. Removes a new one that is empty or incomplete. */
  async [Symbol.asyncDispose](): Promise<void> {
    try {
      await this.#handle.close();
      // A symbolic link to a file that did not exist stays.
      if (this.#isNew && !this.#isWritten) await rm(await realpath(this.path));
    } catch {
      // The error of the call or of the write is the one that matters.
    }
  }
}
