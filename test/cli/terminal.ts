import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Environment variables of the test run that would make commands behave differently than on a new machine. */
const ofOwn = /^(PULUMI|CLOUDINFRA|MAKE|MFLAGS|VITEST|NODE_OPTIONS)/;

/** Confirms every prompt of Pulumi. */
const yes = `pulumi() { case "$1 $2" in "up "*|"destroy "*|"stack rm"|"state unprotect") command pulumi "$@" --yes ;; *) command pulumi "$@" ;; esac; }`;

/** A user's terminal: if a script changes the folder or the environment, the next script starts with the changes. */
export class Terminal {
  #env: NodeJS.ProcessEnv;

  constructor(
    public cwd: string,
    /** The folder for all files that scripts create, except npm's cache. */
    readonly place: string,
  ) {
    this.#env = {
      ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !ofOwn.test(name))),
      README_TEST: place,
      PULUMI_HOME: join(place, "pulumi-home"),
      PULUMI_SKIP_UPDATE_CHECK: "true",
      NODE_COMPILE_CACHE: join(tmpdir(), "node-compile-cache"),
      // Packages in the cache are accepted, so that the tests run without a network.
      npm_config_prefer_offline: "true",
      npm_config_audit: "false",
      npm_config_fund: "false",
      npm_config_update_notifier: "false",
    };
  }

  /** Environment variable that marks all processes that a script starts. */
  get mark(): string {
    return `README_TEST=${this.place}`;
  }

  start(script: string): ChildProcess {
    const stdio = ["ignore", "pipe", "pipe"] as ("ignore" | "pipe")[];
    return spawn("bash", ["-e", "-c", `${yes}\n${script}`], { cwd: this.cwd, env: this.#env, stdio, detached: true });
  }

  /**
   * Runs a script until it ends. With `keep: false`, changes of the folder and the environment do not affect the next
   * script.
   */
  async run(script: string, { keep = true } = {}): Promise<{ code: number; output: string }> {
    const after = join(this.place, "after");
    const child = this.start(`trap 'env -0 > "${after}"' EXIT\n${script}`);
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding("utf8").on("data", (text: string) => {
        output += text;
      });
    const [code] = (await once(child, "close")) as [number | null];
    if (keep) {
      const entries = (await readFile(after, "utf8")).split("\0").filter(Boolean);
      this.#env = Object.fromEntries(
        entries.map((entry) => [entry.split("=", 1)[0], entry.slice(entry.indexOf("=") + 1)]),
      );
      this.cwd = this.#env.PWD ?? this.cwd;
    }
    return { code: code ?? -1, output };
  }
}

export async function portLike(wanted: number): Promise<number> {
  return (await tried(wanted)) ?? ((await tried(0)) as number);
}

const tried = (port: number): Promise<number | undefined> =>
  new Promise((resolve) => {
    const server = createServer().once("error", () => resolve(undefined));
    server.listen(port, "127.0.0.1", () => {
      const { port: got } = server.address() as { port: number };
      server.close(() => resolve(got));
    });
  });
