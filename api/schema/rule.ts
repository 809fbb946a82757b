import type { Problem } from "./problems";

/** A violation of a rule. */
export interface Breach {
  /** Dotted path of the field, such as `rules.inbound.3.ports`. */
  field: string;
  /**
   * The violated constraint, worded to follow the field's name: `must be at least 10`, `is required for a volume without
   * an instance`. The provider adds the given value: `size: must be at least 10 (given 5)`.
   */
  reason: string;
}

/**
 * A rule of the API documentation that involves several fields. The provider checks it before it sends a request, and
 * the emulator when it receives one.
 */
export interface Rule<T> {
  /** Top-level fields that the rule reads. During a preview, the rule is skipped while one of them is unknown. */
  reads: readonly (keyof T & string)[];
  check: (value: T) => Iterable<Breach>;
  /** The rule applies to create requests only. */
  creation?: true;
  /** Part, section and number of the rule in the API documentation: `part 1 · Endpoints · Volumes · rule 3`. */
  source: string;
}

/** The violation as a problem of an input, in whose path the indexes of lists are numbers. */
export const problemOf = ({ field, reason }: Breach): Problem => ({
  path: field.split(".").map((part) => (/^\d+$/.test(part) ? Number(part) : part)),
  reason,
});

export const breaches = <T>(rules: readonly Rule<T>[], value: T): Breach[] =>
  rules.flatMap(({ check }) => [...check(value)]);

/**
 * Converts rules for a nested object to rules for the object that contains it. They are skipped if the nested object is
 * not set.
 */
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

/** Converts rules for an entry to rules for the object that contains a list or map of such entries. */
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
