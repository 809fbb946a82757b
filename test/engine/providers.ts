import type { ProviderType } from "../../stack/migration";
import { forEveryChange } from "../nightly";

/**
 * The types of provider that a long test runs with: one for every change (or none), and both in `make nightly`. Tests
 * of a file take turns, so that every change runs commands with both.
 */
export const providers = (everyChange?: ProviderType): readonly ProviderType[] =>
  forEveryChange<ProviderType>(["dynamic", "native"], (type) => type === everyChange);
