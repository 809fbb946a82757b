import { readFileSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Emulator, startEmulator } from "../../emulator";
import { connect } from "../../provider/client";
import { type EngineStack, engine } from "../../testing/engine";
import { type Ran, run } from "./command";
import { blocksOf } from "./markdown";

const root = join(__dirname, "../..");
const docs = readFileSync(join(root, "docs/adopt.md"), "utf8");
const blocks = blocksOf(docs);

describe("docs/adopt.md, every block from top to bottom", () => {
  let emulator: Emulator;
  let stack: EngineStack;

  beforeAll(async () => {
    emulator = await startEmulator({ pace: "instant", seed: 1 });
    stack = await engine({
      program: { "index.ts": "" },
      config: { "cloudinfra:url": emulator.url, "cloudinfra:token": { secret: emulator.token } },
    });
    const { api } = connect(emulator);
    const volume = (label: string, more = {}) => api.volumes.create({ body: { label, region: "us-east", ...more } });
    await volume("data", { size: 40, tags: ["prod"] });
    const { id: domainId } = await api.domains.create({
      body: { domain: "example.org", type: "master", soa_email: "admin@example.org" },
    });
    await api.domainRecords.create({ path: { domainId }, body: { type: "A", name: "www", target: "198.51.100.1" } });
    await volume("archive");
    const { id } = await api.instances.create({
      body: { region: "us-east", type: "g6-nanode-1", image: "compute/debian11", root_pass: "Correct-Horse-42" },
    });
    await volume("backup", { compute_id: id });
  });

  afterAll(async () => {
    await stack[Symbol.asyncDispose]();
    await emulator.close();
  });

  /** Runs the commands of a code block in docs/adopt.md, and creates the objects that the commands mention. */
  async function execute(text: string): Promise<Ran[]> {
    const ran: Ran[] = [];
    for (const line of text.trim().split("\n")) {
      const [, command = "", output] = /^(.*?)(?: > (\S+))?$/.exec(line) ?? [];
      const words = command.split(" ");
      if (words[0] === "pulumi") {
        const { code, stdout, stderr } = await stack.run(words.slice(1), { mayFail: true });
        ran.push({ code, stdout, stderr });
      } else {
        expect(words.slice(0, 2)).toEqual(["npx", "cloudinfra"]);
        ran.push(await run([...words.slice(2), "--stack", "test"], { env: stack.env, cwd: stack.dir }));
      }
      if (output) await stack.write(output, ran.at(-1)?.stdout ?? "");
    }
    return ran;
  }

  test.each(blocks)("line $line", async ({ language, file, text }) => {
    if (language === "sh") {
      if (text.includes("backup.json")) {
        const saved = (await readdir(stack.dir)).filter((name) => name.includes("before-adopt")).sort();
        await stack.write("backup.json", await readFile(join(stack.dir, saved[0] ?? ""), "utf8"));
      }
      for (const { code, stderr } of await execute(text)) expect(code, stderr).toBe(0);
    } else if (file) await stack.write(file, text);
    else expect(text).toBe(await readFile(join(stack.dir, "data.ts"), "utf8"));
  });

  test("all adopted objects together show no change, until the backup of the state is restored", async () => {
    expect((await stack.export()).deployment.resources ?? []).toEqual([]);
    await execute("npx cloudinfra adopt Volume data 640144");
    await execute("npx cloudinfra adopt --file objects.txt\nnpx cloudinfra adopt --file objects.yaml");
    await stack.write("index.ts", `import "./data";\nimport "./objects";\nimport "./more";\n`);
    await stack.preview(["--expect-no-changes"]);
  });

  test("the page lists the options of the command", async () => {
    const { stdout } = await run(["adopt", "--help"]);
    const named = [...docs.matchAll(/^\| `(--[a-z-]+)/gm)].map(([, option]) => option);
    const known = [...stdout.matchAll(/^ {2}(?:--cwd, )?(--[a-z-]+)/gm)].map(([, option]) => option);
    expect(named.sort()).toEqual(known.sort());
  });
});
