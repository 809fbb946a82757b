import { type DialectName, type Operations, operations, translationOf } from "../../api";
import { areas, tables } from "../areas";
import type { Row, TableSpec } from "../core/store";
import type { ServedArea } from "../http/handlers";
import { contractVocabulary, type Vocabulary } from "../http/vocabulary";
import type { Behavior } from "./behavior";
import { linode } from "./linode";
import { vocabularyIn } from "./vocabulary";

const behaviors: Readonly<Record<DialectName, Behavior>> = { linode };

/** The operations that the emulator serves, how requests name them, and the rows of a new account. */
export interface Offer {
  operations: Operations;
  areas: { [A in keyof Operations]: ServedArea<Operations[A]> };
  tables: Readonly<Record<string, TableSpec<Row>>>;
  vocabulary: Vocabulary;
}

const contract: Offer = { operations, areas, tables, vocabulary: contractVocabulary };

/**
 * The operations and rows with a dialect. Each combination has one object, so that caches can use its parts as their
 * keys.
 */
export function offerOf(dialect: DialectName | undefined, strict: boolean): Offer {
  if (dialect === undefined) return contract;
  const name = `${dialect}${strict ? " strict" : ""}`;
  const known = offers.get(name) ?? offerIn(dialect, strict);
  offers.set(name, known);
  return known;
}
const offers = new Map<string, Offer>();

function offerIn(dialect: DialectName, strict: boolean): Offer {
  const behavior = behaviors[dialect];
  return {
    operations: { ...operations, ...behavior.operations },
    areas: { ...areas, ...behavior.areas },
    tables: withRows(tables, behavior.catalogue),
    vocabulary: vocabularyIn(translationOf(dialect), behavior, strict),
  };
}

function withRows(specs: Offer["tables"], catalogue: Behavior["catalogue"]): Offer["tables"] {
  const added = Object.entries(catalogue).map(([name, rows]) => {
    const spec = specs[name] as TableSpec<Row>;
    return [name, { ...spec, rows: [...spec.rows, ...(rows as readonly Row[])] }];
  });
  return { ...specs, ...Object.fromEntries(added) };
}
