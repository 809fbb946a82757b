import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Head } from "../../provider/heads/migration";
import { run } from "../cli/command";
import { idsOf, mutations, type Sandbox, sandbox } from "./sandbox";

/** Runs commands of the package for the sandbox's stack. */
function commands({ stack, emulator }: Sandbox) {
  const env = { ...stack.env, CLOUDINFRA_URL: emulator.url, CLOUDINFRA_TOKEN: emulator.token };
  const here = ["--stack", "test", "--project", stack.dir];
  return {
    drift: (...args: string[]) => run(["drift", ...here, ...args], { env }),
    adopt: (...args: string[]) => run(["adopt", ...args, ...here], { env }),
    migrate: (to: Head) => run(["migrate", "--to", to, ...here], { env }),
    /** A dry run of an import into another project, which leaves out the objects of this stack. */
    async importable(object: string) {
      const file = join(stack.home, "state.json");
      await writeFile(file, JSON.stringify(await stack.export()));
      const folder = join(stack.home, "imported");
      return run(["import", object, "--state", file, "--out", folder, "--into", "prod", "--dry-run"], { env });
    },
  };
}

test.each(["dynamic", "native"] as const)(
  "failed deletion of a replaced object → drift → adopt → up: the object is not offered until the stack lets it go (%s)",
  async (head) => {
    const program = (region: string, more = "") =>
      `new cloudinfra.Volume("data", { region: "${region}", size: 20 });\n${more}`;
    await using box = await sandbox(program("us-east"), { native: head === "native" });
    const { stack, emulator } = box;
    const { drift, adopt, migrate, importable } = commands(box);
    const old = idsOf(await stack.up())["Volume data"] ?? "";
    emulator.faults.add({ path: "volumes.delete", kind: "status", status: 418 });
    await box.rewrite(program("us-west"));
    expect((await stack.up([], { mayFail: true })).code).not.toBe(0);
    expect(emulator.world.volumes.all()).toHaveLength(2);

    const checked = await drift("--unmanaged");
    expect(checked, checked.stderr).toMatchObject({ code: 0 });
    expect(checked.stdout).toContain("Unmanaged: none");
    expect(checked.stdout).toContain(
      `Note: Volume ${old} is not compared, because test/test/Volume/data was replaced and the next update deletes this object.`,
    );
    expect((await importable(`volume/${old}`)).stdout).toContain("nothing new to import");
    if (head === "native") expect(await migrate("dynamic")).toMatchObject({ code: 0 });
    const refused = await adopt("Volume", "rescued", old);
    expect(refused).toMatchObject({ code: 1, stdout: "" });
    expect(refused.stderr).toContain(`Volume "rescued" (${old}): Pulumi will delete this object in the next update`);

    // The user follows the message. In a terminal, "pulumi state delete" asks which of the two entries to remove.
    const state = await stack.export();
    const resources = state.deployment.resources?.filter((row) => row.delete !== true) ?? [];
    await stack.import({ ...state, deployment: { ...state.deployment, resources } });
    expect((await drift("--unmanaged")).stdout).toContain(`(${old}) in us-east`);
    const adopted = await adopt("Volume", "rescued", old);
    expect(adopted, adopted.stderr).toMatchObject({ code: 0 });

    const declaration = adopted.stdout.slice(adopted.stdout.indexOf("new Volume(")).replace("new ", "new cloudinfra.");
    await box.rewrite(program("us-west", declaration), "dynamic");
    emulator.requests.clear();
    await stack.up();
    expect(mutations(emulator)).toEqual([]);
    expect(emulator.world.volumes.find(Number(old))).toBeDefined();
    await box.rewrite("", "dynamic");
    const protectedOne = await stack.up([], { mayFail: true });
    expect(protectedOne.stdout).toContain("cannot be deleted");
    expect(emulator.world.volumes.find(Number(old))).toBeDefined();
  },
);
