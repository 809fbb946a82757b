import { type Area, kebab, type Operation, operations, suggestion } from "../../api";
import { UsageError } from "../../stack/errors";

export interface Named<T> {
  /** Name in code, such as `lkeClusters`. */
  key: string;
  /** Name on the command line, such as `lke-clusters`. */
  name: string;
  value: T;
}

const withNames = <T>(record: Readonly<Record<string, T>>): Named<T>[] =>
  Object.entries(record)
    .map(([key, value]) => ({ key, name: kebab(key), value }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));

export const areas = (): Named<Area>[] => withNames<Area>(operations);

export const operationsOf = (area: Area): Named<Operation>[] => withNames(area);

export const findArea = (name: string): Named<Area> => find("area", name, areas());

export const findOperation = (area: Named<Area>, name: string): Named<Operation> =>
  find(`operation of ${area.name}`, name, operationsOf(area.value));

/**
 * Whether a word on the command line means the name. Dashes and case are ignored: `nodebalancers` equals
 * `node-balancers`.
 */
export const isNamed = ({ name }: Named<unknown>, text: string): boolean => letters(name) === letters(text);

const letters = (name: string): string => name.replace(/[-_]/g, "").toLowerCase();

function find<T>(what: string, name: string, candidates: readonly Named<T>[]): Named<T> {
  const found = candidates.find((one) => isNamed(one, name));
  if (found) return found;
  const names = candidates.map((one) => one.name);
  throw new UsageError(`there is no ${what} "${name}"${suggestion(name, names)}`);
}
