import { spawn } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, type TestContext, test } from "vitest";
import { fill } from "../../emulator/accounts";
import { connect } from "../../provider/client";
import { finished, run } from "../cli/command";
import { quickNpm, unreachableCode } from "../cli/registry";
import { providers } from "./providers";
import { mutations, sandbox } from "./sandbox";

/** An emulator with an account, and functions that run commands as a user does, in the folder of an imported project. */
async function workspace({ skip }: TestContext) {
  const box = await sandbox("");
  const folder = join(box.stack.home, "shop");
  const env = { ...box.stack.env, CLOUDINFRA_URL: box.emulator.url, CLOUDINFRA_TOKEN: box.emulator.token, ...quickNpm };
  const execute = async (program: string, ...args: string[]): Promise<string> => {
    const { code, stdout, stderr } = await finished(spawn(program, args, { cwd: folder, env }));
    const unreachable = program === "npm" && code !== 0 ? unreachableCode(stderr) : undefined;
    if (unreachable !== undefined) skip(`npm is not reachable (${unreachable})`);
    expect(code, `${program} ${args.join(" ")}\n${stdout}\n${stderr}`).toBe(0);
    return stdout;
  };
  return {
    ...box,
    folder,
    execute,
    import: async (...args: string[]) => {
      const ran = await run(["import", "--out", folder, ...args], { env });
      expect(ran, ran.stderr).toMatchObject({ code: 0 });
      return ran.stdout;
    },
    pulumi: (...args: string[]) =>
      execute(process.env.PULUMI_CLI ?? "pulumi", ...args, "--non-interactive", "--color", "never"),
    read: (file: string) => readFileSync(join(folder, file), "utf8"),
    write: (file: string, text: string) => writeFileSync(join(folder, file), text),
    [Symbol.asyncDispose]: () => box[Symbol.asyncDispose](),
  };
}

test.for(providers("native"))(
  "an import into a folder with a package.json, npm install, an empty preview, an edit and an update work one after the other: %s",
  async (provider, context) => {
    await using it = await workspace(context);
    const { api, close } = connect(it.emulator);
    const { id } = await api.volumes.create({ body: { label: "data", region: "us-east", size: 20 } });
    mkdirSync(it.folder);
    it.write(
      "package.json",
      '{\n  "name": "own",\n  "main": "lib.js",\n  "dependencies": { "picocolors": "^1.1.1" }\n}\n',
    );
    it.emulator.requests.clear();
    const report = await it.import("--into", "prod", "--provider", provider);
    expect(report).toContain(`pulumi-cloudinfra file:`);
    expect(JSON.parse(it.read("package.json"))).toMatchObject({ name: "own", main: "lib.js" });

    await it.execute("npm", "install", "--ignore-scripts");
    expect(await it.pulumi("preview", "--expect-no-changes")).not.toMatch(/error|warning/);
    it.write(
      "compute.ts",
      it.read("compute.ts").replace(`  region: "us-east",\n`, `  region: "us-east",\n  size: 30,\n`),
    );
    expect(mutations(it.emulator)).toEqual([]);
    await it.pulumi("up", "--yes");
    expect(await api.volumes.view({ path: { volumeId: id } })).toMatchObject({ label: "data", size: 30 });
    await it.pulumi("preview", "--expect-no-changes");
    await close();
  },
);

test.for(providers("dynamic"))(
  "Prettier finds nothing to format in an imported program, and after it has applied another style, another import adds no duplicates and refers to existing resources: %s",
  async (provider, context) => {
    const module = provider === "native" ? "pulumi-cloudinfra/native" : "pulumi-cloudinfra";
    await using it = await workspace(context);
    await fill(it.emulator.world, "small");
    const first = await it.import("--into", "prod", "--provider", provider);
    symlinkSync(join(it.stack.dir, "node_modules"), join(it.folder, "node_modules"));
    for (const [, key = ""] of first.matchAll(/config set --secret (\w+)/g))
      await it.pulumi("config", "set", "--secret", key, "Correct-Horse-42");
    const programs = readdirSync(it.folder).filter((name) => name.endsWith(".ts"));
    const prettier = ["exec", "--yes", "--ignore-scripts", "prettier@3.10.1", "--"];
    await it.execute("npm", ...prettier, "--check", ...programs);
    it.write(".prettierrc", JSON.stringify({ singleQuote: true, semi: false, trailingComma: "none", printWidth: 60 }));
    await it.execute("npm", ...prettier, "--write", ...programs);
    const formatted = Object.fromEntries(programs.map((name) => [name, it.read(name)]));
    expect(formatted["compute.ts"]).toContain(`from '${module}'\n`);
    expect(await it.import()).toMatch(/^nothing new to import\n/);
    expect(Object.fromEntries(programs.map((name) => [name, it.read(name)]))).toEqual(formatted);

    const { api, close } = connect(it.emulator);
    const [web] = (await api.instances.list({}, { filter: { label: "web" } })).data;
    await api.volumes.create({ body: { label: "logs", size: 20, compute_id: web?.id ?? 0 } });
    await close();
    expect(await it.import()).toContain("imported 1 object into the selected stack: Volume (1)\n");
    const compute = it.read("compute.ts");
    expect(compute).toMatch(/"logs", \{[^}]*computeId: web\.id,/);
    const imports = [...compute.matchAll(/ from ["'](.*)["']/g)].map(([, module]) => module);
    expect(imports).toEqual(["@pulumi/pulumi", module]);
    await it.pulumi("preview", "--expect-no-changes");
  },
);
