interface Deployed {
  stack: string;
  address: string;
  /** Address of the resource whose deletion deletes this object, too. */
  container: string | undefined;
  /** By path, with the values in the program. */
  properties: Readonly<Record<string, { declared: unknown }>>;
}

/** A resource as the test has left it. */
interface Row extends Deployed {
  /** The values in state. Undefined if the resource is not in state. */
  recorded: Map<string, unknown> | undefined;
  /** The values in the account. Undefined if the object was deleted. */
  actual: Map<string, unknown> | undefined;
}

interface Found {
  /** Address, and path or `deleted`. */
  key: string;
  address: string;
  isDeletion: boolean;
  values: string;
}

interface Alert {
  type: "found" | "changed" | "resolved";
  finding: Found;
}

/** The alerts that a service must send, according to the changes that the test has made. It knows no reports. */
export class Expectation {
  readonly #rows = new Map<string, Row>();
  /** The findings that were alerted and not resolved. */
  readonly #open = new Map<string, Found>();
  readonly counts = { found: 0, changed: 0, resolved: 0 };

  deployed({ stack, address, container, properties }: Deployed): void {
    const values = () => new Map(Object.entries(properties).map(([path, { declared }]) => [path, declared]));
    this.#rows.set(address, { stack, address, container, properties, recorded: values(), actual: values() });
  }

  edited(address: string, path: string, value: unknown): void {
    this.#row(address).actual?.set(path, value);
  }

  deleted(address: string): void {
    for (const row of this.#rows.values())
      if (row.address === address || row.container === address) row.actual = undefined;
  }

  /** After `pulumi up --refresh`, the account and the state are as the program says. */
  updated(stack: string): void {
    for (const row of this.#in(stack)) this.deployed(row);
  }

  /** After `pulumi refresh`, the state is as the account. */
  refreshed(stack: string): void {
    for (const row of this.#in(stack)) row.recorded = row.actual && new Map(row.actual);
  }

  /** Whether both the account and the state have the object. */
  isEditable(address: string): boolean {
    const { recorded, actual } = this.#row(address);
    return recorded !== undefined && actual !== undefined;
  }

  recorded(address: string, path: string): unknown {
    return this.#row(address).recorded?.get(path);
  }

  /** The properties that differ from the state. */
  edits(): { address: string; path: string }[] {
    return [...this.#rows.values()].flatMap((row) =>
      changesOf(row).map(({ path }) => ({ address: row.address, path })),
    );
  }

  /** The alerts after a check that has read all resources except those at `unread`. */
  checked(unread: ReadonlySet<string>): string[] {
    const read = [...this.#rows.values()].filter(({ address }) => !unread.has(address));
    const deleted = new Set(read.filter(isDeleted).map(({ address }) => address));
    const present = new Map(findingsIn(read, deleted).map((finding) => [finding.key, finding]));
    const alerts: Alert[] = [];
    for (const finding of present.values()) {
      const before = this.#open.get(finding.key);
      if (!before) alerts.push({ type: "found", finding });
      else if (before.values !== finding.values) alerts.push({ type: "changed", finding });
    }
    for (const finding of this.#open.values()) {
      // A deleted record is still deleted when its domain is deleted, too, and what has changed is not undone by that.
      if (present.has(finding.key) || unread.has(finding.address) || deleted.has(finding.address)) continue;
      alerts.push({ type: "resolved", finding });
      this.#open.delete(finding.key);
    }
    for (const finding of present.values()) this.#open.set(finding.key, finding);
    for (const { type } of alerts) this.counts[type]++;
    return alerts.map(({ type, finding: { key, values } }) => `drift.${type} ${key}${values}`);
  }

  /** The numbers of objects of a stack that metrics show. */
  numbers(stack: string): { drifted: number; missing: number } {
    const rows = this.#in(stack).filter(({ recorded }) => recorded);
    return {
      drifted: rows.filter((row) => changesOf(row).length).length,
      missing: rows.filter(isDeleted).length,
    };
  }

  #in(stack: string): Row[] {
    return [...this.#rows.values()].filter((row) => row.stack === stack);
  }

  #row(address: string): Row {
    const row = this.#rows.get(address);
    if (!row) throw new Error(`${address} is not deployed`);
    return row;
  }
}

const isDeleted = ({ recorded, actual }: Row): boolean => recorded !== undefined && actual === undefined;

/** The findings about the rows. An object that was deleted with its container is part of the container's finding. */
function findingsIn(rows: readonly Row[], deleted: ReadonlySet<string>): Found[] {
  const isPart = ({ address, container = "" }: Row): boolean => deleted.has(address) && deleted.has(container);
  return rows
    .filter((row) => !isPart(row))
    .flatMap((row): Found[] => {
      const { address } = row;
      if (!isDeleted(row))
        return changesOf(row).map(({ path, values }) => ({
          key: `${address} ${path}`,
          address,
          isDeletion: false,
          values: ` ${values}`,
        }));
      return [{ key: `${address} deleted`, address, isDeletion: true, values: "" }];
    });
}

/** The differences between state and account of an object that both have. */
function changesOf({ recorded, actual }: Row): { path: string; values: string }[] {
  if (!recorded || !actual) return [];
  return [...recorded].flatMap(([path, expected]) => {
    const value = actual.get(path);
    return value === expected ? [] : [{ path, values: `${JSON.stringify(expected)} → ${JSON.stringify(value)}` }];
  });
}
