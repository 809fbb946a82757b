import { existsSync } from "node:fs";
import { isObject } from "../api";
import { CommandError } from "./errors";
import { projectFileFrom } from "./pulumi";
import { MAX_INPUT_BYTES, readText } from "./text-file";

/** The runtime in the project's file, and whether it names the native plugin. */
interface ProjectFile {
  path: string;
  /** Such as `nodejs`. Undefined if the file has none, which Pulumi reports. */
  runtime: string | undefined;
  /** Whether the file names the native plugin. */
  isNative: boolean;
}

/** Reads the project's file in a folder or above it. Undefined if there is none, which Pulumi reports. */
export async function projectFileIn(folder: string): Promise<ProjectFile | undefined> {
  const path = projectFileFrom(folder);
  if (path === undefined) return undefined;
  const content = await contentOf(path);
  if (!isObject(content)) return { path, runtime: undefined, isNative: false };
  const runtime = isObject(content.runtime) ? content.runtime.name : content.runtime;
  return { path, runtime: typeof runtime === "string" ? runtime : undefined, isNative: namesPlugin(content) };
}

/** The configuration keys in a stack's file, such as `Pulumi.prod.yaml`. Empty if there is no such file. */
export async function configKeysIn(file: string): Promise<string[]> {
  const content = existsSync(file) ? await contentOf(file) : undefined;
  return isObject(content) && isObject(content.config) ? Object.keys(content.config) : [];
}

async function contentOf(path: string): Promise<unknown> {
  const { parse } = await import("yaml");
  const text = await readText(path, MAX_INPUT_BYTES);
  try {
    return parse(text, { logLevel: "error" });
  } catch {
    throw new CommandError(`${path} is not valid YAML`, 1);
  }
}

/** Whether the content of a project's file names the native plugin, by path or as a package. */
export function namesPlugin({ plugins, packages }: Record<string, unknown>): boolean {
  const providers: unknown = isObject(plugins) ? plugins.providers : undefined;
  return (
    (isObject(packages) && packages.cloudinfra !== undefined) ||
    (Array.isArray(providers) && providers.some((one) => isObject(one) && one.name === "cloudinfra"))
  );
}

/**
 * Why a project cannot have dynamic resources: Pulumi runs their provider in the program's process, which must be
 * Node.js. Undefined if it can.
 */
export const dynamicProblem = (project: ProjectFile | undefined): string | undefined =>
  project?.runtime === undefined || project.runtime === "nodejs"
    ? undefined
    : `dynamic resources require the runtime nodejs, and the runtime in ${project.path} is ${project.runtime}`;
