import { z } from "zod";
import { Paging, page } from "../schema/common";
import type { Area } from "../schema/operation";

export const LkeVersionId = z
  .string()
  .regex(/^\d+\.\d+$/, "must be a version of the form major.minor, like 1.22")
  .meta({ catalogue: "lkeVersions" })
  .describe("Kubernetes version in the form major.minor.");

export type LkeVersion = z.output<typeof LkeVersion>;
/** A Kubernetes version that clusters can run. */
export const LkeVersion = z.strictObject({ id: LkeVersionId });

/**
 * The only version to which a cluster can be upgraded: the next minor version, such as `1.23` after `1.22`. From the
 * API documentation: part 2 · Endpoints · Kubernetes · rule 2.
 */
export function nextMinor(version: string): string {
  const [major, minor] = version.split(".");
  return `${major}.${Number(minor) + 1}`;
}

const source = "part 2 · Endpoints · Kubernetes";

export const lkeVersions = {
  list: {
    summary: "List the available Kubernetes versions.",
    method: "GET",
    path: "/lke/versions",
    scopes: ["lke:read_only"],
    grant: "read_only",
    query: Paging,
    result: page(LkeVersion),
    source,
  },
  view: {
    summary: "View a Kubernetes version.",
    method: "GET",
    path: "/lke/versions/{version}",
    params: { version: LkeVersionId },
    scopes: ["lke:read_only"],
    grant: "read_only",
    result: LkeVersion,
    source,
  },
} satisfies Area;
