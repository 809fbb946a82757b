import { dirname } from "node:path";
import { countBy, type Finding, findings, folderOf } from "./check";

const USAGE = `usage: prose [--counts] [PATH...]
  (no option)  print each banned construction of docs, messages and comments and each banned name in code, with what to
               write instead
  --counts     print how many there are per rule and folder`;

function main(): void {
  const root = dirname(require.resolve("pulumi-cloudinfra/package.json"));
  const options = process.argv.slice(2).filter((word) => word.startsWith("-"));
  const found = findings(
    root,
    process.argv.slice(2).filter((word) => !word.startsWith("-")),
  );
  if (options.length === 0) {
    for (const finding of found) console.log(line(finding));
    if (found.length) process.exitCode = 1;
  } else if (options[0] === "--counts") console.table(table(found));
  else {
    console.error(USAGE);
    process.exitCode = 2;
  }
}

const line = ({ file, line, rule, words, instead }: Finding): string =>
  `${file}:${line}: ${rule}: "${words}". Instead: ${instead}.`;

/** Counts findings for `console.table`: a row for each folder, and a column for each rule. */
function table(found: readonly Finding[]): Record<string, Record<string, number>> {
  const rows = Object.fromEntries(
    Object.keys(countBy(found, ({ file }) => folderOf(file))).map((folder) => {
      const ofFolder = found.filter(({ file }) => folderOf(file) === folder);
      return [folder, { all: ofFolder.length, ...countBy(ofFolder, ({ rule }) => rule) }];
    }),
  );
  return { ...rows, all: { all: found.length, ...countBy(found, ({ rule }) => rule) } };
}

main();
