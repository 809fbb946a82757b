import { expect } from "vitest";
import type { Bag } from "../../../provider/engine/values";
import type { KindName } from "../../../provider/resources";
import { cloud } from "../../../testing/cloud";
import { type Failure, Managed } from "../../../testing/provider";

/**
 * The input errors that a preview reports, one per line. Also checks that the preview reads only lists such as regions
 * and instance types.
 */
export async function refusals(kind: KindName, inputs: Bag): Promise<string> {
  await using world = await cloud();
  const failures = await new Managed(kind, world.host).failures(inputs);
  const catalogues = /^(account\.view|(regions|types|images|kernels|lkeVersions|objectStorageClusters)\.list)$/;
  for (const { operation } of world.emulator.requests.list()) expect(operation).toMatch(catalogues);
  return lines(failures);
}

export const lines = (failures: readonly Failure[]): string =>
  failures.map(({ property, reason }) => (property ? `${property}: ${reason}` : reason)).join("\n");
