import type { Emulator } from "../../../dist/emulator/index.js";
import { Project } from "../../../dist/tools/demo/stage.js";

/** A stack of `examples/web-cluster` for an emulator. Its Pulumi state is in the folder; it has no resources yet. */
export async function exampleStack(folder: string, { url, token }: Pick<Emulator, "url" | "token">): Promise<Project> {
  const project = await Project.copy(folder);
  project.env.PULUMI_CONFIG_PASSPHRASE = "correct-horse";
  await project.quietly("stack", "init", "dev");
  await project.quietly("config", "set", "cloudinfra:url", url);
  await project.quietly("config", "set", "--secret", "cloudinfra:token", token);
  await project.quietly("config", "set", "--secret", "rootPass", "Correct-Horse-42");
  return project;
}
