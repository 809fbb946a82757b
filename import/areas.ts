import { allKinds, containerKindOf, targetsOf } from "../account/kinds";
import { factsOf, type Kind } from "../provider/engine/definition";
import { hasOwnId } from "../provider/engine/identity";
import { type ProgramFile, programFiles } from "../provider/engine/inventory";
import type { KindName } from "../provider/resources";

/** The resource classes that an import of a whole account omits, each with the reason. */
export const excluded: Readonly<Record<string, string>> = Object.fromEntries(
  allKinds
    .flatMap((kind) => {
      const { omissionReason: excluded } = factsOf(kind);
      return excluded === undefined ? [] : [[kind.name, excluded] as const];
    })
    .sort(([a], [b]) => (a < b ? -1 : 1)),
);

export const fileNameOf = (area: ProgramFile): string => `${area}.ts`;

export const fileNames: readonly string[] = programFiles.map(fileNameOf);

/** The path by which other files import a file: `./dns` for `dns.ts`. */
export const moduleOf = (file: string): string => `./${file.replace(/\.ts$/, "")}`;

/**
 * The kinds that can be imported, in the order in which a program declares their objects: by file, and within a file
 * parts of other objects first, such as reverse DNS names, and kinds that are imported only on request last.
 */
const definitions: readonly Kind[] = inOrder(
  allKinds
    .filter((kind) => factsOf(kind).file !== undefined)
    .map((kind) => ({ kind, place: placeOf(kind) }))
    .sort((a, b) => a.place - b.place)
    .map(({ kind }) => kind),
);

function placeOf(kind: Kind): number {
  const { file = "account", list } = factsOf(kind);
  return 3 * programFiles.indexOf(file) + (list === "byId" ? 2 : hasOwnId(kind) ? 1 : 0);
}

/** Moves a nested kind behind the other kinds in the same objects to which it refers: configs refer to disks. */
function inOrder(all: readonly Kind[]): Kind[] {
  const ordered = new Set<Kind>();
  for (const kind of all) {
    const container = containerKindOf(kind);
    const targets = targetsOf(kind);
    for (const nested of all)
      if (container && containerKindOf(nested) === container && targets.has(nested)) ordered.add(nested);
    ordered.add(kind);
  }
  return [...ordered];
}

export const importable: readonly KindName[] = definitions.map(({ name }) => name as KindName);

export const areaOf = (kind: Kind): ProgramFile => factsOf(kind).file ?? "account";
