import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { urnParts } from "../../../provider/heads/urn";
import type { EngineStack, Run } from "../../../testing/engine";
import { run } from "../../cli/command";

/** An object that no resource manages. */
export interface Surplus {
  kind: string;
  id: string;
}

const cli = async (stack: EngineStack, args: string[]): Promise<string> => {
  const { code, stdout, stderr } = await run([...args, "--stack", "test", "--project", stack.dir], { env: stack.env });
  expect(code, `cloudinfra ${args.join(" ")}\n${stdout}\n${stderr}`).toBe(0);
  return stdout;
};

/** The objects that `cloudinfra drift --unmanaged` lists. Drift fails it. */
export async function unmanaged(stack: EngineStack): Promise<Surplus[]> {
  const report = JSON.parse(await cli(stack, ["drift", "--unmanaged", "--format", "json"]));
  return report.unmanaged.objects.map(({ kind, id }: Surplus) => ({ kind, id }));
}

/** Adopts the objects under new names, and returns the program that declares them. */
export async function adoptAll(stack: EngineStack, objects: readonly Surplus[]): Promise<string> {
  const file = join(stack.home, "surplus.txt");
  await writeFile(file, objects.map(({ kind, id }) => `${kind} surplus-${id.replace("/", "-")} ${id}`).join("\n"));
  return cli(stack, ["adopt", "--file", file]);
}

/** Runs the commands that the errors of an update suggest: they adopt objects whose labels are taken. */
export async function adoptNamed(stack: EngineStack, { diagnostics }: Run): Promise<number> {
  let adopted = 0;
  for (const { message, urn = "" } of diagnostics) {
    const [, kind, id] = /npx cloudinfra adopt (\w+) NAME ([\w./:-]+)/.exec(message) ?? [];
    const { name } = urnParts(urn);
    if (!kind || !id || !name) continue;
    await cli(stack, ["adopt", kind, name, id]);
    adopted++;
  }
  return adopted;
}
