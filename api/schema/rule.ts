/** A broken rule. */
export interface Breach {
  /** Where: the field's dotted path, e.g. `rules.inbound.3.ports`. */
  field: string;
  /** What is allowed there, as the end of a sentence that begins with the field: `must …`, `is required …`. */
  reason: string;
}

/** A rule over several fields, as the documents state it: the emulator refuses by it, the provider checks by it. */
export interface Rule<T> {
  /** Top-level fields that the rule reads: while one of them is unknown, it can't be judged. */
  reads: readonly (keyof T & string)[];
  /** What breaks the rule; nothing when it is kept. */
  check: (value: T) => Iterable<Breach>;
  /** Asks for what only a creation needs: an object that exists may do without. */
  creation?: true;
  /** Document, section and number, e.g. `part 1 · Endpoints · Compute instances · rule 2`. */
  source: string;
}

/** All breaches of the rules by a value. */
export const breaches = <T>(rules: readonly Rule<T>[], value: T): Breach[] =>
  rules.flatMap(({ check }) => [...check(value)]);

/** The same rules for a value that lies in a field of a larger one; no value, nothing to keep. */
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

/** The same rules for each entry of a list, or of a map under names, in a field of a larger value. */
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
