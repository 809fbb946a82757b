import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { countBy, type Finding, findings, folderOf } from "./check";

const USAGE = `usage: prose [--counts | --lower] [PATH...]
  (no option)  print each banned construction of docs, messages and comments, and what to write instead
  --counts     print how many there are per rule and folder
  --lower      lower the numbers in tools/prose/baseline.json to those of today`;

function main(): void {
  const root = dirname(require.resolve("pulumi-cloudinfra/package.json"));
  const options = process.argv.slice(2).filter((word) => word.startsWith("-"));
  const found = findings(
    root,
    process.argv.slice(2).filter((word) => !word.startsWith("-")),
  );
  if (options.length === 0) console.log(found.map(line).join("\n"));
  else if (options[0] === "--counts") console.table(table(found));
  else if (options[0] === "--lower") lower(join(root, "tools/prose/baseline.json"), found);
  else {
    console.error(USAGE);
    process.exitCode = 2;
  }
}

const line = ({ file, line, rule, words, instead }: Finding): string =>
  `${file}:${line}: ${rule}: "${words}". Write ${instead}.`;

/** A row for each folder, a column for each rule that has findings. */
function table(found: readonly Finding[]): Record<string, Record<string, number>> {
  const rows = Object.fromEntries(
    Object.keys(countBy(found, ({ file }) => folderOf(file))).map((folder) => {
      const ofFolder = found.filter(({ file }) => folderOf(file) === folder);
      return [folder, { all: ofFolder.length, ...countBy(ofFolder, ({ rule }) => rule) }];
    }),
  );
  return { ...rows, all: { all: found.length, ...countBy(found, ({ rule }) => rule) } };
}

function lower(file: string, found: readonly Finding[]): void {
  const today = countBy(found, ({ file }) => folderOf(file));
  const before = JSON.parse(readFileSync(file, "utf8")) as Record<string, number>;
  const after = Object.entries(today).map(([folder, count]) => [folder, Math.min(count, before[folder] ?? 0)]);
  writeFileSync(file, `${JSON.stringify(Object.fromEntries(after.filter(([, count]) => count)), undefined, 2)}\n`);
}

main();
