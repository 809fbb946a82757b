import type { Step } from "./scenarios";

/**
 * Other providers, for comparison. They were measured on 2026-11-22, and terraform with 100 instances on 2026-11-23, with
 * the same emulator as this project's provider. A proxy translated between their API's field names and the emulator's.
 */
export const peers = ["terraform-provider-linode 3.9", "pulumi-linode 6.0"] as const;

export interface PeerFigure {
  seconds: number;
  calls?: number;
}

/** Figures by number of resources and Pulumi command, such as `up`, in the order of {@link peers}. */
export const peerFigures: Record<
  number,
  Partial<Record<Step, readonly [PeerFigure | undefined, PeerFigure | undefined]>>
> = {
  20: {
    up: [
      { seconds: 19.1, calls: 224 },
      { seconds: 27.1, calls: 223 },
    ],
    refresh: [
      { seconds: 2.5, calls: 142 },
      { seconds: 4.4, calls: 142 },
    ],
    destroy: [
      { seconds: 20.6, calls: 305 },
      { seconds: 24.3, calls: 162 },
    ],
  },
  100: {
    up: [
      { seconds: 90.6, calls: 1_104 },
      { seconds: 141, calls: 1_103 },
    ],
    preview: [undefined, { seconds: 20.4 }],
    "one change": [{ seconds: 6 }, undefined],
    refresh: [
      { seconds: 5.7, calls: 702 },
      { seconds: 17.2, calls: 702 },
    ],
    destroy: [
      { seconds: 92.3, calls: 1_505 },
      { seconds: 138, calls: 802 },
    ],
  },
};
