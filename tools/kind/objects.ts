import { kebab } from "../../api";
import type { Kind } from "../../provider/engine/definition";
import { idParts } from "../../provider/engine/identity";
import { namesOf } from "./names";

/** The words for a kind of objects in the files of a second kind over them, the more specific ones first. */
const wordsOf = (kind: Kind): readonly string[] => [
  `"./${kebab(kind.name)}"`,
  `_${kebab(kind.name).replaceAll("-", "_")}_`,
  kind.identity.area,
  Object.keys(idParts(kind)).at(-1) ?? "",
  kind.name,
  namesOf(kind.name).constant,
];

/** The places of these words: not inside other words, except in the name of an input such as `sourceVolumeId`. */
const places = (word: string): RegExp =>
  new RegExp(/^[A-Z]/.test(word) ? `${word}(?![a-z])` : /^[a-z]/.test(word) ? `\\b${word}\\b` : word, "g");

/** Replaces the words for one kind of objects with those for another. */
export function withObjectsOf(text: string, from: Kind, to: Kind): string {
  const words = wordsOf(to);
  return wordsOf(from).reduce((result, word, i) => result.replace(places(word), words[i] as string), text);
}

/** The inputs of the first resource of a kind in an example, in TypeScript and in YAML. */
const inputsIn = (kind: string): readonly RegExp[] => [
  new RegExp(`(?<=new ${kind}\\("[\\w-]+", )\\{[\\s\\S]*?\\}(?=\\);)`),
  new RegExp(`(?<=type: cloudinfra:${kind}\\n {4}properties:\\n)(?: {6}.*\\n)+`),
];

/** Takes the inputs of a kind in an example from another example. */
export const withInputsOf = (text: string, { name }: Kind, example: string): string =>
  inputsIn(name).reduce((result, inputs) => {
    const [found] = inputs.exec(example) ?? [];
    return found === undefined ? result : result.replace(inputs, () => found);
  }, text);
