import { join } from "node:path";
import { expect } from "vitest";
import type { DriftReport } from "../../drift";
import { kinds } from "../../provider/resources";
import { nameOf, stackPicture } from "../../tools/pictures/stack";
import type { TemplateProject } from "./template-project";

/**
 * Expects that the picture of an example shows the objects in a JSON report of `cloudinfra drift`. `make pictures` writes
 * the pictures. Returns the kind and the name of each object.
 */
export async function expectPicture(example: string, report: string): Promise<string[]> {
  const { objects } = JSON.parse(report) as DriftReport;
  const picture = stackPicture(example, objects);
  await expect(picture).toMatchFileSnapshot(join(__dirname, "../../examples", example, "picture.svg"));
  return objects.map((object) => `${object.kind} ${nameOf(object)}`).sort();
}

export interface Expected {
  /** The objects of the account after `pulumi up`. */
  holds: Record<string, number>;
  /** Options of the drift check, and the objects that it reports in addition to those of the stack. */
  drift?: string;
  others?: string[];
  /** More checks between `pulumi up` and `pulumi destroy`. */
  meanwhile?: (up: string) => unknown;
}

/**
 * Runs the commands of an example's page, and checks that `pulumi up` prints no warning, that the next preview is empty,
 * that there is no drift, and that `pulumi destroy` deletes everything. The example's picture must show the created
 * resources.
 */
export async function expectExample(
  it: TemplateProject,
  example: string,
  { holds, drift = "", others = [], meanwhile }: Expected,
): Promise<void> {
  const before = it.holds();
  const up = await it.through("pulumi up");
  expect(up).not.toMatch(/^ *(warning|error):/m);
  await it.through("pulumi preview --expect-no-changes");
  const report = await it.run(`npx cloudinfra drift ${drift} --format json`);
  const resources = [...up.matchAll(/^ \+ +\S+:(\w+) (\S+) created/gm)]
    .filter(([, kind = ""]) => kind in kinds)
    .map(([, kind, name]) => `${kind} ${name}`);
  expect(await expectPicture(example, report)).toEqual([...resources, ...others].sort());
  expect(it.holds()).toMatchObject(holds);
  await meanwhile?.(up);
  await it.through("pulumi destroy");
  expect(it.holds()).toEqual(before);
}
