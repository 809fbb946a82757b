/** A broken rule. */
export interface Breach {
  /** The field's dotted path, such as `rules.inbound.3.ports`. */
  field: string;
  /** The constraint, as the end of a sentence that begins with the field: `must …`, `is required …`. */
  reason: string;
}

/** A rule of the documents over several fields, which the emulator enforces and the provider checks. */
export interface Rule<T> {
  /** Top-level fields that the rule reads: it is not checked while one of them is unknown. */
  reads: readonly (keyof T & string)[];
  /** Yields the violations of the rule. */
  check: (value: T) => Iterable<Breach>;
  /** Applies to create requests only. */
  creation?: true;
  /** Document, section and number, e.g. `part 1 · Endpoints · Compute instances · rule 2`. */
  source: string;
}

/** All violations of the rules by a value. */
export const breaches = <T>(rules: readonly Rule<T>[], value: T): Breach[] =>
  rules.flatMap(({ check }) => [...check(value)]);

/** Applies rules to a nested value, if it is set. */
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

/** Applies rules to each entry of a nested list or map. */
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
