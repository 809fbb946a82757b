import { Volume } from "../../api";
import type { PathOf, StepContext } from "../engine/contexts";
import { lockTagsIfChanged } from "./object-locks";

/**
 * The outputs of a volume. The label of the instance changes with the instance: if it were in state, every change would
 * show as drift of the volume.
 */
export const volumeOutputs = Volume.extend({ compute_label: Volume.shape.compute_label.meta({ volatile: true }) });

/** The size of a volume. */
export const volumeSize = {
  change: "grow",
  by: ["volumes.resize"],
  note: "the volume is resized in place; it cannot shrink",
  unsupported(current: number, declared: number) {
    if (declared >= current) return undefined;
    const reason =
      `must be at least ${current} (current size in GiB): volumes cannot shrink. ` +
      `Set size to ${current} or more, also if the volume was resized outside this program`;
    return { keeps: current, reason };
  },
} as const;

/** With `undefined`, as the inputs of both kinds of volumes have it. */
type Inputs = { label?: string | undefined; tags?: string[] | undefined; size?: number | undefined };
type Update = Pick<StepContext<PathOf<"volumes">, Inputs, never>, "host" | "api" | "path" | "changed">;

/** The in-place updates of a volume's label, tags and size. */
export const volumeSteps = {
  edit: {
    run: ({ host, api, path, changed }: Update) =>
      lockTagsIfChanged(host, ["volumes", path.volumeId], changed, () => api.volumes.update({ path, body: changed })),
  },
  grow: {
    awaitInputs: true,
    // The update runs only if the size differs, so it is declared.
    run: ({ api, path, changed }: Update) => api.volumes.resize({ path, body: { size: changed.size as number } }),
  },
} as const;

export const volumeReadiness = {
  byStatus: { creating: "wait", resizing: "wait", active: "ready", contact_support: "failed" },
} as const;
