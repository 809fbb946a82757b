import { join } from "node:path";
import { expect } from "vitest";
import type { DriftReport } from "../../drift";
import { nameOf, stackPicture } from "../../tools/pictures/stack";

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
