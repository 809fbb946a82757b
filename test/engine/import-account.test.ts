import { spawn } from "node:child_process";
import { readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { fill } from "../../emulator/accounts";
import { connect } from "../../provider/client";
import { finished, run } from "../cli/command";
import { providers } from "./providers";
import { mutations, type Sandbox, sandbox } from "./sandbox";

/** Runs the command in a separate process, because the emulator runs in this one. */
async function pulumiIn(cwd: string, env: NodeJS.ProcessEnv, args: readonly string[]): Promise<void> {
  const all = [...args, "--stack", "prod", "--non-interactive", "--color", "never"];
  const { code, stdout, stderr } = await finished(spawn(process.env.PULUMI_CLI ?? "pulumi", all, { cwd, env }));
  expect(code, `${args.join(" ")}\n${stdout}\n${stderr}`).toBe(0);
}

/** A folder for an imported project, and functions that run commands in it. */
function project({ stack, emulator }: Sandbox) {
  const folder = join(stack.home, "shop");
  const env = { ...stack.env, CLOUDINFRA_URL: emulator.url, CLOUDINFRA_TOKEN: emulator.token };
  return {
    folder,
    import: (args: readonly string[]) => run(["import", "--out", folder, "--into", "prod", ...args], { env }),
    link: () => symlinkSync(join(stack.dir, "node_modules"), join(folder, "node_modules")),
    pulumi: (...args: string[]) => pulumiIn(folder, env, args),
    files: () =>
      Object.fromEntries(
        readdirSync(folder)
          .filter((name) => /\.(ts|md|yaml|json)$/.test(name) && !name.includes("before-import"))
          .map((name) => [name, readFileSync(join(folder, name), "utf8")]),
      ),
  };
}

/**
 * Cancels pending transfers to other accounts, because an instance cannot be deleted while it is offered in a transfer.
 */
async function cancelOffers({ emulator }: Sandbox): Promise<void> {
  const { api, close } = connect(emulator);
  for await (const { token, status } of api.entityTransfers.list.all())
    if (status === "pending") await api.entityTransfers.cancel({ path: { token } });
  await close();
}

/** Kinds whose objects the service never deletes: canceled transfers, and tags without objects. */
const lasting = ["transfers", "tags"];

test.each(providers("native"))(
  "the program of an imported account shows no changes, and can destroy the account: %s",
  async (provider) => {
    await using box = await sandbox("");
    await fill(box.emulator.world, "small");
    await cancelOffers(box);
    box.emulator.requests.clear();
    const it = project(box);
    const first = await it.import(["--provider", provider]);
    expect(first, first.stderr).toMatchObject({ code: 0 });
    expect(mutations(box.emulator)).toEqual([]);
    expect(box.emulator.requests.list().length).toBeLessThan(50);
    it.link();
    for (const [, key = ""] of first.stdout.matchAll(/config set --secret (\w+)/g))
      await it.pulumi("config", "set", "--secret", key, "Correct-Horse-42");
    await it.pulumi("preview", "--expect-no-changes", "--diff");

    const files = it.files();
    expect(await it.import([])).toMatchObject({ code: 0, stdout: expect.stringMatching(/^nothing new to import\n/) });
    expect(it.files()).toEqual(files);

    const { api, close } = connect(box.emulator);
    const [web] = (await api.instances.list({}, { filter: { label: "web" } })).data;
    await api.volumes.create({ body: { label: "logs", size: 20, compute_id: web?.id ?? 0 } });
    await close();
    const edited = `${files["compute.ts"]}\n// Reviewed by hand.\n`.replace("size: 100,", "size: 100, // as agreed");
    writeFileSync(join(it.folder, "compute.ts"), edited);
    const second = await it.import([]);
    expect(second.stdout).toContain("imported 1 object into prod: Volume (1)\n");
    const { "compute.ts": compute, ...others } = it.files();
    const { "compute.ts": _, ...before } = files;
    expect(compute).toBe(
      `${edited}\nexport const logs = new Volume("logs", {\n  label: "logs",\n  region: "us-east",\n  computeId: web.id,\n});\n`,
    );
    expect(others).toEqual(before);
    await it.pulumi("preview", "--expect-no-changes");

    await it.pulumi("state", "unprotect", "--all", "--yes");
    await it.pulumi("destroy", "--yes");
    const left = Object.keys(box.holds());
    expect(left.filter((table) => !lasting.includes(table))).toEqual([]);
  },
);
