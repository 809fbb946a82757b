import { readdir, readFile, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { gunzip, zstdDecompress } from "node:zlib";
import { StateError } from "./errors";
import { FileProblem, MAX_STATE_BYTES, readBytes } from "./text-file";

/** The folder in which a backend stores the states of its stacks. */
export interface StacksFolder {
  path: string;
  /** Whether each project has a folder of its own there, as in all backends since Pulumi 3.61. */
  hasProjects: boolean;
}

/** The newest layout of a backend that this package can read. */
const NEWEST_LAYOUT = 1;

const decoders: Readonly<Record<string, (data: Buffer) => Promise<Buffer>>> = {
  ".json": async (data) => data,
  ".json.gz": (data) => promisify(gunzip)(data, { maxOutputLength: MAX_STATE_BYTES }),
  ".json.zst": (data) => promisify(zstdDecompress)(data, { maxOutputLength: MAX_STATE_BYTES }),
};

/**
 * The folder of a backend. Undefined if it does not store states in files of this machine, or in a layout that only a
 * newer Pulumi CLI can read. Relative addresses are relative to `cwd`.
 */
export async function stacksFolder(url: string, cwd: string): Promise<StacksFolder | undefined> {
  if (!url.startsWith("file://")) return undefined;
  const address = decoded(url.slice("file://".length).split("?")[0] ?? "");
  const root = address.startsWith("~") ? join(homedir(), address.slice(1)) : resolve(cwd, address);
  const meta = await readFile(join(root, ".pulumi/meta.yaml"), "utf8").catch(() => "");
  const layout = Number(/^version:\s*(\d+)/m.exec(meta)?.[1] ?? 0);
  return layout <= NEWEST_LAYOUT ? { path: join(root, ".pulumi/stacks"), hasProjects: layout > 0 } : undefined;
}

/** Pulumi decodes the path of the address, and accepts one that is not encoded. */
function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** The names of all stacks, each as the path of its state in the folder: `shop/prod`. */
export async function stacksIn({ path, hasProjects }: StacksFolder): Promise<string[]> {
  const entries = await readdir(path, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    // A backend without stacks has no such folder.
    if (error.code === "ENOENT") return [];
    throw new StateError(`the folder ${path} with the states of the backend cannot be read (${error.code})`);
  });
  if (!hasProjects) return namesOf(entries.flatMap((entry) => (entry.isDirectory() ? [] : [entry.name])));
  const projects = entries.flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
  const ofProjects = projects.map(async (project) =>
    namesOf(await readdir(join(path, project))).map((stack) => `${project}/${stack}`),
  );
  return (await Promise.all(ofProjects)).flat();
}

/** The names of the stacks in a list of files. Other files, such as backups (`.json.bak`), do not belong to a stack. */
const namesOf = (files: readonly string[]): string[] => [
  ...new Set(files.flatMap((file) => /^([\w.-]+?)\.json(?:\.gz|\.zst)?$/.exec(file)?.[1] ?? [])),
];

/**
 * The text of a stack's state. Pulumi replaces the file as a whole, so an update at the same time does no harm. Undefined
 * if the stack has no file. Throws a `FileProblem` if the file cannot be read.
 */
export async function checkpointOf({ path }: StacksFolder, name: string): Promise<string | undefined> {
  const base = join(path, name);
  const files = await Promise.all(
    Object.entries(decoders).map(async ([extension, decode]) => {
      const modifiedAt = await stat(base + extension).then(
        ({ mtimeMs }) => mtimeMs,
        () => Number.NEGATIVE_INFINITY,
      );
      return { file: base + extension, decode, modifiedAt };
    }),
  );
  // A stack has two files after compression was enabled or disabled. Pulumi reads the newer one.
  const [newest] = files
    .filter(({ modifiedAt }) => Number.isFinite(modifiedAt))
    .sort((a, b) => b.modifiedAt - a.modifiedAt);
  if (!newest) return undefined;
  const { file, decode } = newest;
  const bytes = await readBytes(file, MAX_STATE_BYTES);
  const text = await decode(bytes).catch(({ code, message }: NodeJS.ErrnoException) => {
    throw new FileProblem(
      code === "ERR_BUFFER_TOO_LARGE"
        ? `must be at most ${MAX_STATE_BYTES / 2 ** 20} MiB, but ${file} has more when it is decompressed`
        : `cannot be decompressed, because ${file} is damaged (${message}). Restore the file from a backup`,
      code,
    );
  });
  return text.toString();
}
