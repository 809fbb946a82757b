import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { urnParts } from "../../../provider/pulumi/urn";
import type { EngineStack, Run } from "../../../testing/engine";
import { run } from "../../cli/command";

/** An object that no resource manages. */
export interface Surplus {
  kind: string;
  id: string;
}

/** An object, with the name of the resource that will manage it. */
export interface Named extends Surplus {
  name: string;
}

const cli = async (stack: EngineStack, args: string[], codes: readonly number[] = [0]): Promise<string> => {
  const { code, stdout, stderr } = await run([...args, "--stack", "test", "--project", stack.dir], { env: stack.env });
  expect(codes, `cloudinfra ${args.join(" ")}\n${stdout}\n${stderr}`).toContain(code);
  return stdout;
};

/** The start of the reason for a resource whose create was interrupted, and that was removed from the program later. */
const PENDING = "an update is in progress or was interrupted while creating it";

/**
 * The objects that `cloudinfra drift --unmanaged` lists. Fails if the command also finds drift, or has not checked a resource
 * for another reason than a create that was interrupted, which Pulumi keeps in the state.
 */
export async function unmanaged(stack: EngineStack): Promise<Surplus[]> {
  const report = JSON.parse(await cli(stack, ["drift", "--unmanaged", "--format", "json"], [0, 3]));
  expect(report.findings.filter(({ bucket }: { bucket: string }) => bucket === "drift")).toEqual([]);
  expect(report.unread.filter(({ reason }: { reason: string }) => !reason.startsWith(PENDING))).toEqual([]);
  return report.unmanaged.objects.map(({ kind, id }: Surplus) => ({ kind, id }));
}

/** Adopts the objects, and returns the program that declares them. */
export async function adopt(stack: EngineStack, objects: readonly Named[]): Promise<string> {
  const file = join(stack.home, "adopt.txt");
  await writeFile(file, objects.map(({ kind, name, id }) => `${kind} ${name} ${id}`).join("\n"));
  return cli(stack, ["adopt", "--file", file]);
}

/**
 * Objects that the errors of an update suggest to adopt, because a label in the program is already in use. Each object
 * is returned with the name of the resource that declares the label.
 */
export const suggested = ({ diagnostics }: Run): Named[] =>
  diagnostics.flatMap(({ message, urn = "" }) => {
    const [, kind, id] = /npx cloudinfra adopt (\w+) NAME ([\w./:-]+)/.exec(message) ?? [];
    const { name } = urnParts(urn);
    return kind && id && name ? [{ kind, id, name }] : [];
  });
