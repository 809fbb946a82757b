import { camel, kebab } from "../../api";
import { exampleOf } from "../generate/examples";

/** The names of a kind: `VolumeClone`, `volumeClone` in the code, and `volume-clone` in the names of files. */
export interface Names {
  kind: string;
  constant: string;
  file: string;
}

export const namesOf = (kind: string): Names => ({
  kind,
  constant: camel(kebab(kind).replaceAll("-", "_")),
  file: kebab(kind),
});

/** The files of a kind that are written by hand. */
export interface KindFiles {
  definition: string;
  fixture: string;
  example: string;
  yaml: string;
  /** Missing if several kinds share a behaviour test. */
  behaviour: string;
}

export const filesOf = ({ kind, file }: Names): KindFiles => ({
  definition: `provider/resources/${file}.ts`,
  fixture: `test/lifecycle/kinds/${file}.ts`,
  example: exampleOf(kind),
  yaml: exampleOf(kind).replace(/ts$/, "yaml"),
  behaviour: `test/lifecycle/behaviour/${file}.test.ts`,
});
