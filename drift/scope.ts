import { z } from "zod";
import { isKindName, noKindMessage } from "../account/kinds";
import type { KindName } from "../provider/resources";
import type { StackState, StateResource } from "../stack/state";
import { KindError } from "./errors";

/** The options that limit a check, or extend it. */
export interface ScopeOptions {
  /**
   * Names of kinds, such as `Volume`, whose objects and resources are neither read nor reported. An object that several
   * kinds could manage counts as the kind that an import declares: a volume counts as a `Volume`. Defaults to none.
   */
  ignoreKinds?: readonly KindName[] | undefined;
  /**
   * Whether to list objects that no stack manages, too. All lists of the account are read for that. Defaults to false.
   */
  unmanaged?: boolean | undefined;
}

/** The limits of a check, as fields of its report. Texts name them by the words of their names: `ignored kinds`. */
export const limits = {
  ignoredKinds: z
    .array(z.string())
    .optional()
    .describe(
      "The kinds, such as `Volume`, whose objects and resources the check neither read nor reported. Absent if there are none.",
    ),
};

export type Limits = { [Name in keyof typeof limits]?: z.output<(typeof limits)[Name]> };

/** The kinds with the given names. Throws an error for the first name that no kind has. */
export function kindsNamed(names: readonly string[]): KindName[] {
  return names.map((name) => {
    if (!isKindName(name)) throw new KindError(noKindMessage(name));
    return name;
  });
}

/** The extent of a check: which kinds it reads and reports. Every part of a check asks it, and none reads the options. */
export class Scope {
  readonly #ignored: readonly KindName[];
  /** Whether the check lists objects that no stack manages. */
  readonly unmanaged: boolean;

  constructor({ ignoreKinds = [], unmanaged = false }: ScopeOptions) {
    this.#ignored = [...new Set(kindsNamed(ignoreKinds))].sort();
    this.unmanaged = unmanaged;
  }

  /**
   * Whether objects and resources of a kind are read and reported. States and previews of other versions also contain
   * kinds that this version does not have: they are covered unless an option names all kinds to read.
   */
  covers = (kind: string): boolean => !this.#ignored.some((name) => name === kind);

  /** The resources that the check compares. */
  comparedOf = (resources: readonly StateResource[]): StateResource[] =>
    resources.filter(({ kind }) => this.covers(kind.name));

  /** Whether the check reads anything in the account of the resources. */
  isRead = (resources: readonly StateResource[]): boolean => this.unmanaged || this.comparedOf(resources).length > 0;

  /** The part of a stack that the check compares and reports. */
  comparedIn = (stack: StackState): StackState => ({
    ...stack,
    resources: this.comparedOf(stack.resources),
    unusable: stack.unusable.filter(({ kind }) => this.covers(kind)),
    unfinished: stack.unfinished.filter(({ kind }) => this.covers(kind)),
    holders: stack.holders.filter(({ kind }) => this.covers(kind)),
  });

  /** The resources of a stack that the check omits. */
  omittedIn = ({ resources, unusable, unfinished }: StackState): { address: string; urn?: string }[] => [
    ...resources.filter(({ kind }) => !this.covers(kind.name)),
    ...[...unusable, ...unfinished].filter(({ kind }) => !this.covers(kind)),
  ];

  /** The limits of the check, as fields of its report. Empty for a check of all kinds. */
  get limits(): Limits {
    return this.#ignored.length ? { ignoredKinds: [...this.#ignored] } : {};
  }

  get isLimited(): boolean {
    return Object.keys(this.limits).length > 0;
  }
}
