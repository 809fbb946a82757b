import { wildcard } from "../../api";
import type { DriftOptions, TimeLimit } from "../../drift";
import { Backend } from "../../stack/backend";
import { CommandError, UsageError } from "../../stack/errors";
import { requireFolder } from "../../stack/pulumi";

/** The options of `cloudinfra drift` that select stacks. */
export interface Selection {
  stack: readonly string[];
  state: readonly string[];
  cwd?: string;
  project?: string;
  allStacks: boolean;
  program: boolean;
  unmanaged: boolean;
}

/** The folder of the Pulumi project, and the pattern for the projects of all stacks to check, if that is wanted. */
export interface Target {
  folder: string;
  projects: string | undefined;
}

/** `--project` names the folder, or the projects with `--all-stacks` or a `*`. */
export function targetOf({ cwd, project, allStacks, stack, state, program }: Selection): Target {
  if (cwd !== undefined) requireFolder("--cwd", cwd);
  if (!allStacks && !project?.includes("*")) {
    if (cwd !== undefined && project !== undefined)
      throw new UsageError(
        `--project ${project}: --cwd names the folder already; to check all stacks of a project, add --all-stacks`,
      );
    if (project !== undefined) requireFolder("--project", project);
    return { folder: cwd ?? project ?? ".", projects: undefined };
  }
  const others = { "--stack": stack.length > 0, "--state": state.length > 0, "--program": program };
  const other = Object.entries(others).find(([, isSet]) => isSet)?.[0];
  const option = allStacks ? "--all-stacks" : `--project ${project}`;
  if (other) throw new UsageError(`${other} cannot be combined with ${option}, which checks all stacks of a backend`);
  if (project !== undefined && /[/\\]/.test(project))
    throw new UsageError(
      `--project ${project}: with all stacks, it must be a project's name or a pattern such as "shop-*"; name the folder with --cwd`,
    );
  return { folder: cwd ?? ".", projects: project ?? "*" };
}

/** Reads the states of all stacks of a backend whose projects match a pattern. */
export async function statesOfProjects(
  { folder, projects = "*" }: Target,
  { unmanaged }: Selection,
  limit: TimeLimit,
): Promise<Pick<DriftOptions, "states" | "backend">> {
  const backend = await Backend.at(folder, limit);
  const pattern = wildcard(projects);
  const isSelected = ({ project }: { project: string }): boolean => pattern.test(project);
  const selected = backend.stacks.filter(isSelected);
  if (!selected.length) {
    const names = [...new Set(backend.stacks.map(({ project }) => project))].sort();
    throw new CommandError(
      names.length
        ? `no project of the backend matches --project ${projects}; it has ${names.slice(0, 10).join(", ")}${names.length > 10 ? ", …" : ""}`
        : "the backend has no stacks: log in to the right one with pulumi login, or set PULUMI_BACKEND_URL",
      1,
    );
  }
  const { states, unreadable } = await backend.states(selected);
  // An object is unmanaged only if no stack of its account manages it, whichever project that stack belongs to.
  const rest = unmanaged ? backend.stacks.filter((stack) => !isSelected(stack)) : [];
  return {
    states,
    backend: {
      tokenOf: (stack, provider, address) => backend.token(stack, provider, address),
      unreadable,
      others: await backend.states(rest),
    },
  };
}
