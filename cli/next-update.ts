import type { AdoptedResource } from "../provider/dynamic/provider";

/** The effect of the next update on an adopted object whose values differ from the inputs. Undefined if there is none. */
export function nextUpdate({
  differing,
  replacing,
}: Pick<AdoptedResource, "differing" | "replacing">): string | undefined {
  if (replacing.length)
    return `the next update replaces the object because of ${replacing.join(", ")}: it creates another one and deletes this one`;
  return differing.length ? `the next update changes ${differing.join(", ")}` : undefined;
}
