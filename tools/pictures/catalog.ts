import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Recordings, root } from "./run";
import { type Theme, textOf, themes } from "./terminal";

export const folder = join(root, "docs/pictures");

/** Maximum size of a picture in bytes: pages with pictures must load fast on a phone. */
export const MAX_BYTES = 200 * 1024;

/** Pictures of terminals, with the texts for readers who cannot see them. */
export const terminals: Readonly<Record<keyof Recordings["terminals"], string>> = {
  preview:
    "Terminal: pulumi preview --diff announces that an instance boots, that backups are deleted and that a volume grows",
  drift:
    "Terminal: cloudinfra drift reports a deleted DNS record, a changed firewall rule and two unmanaged objects; pulumi up --refresh corrects the drift",
};

/** Drawings, whose sources are in this folder. */
export const drawings = ["how-it-works"] as const;

/** A picture of a page, taken in a window of this size. */
interface Window {
  width: number;
  height: number;
  scale: number;
}

/** Pictures of pages. Next to each, a text file lists what it shows. */
export const pages: Readonly<Record<keyof Recordings["pages"], Window>> = {
  report: { width: 1200, height: 940, scale: 1.1 },
};

/** The picture of the emulator's console. Next to it, a text file lists what it shows. */
export const consoleWindow: Window = { width: 1280, height: 760, scale: 1 };

export const namesOf = <Name extends string>(catalog: Readonly<Record<Name, unknown>>): Name[] =>
  Object.keys(catalog) as Name[]; // A literal object has no other keys.

export const fileOf = (name: string, theme: Theme, format: "svg" | "png"): string => `${name}-${theme}.${format}`;

/** The files of all pictures. */
export const files: readonly string[] = themes.flatMap((theme) => [
  ...[...namesOf(terminals), ...drawings].map((name) => fileOf(name, theme, "svg")),
  ...[...namesOf(pages), "console"].map((name) => fileOf(name, theme, "png")),
]);

/** The text in a picture of a terminal. */
export const shownInTerminal = (name: keyof Recordings["terminals"], theme: Theme): string =>
  textOf(readFileSync(join(folder, fileOf(name, theme, "svg")), "utf8"));

/** The texts in a picture of a page. */
export const shownOnPage = (name: keyof Recordings["pages"] | "console"): string[] =>
  readFileSync(join(folder, `${name}.txt`), "utf8")
    .trimEnd()
    .split("\n");
