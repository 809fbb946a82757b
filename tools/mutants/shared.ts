/** The values that the mutated sources share with this folder, under Stryker's names. */
interface Shared {
  /** The test that runs. Unset while modules are loaded. */
  currentTestId?: string | undefined;
  /** How often the active mutant ran, and how often it may. */
  hitCount?: number;
  hitLimit?: number;
  mutantCoverage?: { static: Record<string, number>; perTest: Record<string, Record<string, number>> };
}

// The mutated sources use this global, which has no type.
const world = globalThis as { __stryker__?: Shared };

export const shared: Shared = world.__stryker__ ?? {};
world.__stryker__ = shared;
