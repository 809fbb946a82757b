import type { images } from "../../../../api";
import type { Plans } from "../plan";

export const plans = {
  list: () => ({}),
  view: () => ({ path: { imageId: "compute/debian11" } }),
} satisfies Plans<typeof images>;
