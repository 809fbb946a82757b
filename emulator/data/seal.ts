import type { DatabaseSync } from "node:sqlite";
import { crc32 } from "node:zlib";

/**
 * The expected contents of a data file, stored in the file by each commit. Together with the checksums of the rows, it shows
 * whether anything is damaged, missing or older than the rest.
 */
export interface Seal {
  /** Random id of the data file. */
  file: string;
  /** Number of commits so far. */
  commit: number;
  /** Whether an emulator uses the file. If it was killed, the value is still true. */
  open: boolean;
  /** Number of rows, and the sum of their checksums. */
  rows: number;
  sum: number;
  /** Sum of the checksums of the values in the table `account`. */
  values: number;
  /** The value of `chain` after the previous commit. */
  previous: number;
  /** Checksum of everything above, and through `previous` of all earlier commits. */
  chain: number;
}

/** The name of the seal in the table `account`. */
export const SEAL = "seal";

/** The values of the table `account` without the seal, by name, as they are stored. */
export type Values = readonly (readonly [name: string, value: string])[];

export const rowSum = (table: string, row: string): number => crc32(row, crc32(table));

export const valueSum = rowSum;

export const total = (sums: readonly number[]): number => sums.reduce((sum, one) => sum + one, 0);

export const sealed = (what: Omit<Seal, "chain">): Seal => ({ ...what, chain: crc32(unsealed(what), what.previous) });

const unsealed = ({ file, commit, open, rows, sum, values, previous }: Omit<Seal, "chain">): string =>
  `${file} ${commit} ${open ? "open" : "closed"} ${rows} ${sum} ${values} ${previous}`;

export const sealText = (seal: Seal): string => `${unsealed(seal)} ${seal.chain}`;

/** Reads a stored seal. Returns undefined if it is damaged. */
export function parsedSeal(text: string): Seal | undefined {
  const [, file, commit, open, rows, sum, values, previous, chain] =
    /^([0-9a-f]{16}) (\d+) (open|closed) (\d+) (\d+) (\d+) (\d+) (\d+)$/.exec(text) ?? [];
  if (file === undefined) return undefined;
  const seal = sealed({
    file,
    commit: Number(commit),
    open: open === "open",
    rows: Number(rows),
    sum: Number(sum),
    values: Number(values),
    previous: Number(previous) >>> 0,
  });
  return seal.chain === Number(chain) ? seal : undefined;
}

export interface Checked {
  /** Undefined if the file has none, or a damaged one. */
  seal: Seal | undefined;
  /** Whether the values of the table `account` are those of the last commit. */
  areValuesIntact: boolean;
}

/** Reads the seal of a data file and compares the table `account` with it. */
export function readSeal(values: Values): Checked {
  const seal = parsedSeal(values.find(([name]) => name === SEAL)?.[1] ?? "");
  const sums = values.filter(([name]) => name !== SEAL).map(([name, value]) => valueSum(name, value));
  return { seal, areValuesIntact: seal !== undefined && total(sums) === seal.values };
}

/** The table `account` as it is stored. */
export const valuesIn = (db: DatabaseSync): Values =>
  db
    .prepare("SELECT name, value FROM account")
    .all()
    .map(({ name, value }) => [String(name), String(value)]);

/** Compares an open data file with its checksums. Each problem is a sentence without a full stop. */
export function damages(db: DatabaseSync): { seal: Seal | undefined; problems: string[] } {
  const { seal, areValuesIntact } = readSeal(valuesIn(db));
  if (!seal || !areValuesIntact)
    return { seal, problems: ["the values of the account, such as the clock, do not match their checksum"] };
  const problems: string[] = [];
  let [rows, sum] = [0, 0];
  for (const one of db.prepare("SELECT tbl, id, row, sum FROM rows").iterate()) {
    const table = String(one.tbl);
    if (rowSum(table, String(one.row)) !== one.sum)
      problems.push(`the row ${one.id} of the table ${table} does not match its checksum`);
    rows++;
    sum += Number(one.sum);
  }
  if (problems.length === 0 && rows !== seal.rows)
    problems.push(`it has ${rows} rows, but had ${seal.rows} after the last commit`);
  else if (problems.length === 0 && sum !== seal.sum) problems.push("rows are older than the last commit");
  return { seal, problems };
}
