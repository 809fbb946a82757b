import { camel, InstanceClone, InstanceCreate, type Rule } from "../../api";
import type { Host } from "../engine";
import { bodyOf } from "./body";

type Create = Omit<InstanceCreate, "booted" | "swap_size"> & {
  booted?: boolean | undefined;
  swap_size?: number | undefined;
};

/** What a program can say of a copy besides what it says of every instance. */
export interface Origin {
  clone_from?: number | undefined;
  clone_disks?: number[] | undefined;
  clone_configs?: number[] | undefined;
}

/** What a copy brings along, so that nothing can be said of it. */
const brought = [
  "image",
  "backup_id",
  "root_pass",
  "authorized_keys",
  "authorized_users",
  "stackscript_id",
  "stackscript_data",
  "swap_size",
] as const;

export const originRules: Rule<Origin & Pick<Create, (typeof brought)[number]>>[] = [
  {
    reads: ["clone_from", ...brought],
    *check({ clone_from, ...want }) {
      for (const field of brought)
        if (clone_from !== undefined && want[field] !== undefined)
          yield { field, reason: `must be absent: the instance is a copy of ${clone_from} and brings its own` };
    },
    source: "part 1 · Endpoints · Compute instances",
  },
  {
    reads: ["clone_from", "clone_disks", "clone_configs"],
    *check({ clone_from, ...want }) {
      for (const field of ["clone_disks", "clone_configs"] as const)
        if (clone_from === undefined && want[field] !== undefined)
          yield { field, reason: `must be absent without ${camel("clone_from")}` };
    },
    source: "part 1 · Endpoints · Compute instances",
  },
];

/** Makes the instance: a copy where it has an origin; what a copy can't be told is changed once it is there. */
export async function makeInstance(api: Host["api"], want: Origin & Create): Promise<{ id: number }> {
  const { clone_from: computeId, clone_disks: disks, clone_configs: configs } = want;
  if (computeId === undefined) return api.instances.create({ body: bodyOf(InstanceCreate, want) });
  return api.instances.clone({
    path: { computeId },
    body: { ...bodyOf(InstanceClone.omit({ compute_id: true }), want), disks, configs },
  });
}
