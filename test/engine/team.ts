import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { writeIn } from "../../testing/engine-project";
import { run } from "../../tools/run";
import { run as command, type Ran } from "../cli/command";

/** Where a team keeps its stacks. */
export interface TeamBackend {
  /** The backend, and what Pulumi needs to log in and to decrypt. */
  env: Readonly<Record<string, string>>;
  /** The provider of secrets for new stacks, such as `awskms://…`. Defaults to a passphrase. */
  secrets?: string;
}

/** The account of a stack. */
export interface TeamAccount {
  url: string;
  token: string;
  dialect?: string | undefined;
}

/** Projects in a folder, whose stacks are in one backend. */
export class Team {
  constructor(
    readonly folder: string,
    readonly backend: TeamBackend,
  ) {}

  folderOf(project: string): string {
    return join(this.folder, project);
  }

  /** Creates a stack with the address and the token of an account in its configuration. */
  async stack(project: string, stack: string, { url, token, dialect }: TeamAccount): Promise<void> {
    const folder = this.folderOf(project);
    await mkdir(folder, { recursive: true });
    await writeIn(folder, "Pulumi.yaml", `name: ${project}\nruntime: nodejs\n`);
    const { secrets } = this.backend;
    await this.pulumi(project, "stack", "init", stack, ...(secrets ? ["--secrets-provider", secrets] : []));
    await this.configure(
      project,
      stack,
      "--plaintext",
      `cloudinfra:url=${url}`,
      ...(dialect ? ["--plaintext", `cloudinfra:dialect=${dialect}`] : []),
      "--secret",
      `cloudinfra:token=${token}`,
    );
  }

  async configure(project: string, stack: string, ...values: string[]): Promise<void> {
    await this.pulumi(project, "config", "set-all", "--stack", stack, ...values);
  }

  /** Runs the Pulumi CLI in the folder of a project. Returns its output. */
  async pulumi(project: string, ...args: string[]): Promise<string> {
    const stdout: string[] = [];
    const { code, output } = await run("pulumi", [...args, "--non-interactive"], {
      cwd: this.folderOf(project),
      env: { ...this.backend.env },
      line: (text) => stdout.push(text),
    });
    if (code !== 0) throw new Error(`pulumi ${args.join(" ")} failed:\n${[...stdout, ...output].join("\n")}`);
    return stdout.join("\n");
  }

  /** Runs `cloudinfra` in a folder, by default in that of all projects. */
  cloudinfra(args: readonly string[], env: NodeJS.ProcessEnv = {}, cwd = this.folder): Promise<Ran> {
    return command(args, { cwd, env: { ...this.backend.env, ...env } });
  }

  /** Adopts a volume into a stack. */
  async adopt(project: string, stack: string, volumeId: number): Promise<void> {
    const args = ["adopt", "Volume", "data", String(volumeId), "--stack", stack];
    const { code, stderr } = await this.cloudinfra(args, {}, this.folderOf(project));
    if (code !== 0) throw new Error(`cloudinfra ${args.join(" ")} failed:\n${stderr}`);
  }
}
