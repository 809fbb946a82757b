import { spawn } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { stripVTControlCharacters, styleText } from "node:util";
import { type Emulator, startEmulator } from "../../emulator";
import { type Api, connect } from "../../provider/client";

/** Root folder of this repository, from here and from the compiled file in `dist/tools/pictures`. */
export const root = dirname(createRequire(__filename).resolve("pulumi-cloudinfra/package.json"));

/** The contents of the pictures: the output of commands in a terminal, with colors, and pages. */
export interface Recordings {
  terminals: { preview: string; drift: string };
  pages: { report: string };
  /** The names of the objects that the emulator's console shows after the first update. */
  consoleObjects: string[];
}

/** Creates the stack of the program in `shop/` on an emulator, and uses both until `use` ends. */
export async function withShop<T>(use: (emulator: Emulator, stack: Stack) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "pictures-"));
  // With a seed, addresses and times of the account are the same in each run.
  await using emulator = await startEmulator({ pace: "instant", seed: 1 });
  try {
    return await use(emulator, await Stack.create(folder, emulator));
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

/**
 * Runs the program in `shop/` on an emulator: creates the stack, previews a change, changes the account outside Pulumi,
 * and detects and corrects the drift. Each run has the same output except for ids, so a picture can be compared with a
 * new run. `look` can look at the emulator's console after the first update.
 */
export const record = (look = async (_console: string): Promise<void> => {}): Promise<Recordings> =>
  withShop(async (emulator, stack) => {
    const consoleObjects = await objectsIn(emulator.console);
    await look(emulator.console);
    const preview = await stack.withProgram(changed, () => stack.shell("pulumi preview --diff"));
    const { api, close } = connect(emulator);
    await changeOutsidePulumi(api).finally(close);
    const drift = await stack.shell("npx cloudinfra drift --stack prod --unmanaged", [2]);
    const report = await stack.shell("npx cloudinfra drift --stack prod --unmanaged --format html", [2]);
    const update = await stack.shell("pulumi up --refresh");
    return {
      terminals: {
        preview: abridged(preview, inPreview),
        drift: `${abridged(drift, inDrift)}\n\n${abridged(update, inUpdate)}`,
      },
      pages: { report: report.slice(report.indexOf("<!doctype")) },
      consoleObjects,
    };
  });

/** The names of the objects in the first message that the console receives. */
async function objectsIn(console: string): Promise<string[]> {
  const { body } = await fetch(new URL("console/stream", console));
  let received = "";
  for await (const part of body?.pipeThrough(new TextDecoderStream()) ?? []) {
    received += part;
    if (received.includes("\n\n")) break;
  }
  const data = received.slice(received.indexOf("data: ") + "data: ".length, received.indexOf("\n\n"));
  return (JSON.parse(data) as { objects: { name: string }[] }).objects.map(({ name }) => name);
}

/** The changes that the preview shows: one in place, one that boots an instance, and one that deletes backups. */
const changed = (program: string): string =>
  [
    ['type: "g6-nanode-1"', 'type: "g6-standard-1"'],
    ["size: 20", "size: 40"],
    ["backupsEnabled: true", "backupsEnabled: false"],
  ].reduce((text, [from = "", to = ""]) => {
    if (!text.includes(from)) throw new Error(`tools/pictures/shop/index.ts must contain "${from}"`);
    return text.replace(from, to);
  }, program);

async function changeOutsidePulumi(api: Api): Promise<void> {
  const { data: firewalls } = await api.firewalls.list();
  const { data: zones } = await api.domains.list();
  const [firewall, zone] = [firewalls[0], zones[0]];
  if (!firewall || !zone) throw new Error("tools/pictures/shop/index.ts must declare a firewall and a domain");
  const inbound = firewall.rules.inbound?.map((rule) =>
    rule.label === "ssh" ? { ...rule, addresses: { ipv4: ["0.0.0.0/0"] } } : rule,
  );
  await api.firewalls.updateRules({ path: { firewallId: firewall.id }, body: { ...firewall.rules, inbound } });
  const { data: records } = await api.domainRecords.list({ path: { domainId: zone.id } });
  for (const { id } of records) await api.domainRecords.delete({ path: { domainId: zone.id, recordId: id } });
  const machine = { region: "us-east", type: "g6-nanode-1", image: "compute/debian11", root_pass: "Correct-Horse-42" };
  const test = await api.instances.create({ body: { ...machine, label: "load-test" } });
  await api.volumes.create({ body: { label: "results", size: 20, compute_id: test.id } });
}

type LineFilter = (line: string) => boolean;

/** Lines that the pictures leave out: ids, providers, the suggested commands, and the time of a run. */
const inPreview: LineFilter = (line) => !/\[(id|provider)=|pulumi:pulumi:Stack|^Duration/.test(line);
const inDrift: LineFilter = (line) => !/^ +to (accept|adopt|import|undo) |^Not compared/.test(line);
const inUpdate: LineFilter = (line) => /^(\$ |Resources:| +[~+-] \d+ | +\d+ changes)/.test(line);

const abridged = (output: string, keep: LineFilter): string =>
  output
    .split("\n")
    .filter((line) => keep(stripVTControlCharacters(line)))
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trimEnd();

class Stack {
  private constructor(
    private readonly dir: string,
    private readonly env: NodeJS.ProcessEnv,
  ) {}

  static async create(folder: string, { url, token }: Emulator): Promise<Stack> {
    const dir = join(folder, "shop");
    await cp(join(root, "tools/pictures/shop"), dir, { recursive: true });
    await mkdir(join(dir, "node_modules"));
    await symlink(root, join(dir, "node_modules/pulumi-cloudinfra"));
    await symlink(join(root, "node_modules/@pulumi"), join(dir, "node_modules/@pulumi"));
    await mkdir(join(folder, "state"));
    const stack = new Stack(dir, {
      ...process.env,
      PULUMI_BACKEND_URL: `file://${folder}/state`,
      PULUMI_CONFIG_PASSPHRASE: "pictures",
      PULUMI_SKIP_UPDATE_CHECK: "true",
      CLOUDINFRA_TOKEN: token,
    });
    await stack.shell("pulumi stack init prod");
    await stack.shell(`pulumi config set cloudinfra:url ${url}`);
    await stack.shell("pulumi config set --secret rootPass Correct-Horse-42");
    await stack.shell("pulumi up");
    return stack;
  }

  /** Runs something while the program is changed. */
  async withProgram<T>(change: (program: string) => string, run: () => Promise<T>): Promise<T> {
    const file = join(this.dir, "index.ts");
    const program = await readFile(file, "utf8");
    await writeFile(file, change(program));
    const result = await run();
    await writeFile(file, program);
    return result;
  }

  /** The command and its output, as a terminal shows them. Throws if the command does not end with an expected code. */
  async shell(command: string, codes: readonly number[] = [0]): Promise<string> {
    const child = spawn("sh", ["-c", `${executed(command)} 2>&1`], { cwd: this.dir, env: this.env });
    child.stdin.end();
    const [output, code] = await Promise.all([text(child.stdout), new Promise((ended) => child.once("exit", ended))]);
    if (!codes.includes(Number(code))) throw new Error(`${command} ended with code ${code}:\n${output}`);
    return `${styleText("bold", `$ ${command}`, { validateStream: false })}\n${output}`;
  }
}

/** The command to execute: operations run one at a time, in the same order each time, and ask no questions. */
const executed = (command: string): string => {
  const [, program, verb = "", rest = ""] = /^(pulumi|npx cloudinfra) (\w+)(.*)$/.exec(command) ?? [];
  if (program !== "pulumi") return `"${process.execPath}" "${join(root, "dist/cli/main.js")}" ${verb}${rest}`;
  const unattended = verb === "up" ? " --yes --skip-preview --parallel 1" : verb === "preview" ? " --parallel 1" : "";
  return `pulumi ${verb}${rest}${unattended} --color always`;
};
