/** A violation of a rule. */
export interface Breach {
  /** Dotted path of the field, such as `rules.inbound.3.ports`. */
  field: string;
  /** The violated constraint, worded to follow the field's name: `must …`, `is required …`. */
  reason: string;
}

/**
 * A rule of the documents that involves several fields. The emulator enforces it, and the provider checks it in
 * advance.
 */
export interface Rule<T> {
  /** Top-level fields that the rule reads. The rule is not checked while one of them is unknown. */
  reads: readonly (keyof T & string)[];
  /** Yields the violations of the rule. */
  check: (value: T) => Iterable<Breach>;
  /** The rule applies to create requests only. */
  creation?: true;
  /** Document, section and number of the rule, such as `part 1 · Endpoints · Compute instances · rule 2`. */
  source: string;
}

/** All violations of the given rules in a value. */
export const breaches = <T>(rules: readonly Rule<T>[], value: T): Breach[] =>
  rules.flatMap(({ check }) => [...check(value)]);

/** Adapts rules to the object in which the checked value is nested. The rules apply only if the value is set. */
export function within<K extends string, T>(
  field: K,
  rules: readonly Rule<T>[],
): Rule<{ [N in K]?: T | null | undefined }>[] {
  return rules.map(({ check, source }) => ({
    reads: [field],
    *check({ [field]: inner }) {
      if (inner === undefined || inner === null) return;
      for (const breach of check(inner)) yield { ...breach, field: `${field}.${breach.field}` };
    },
    source,
  }));
}

/** Adapts rules to the object that has a list or map of the checked values. */
export function withinEach<K extends string, T>(
  field: K,
  rules: readonly Rule<T>[],
): Rule<{ [N in K]?: readonly T[] | Readonly<Record<string, T>> | undefined }>[] {
  return rules.map(({ check, source }) => ({
    reads: [field],
    *check({ [field]: entries }) {
      for (const [at, entry] of Object.entries<T>(entries ?? {}))
        for (const breach of check(entry)) yield { ...breach, field: `${field}.${at}.${breach.field}` };
    },
    source,
  }));
}
